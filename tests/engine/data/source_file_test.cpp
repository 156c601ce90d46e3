// SPDX-License-Identifier: Apache-2.0
#include "engine/data/source_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::messageOf;
using test::TempFolder;

std::string openingFails(const std::filesystem::path& path) {
    return messageOf([&] { SourceFile source(path); });
}

std::string readAll(SourceFile& source) {
    std::string all;
    for (std::string_view block = source.nextBlock(); !block.empty(); block = source.nextBlock())
        all += block;
    return all;
}

TEST(SourceFile, WhatIsNoFileIsRefusedInWordsAndAtOnce) {
    const TempFolder folder;
    EXPECT_NE(openingFails(folder.path()).find("is a folder"), std::string::npos);
    EXPECT_NE(openingFails(folder.path() / "absent.txt").find("does not exist"), std::string::npos);
    EXPECT_NE(openingFails("/dev/zero").find("is a device"), std::string::npos);
    EXPECT_NE(openingFails(folder.write("empty.txt", "")).find("is empty"), std::string::npos);
    const std::filesystem::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(openingFails(pipe).find("is a pipe"), std::string::npos);
    const std::filesystem::path loop = folder.path() / "loop";
    std::filesystem::create_symlink(loop, loop);
    EXPECT_FALSE(openingFails(loop).empty());
}

TEST(SourceFile, ASocketIsRefused) {
    const TempFolder folder;
    const std::filesystem::path path = folder.path() / "socket";
    const FileDescriptor listener(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_NE(openingFails(path).find("is a socket"), std::string::npos);
}

TEST(SourceFile, AnUnreadableFileIsNamed) {
    if (::geteuid() == 0)
        GTEST_SKIP() << "root reads everything";
    const TempFolder folder;
    const std::filesystem::path file = folder.write("secret.txt", "x");
    ::chmod(file.c_str(), 0);
    EXPECT_NE(openingFails(file).find("secret.txt"), std::string::npos);
}

TEST(SourceFile, LinksAndStrangeNamesAreFollowed) {
    const TempFolder folder;
    const std::filesystem::path file = folder.write("Grüße 世界 and space.txt", "content");
    std::filesystem::create_symlink(file, folder.path() / "link");
    SourceFile source(folder.path() / "link");
    EXPECT_EQ(readAll(source), "content");
}

TEST(SourceFile, AGrowingFileIsPinnedToItsFirstSize) {
    const TempFolder folder;
    const std::filesystem::path file = folder.write("log.txt", "first");
    SourceFile source(file);
    std::ofstream(file, std::ios::app) << " later";
    EXPECT_EQ(readAll(source), "first");
    const std::string hash = source.sha256();
    EXPECT_EQ(hash, sha256Hex("first"));
    source.rewind();
    EXPECT_EQ(readAll(source), "first");
    EXPECT_EQ(source.sha256(), hash);
}

TEST(SourceFile, AShrinkingFileIsAnError) {
    const TempFolder folder;
    const std::filesystem::path file = folder.write("log.txt", "a longer text");
    SourceFile source(file);
    std::filesystem::resize_file(file, 3);
    EXPECT_NE(messageOf([&] { readAll(source); }).find("became shorter"), std::string::npos);
}

TEST(SourceFile, BlocksKnowTheirOffsets) {
    const TempFolder folder;
    SourceFile source(folder.write("big", std::string((size_t{2} << 20) + 7, 'x')));
    int64_t bytes = 0;
    int64_t announced = 0;
    source.onRead([&](int64_t more) { announced += more; });
    for (std::string_view block = source.nextBlock(); !block.empty(); block = source.nextBlock()) {
        EXPECT_EQ(source.blockOffset(), bytes);
        bytes += static_cast<int64_t>(block.size());
    }
    EXPECT_EQ(bytes, source.size());
    EXPECT_EQ(announced, source.size());
    EXPECT_EQ(source.peek(3), "xxx");
    EXPECT_EQ(source.byteAt(bytes - 1), 'x');
}

}  // namespace
}  // namespace unmask
