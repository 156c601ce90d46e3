// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/sftp_packets.h"

#include <gtest/gtest.h>

#include <random>

namespace unmask::ui {
namespace {

QByteArray bytes(std::initializer_list<int> list) {
    QByteArray out;
    for (const int one : list)
        out += static_cast<char>(one);
    return out;
}

TEST(SftpPackets, RequestsAreLaidOutAsTheDraftSays) {
    EXPECT_EQ(sftpHello(), bytes({0, 0, 0, 5, 1, 0, 0, 0, 3}));
    EXPECT_EQ(sftpPacket(sftpClose("h"), 7), bytes({0, 0, 0, 10, 4, 0, 0, 0, 7, 0, 0, 0, 1, 'h'}));
    EXPECT_EQ(sftpPacket(sftpOpen("/a", kSftpWrite | kSftpCreate, 0600), 1),
              bytes({0, 0, 0, 23, 3, 0, 0, 0, 1, 0, 0, 0, 2, '/', 'a', 0, 0, 0, 10, 0, 0, 0, 4, 0, 0, 1, 0x80}));
    EXPECT_EQ(sftpPacket(sftpReadAt("h", 0x0102030405ull, 32768), 2),
              bytes({0, 0, 0, 22, 5, 0, 0, 0, 2, 0, 0, 0, 1, 'h', 0, 0, 0, 1, 2, 3, 4, 5, 0, 0, 0x80, 0}));
    EXPECT_EQ(sftpPacket(sftpWriteAt("h", 1, "xy"), 2),
              bytes({0, 0, 0, 24, 6, 0, 0, 0, 2, 0, 0, 0, 1, 'h', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 'x', 'y'}));
}

TEST(SftpPackets, RepliesAreReadFromAnyCut) {
    const QByteArray stream =
        bytes({0, 0, 0, 17, 2, 0, 0, 0, 3, 0, 0, 0, 2, 'e', 'x', 0, 0, 0, 2, '1', '2'}) +
        bytes({0, 0, 0, 21, 101, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0, 4, 'F', 'u', 'l', 'l', 0, 0, 0, 0}) +
        bytes({0, 0, 0, 12, 103, 0, 0, 0, 10, 0, 0, 0, 3, 'a', 'b', 'c'}) +
        bytes({0, 0, 0, 25, 105, 0, 0, 0, 11, 0, 0, 0, 13, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x81, 0xa4, 0, 0, 0, 1}) +
        bytes({0, 0, 0, 5, 105, 0, 0, 0, 12});
    // The attributes above want 4 bytes more, so the fourth reply ends the stream.
    for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
        SftpReader reader;
        std::vector<SftpReply> replies;
        const bool good = reader.take(stream.left(cut), replies) && reader.take(stream.mid(cut), replies);
        ASSERT_FALSE(good);
        ASSERT_EQ(replies.size(), 3u) << cut;
        EXPECT_EQ(replies[0].extensions.value("ex"), "12");
        EXPECT_EQ(replies[1].status, SftpStatus::failure);
        EXPECT_EQ(replies[1].message, QStringLiteral("Full"));
        EXPECT_FALSE(replies[1].ok());
        EXPECT_EQ(replies[2].payload, "abc");
        EXPECT_FALSE(reader.take({}, replies)) << "what is broken stays so";
    }
}

TEST(SftpPackets, AttributesAndSpace) {
    SftpReader reader;
    std::vector<SftpReply> replies;
    ASSERT_TRUE(reader.take(bytes({0, 0, 0, 29, 105, 0, 0,    0,    11, 0, 0, 0, 13, 0, 0, 0, 0,
                                   0, 0, 1, 0,  0,   0, 0x81, 0xa4, 0,  0, 0, 1, 0,  0, 0, 2}),
                            replies));
    ASSERT_EQ(replies.size(), 1u);
    EXPECT_EQ(replies[0].attributes.size, 256u);
    EXPECT_EQ(replies[0].attributes.changedAt, 2u);
    EXPECT_TRUE(replies[0].attributes.isRegular());
    EXPECT_FALSE(replies[0].attributes.isFolder());
    QByteArray space(88, 0);
    space[14] = 0x10;  // blocks of 4096
    space[23] = 9;
    space[39] = 5;
    const auto read = readSftpSpace(space);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->freeBytes, 5u * 4096);
    EXPECT_EQ(read->totalBytes, 9u * 4096);
    EXPECT_FALSE(readSftpSpace(space.left(30)));
}

TEST(SftpPackets, LimitsStayWithinReason) {
    QByteArray limits(32, 0);
    limits[8] = 0x7f;  // reads of more than memory has
    limits[23] = 1;    // writes of one byte
    EXPECT_EQ(readSftpLimits(limits).mostRead, 255u << 10);
    EXPECT_EQ(readSftpLimits(limits).mostWrite, 4096u);
    EXPECT_EQ(readSftpLimits({}).mostRead, 32768u);
}

TEST(SftpPackets, NoiseEndsTheStreamAndNothingElse) {
    std::mt19937 random(7);
    for (int round = 0; round < 20000; ++round) {
        QByteArray noise;
        for (int i = 0; i < 60; ++i)
            noise += static_cast<char>(random() % (i % 4 == 0 ? 256 : 8));
        SftpReader reader;
        std::vector<SftpReply> replies;
        reader.take(noise, replies);
        EXPECT_LT(replies.size(), 10u);
    }
    SftpReader reader;
    std::vector<SftpReply> replies;
    EXPECT_FALSE(reader.take("Welcome to lab1!\n", replies));
}

}  // namespace
}  // namespace unmask::ui
