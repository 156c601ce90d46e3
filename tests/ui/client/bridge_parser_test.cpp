// SPDX-License-Identifier: Apache-2.0
#include "ui/client/bridge_parser.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/ui/support/journal_text.h"

namespace unmask::ui {
namespace {

using test::JournalText;

struct Heard {
    explicit Heard(BridgeParser& parser) {
        QObject::connect(&parser, &BridgeParser::recordsParsed, &parser, [this](quint64, const RecordBatchPtr& batch) {
            batches.push_back(batch);
            for (const EventRecord& record : batch->records)
                seqs.push_back(record.seq);
        });
        QObject::connect(&parser, &BridgeParser::overlapFailed, &parser, [this] { overlapFailed = true; });
        QObject::connect(&parser, &BridgeParser::lineParsed, &parser, [this] { ++bridgeLines; });
        QObject::connect(&parser, &BridgeParser::drained, &parser, [this] { drained = true; });
    }
    std::vector<RecordBatchPtr> batches;
    std::vector<int64_t> seqs;
    bool overlapFailed = false;
    bool drained = false;
    int bridgeLines = 0;
};

std::vector<int64_t> range(int64_t first, int64_t last) {
    std::vector<int64_t> all;
    for (int64_t i = first; i <= last; ++i)
        all.push_back(i);
    return all;
}

QByteArray stateLine() {
    return R"({"bridge":"state","word":"running","step":1})" + QByteArray("\n");
}

TEST(BridgeParser, TornLinesJoinWhereverTheyAreCut) {
    JournalText journal;
    journal.started("Überprüfung").losses(1, 200).finished(200);
    const QByteArray bytes = stateLine() + QByteArray::fromStdString(journal.text()) + stateLine();
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        BridgeParser parser;
        const Heard heard(parser);
        parser.begin(1, {}, false);
        for (qsizetype at = 0; at < bytes.size();) {
            const auto size = static_cast<qsizetype>(1 + random() % (round < 5 ? 5 : 900));
            parser.take(1, bytes.mid(at, size));
            at += size;
        }
        parser.finish(1, true, {});
        EXPECT_EQ(heard.seqs, range(1, 202));
        EXPECT_EQ(heard.bridgeLines, 2);
        EXPECT_TRUE(heard.drained);
        int64_t after = 0;
        for (const RecordBatchPtr& batch : heard.batches) {
            EXPECT_EQ(batch->afterSeq, after);
            EXPECT_FALSE(batch->fromStart);
            after = batch->last.seq;
        }
    }
}

TEST(BridgeParser, AnUnfinishedLastLineIsNotARecord) {
    JournalText journal;
    journal.losses(1, 3);
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, {}, false);
    parser.take(1, QByteArray::fromStdString(journal.text()).chopped(1));
    EXPECT_EQ(heard.seqs, range(1, 2));
}

TEST(BridgeParser, TheOverlapIsProvenAndNotHandedOutAgain) {
    JournalText journal;
    journal.losses(1, 10);
    const RecordMark fifth{5, 1, statedCrc(journal.lines()[4])};
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, fifth, false);
    for (size_t i = 4; i < 10; ++i)
        parser.take(1, QByteArray::fromStdString(journal.lines()[i] + "\n"));
    EXPECT_FALSE(heard.overlapFailed);
    EXPECT_EQ(heard.seqs, range(6, 10));
    EXPECT_EQ(heard.batches.front()->afterSeq, 5);
}

TEST(BridgeParser, AnotherHistoryIsNoticed) {
    JournalText journal, other;
    journal.losses(1, 10);
    other.started().losses(1, 9);
    const RecordMark fifth{5, 1, statedCrc(journal.lines()[4])};
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, fifth, false);
    parser.take(1, QByteArray::fromStdString(other.lines()[4] + "\n" + other.lines()[5] + "\n"));
    EXPECT_TRUE(heard.overlapFailed);
    EXPECT_TRUE(heard.seqs.empty());
}

TEST(BridgeParser, AShorterHistoryIsNoticed) {
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, {5, 1, 77}, false);
    for (int i = 0; i < 3; ++i)
        parser.take(1, stateLine());
    EXPECT_TRUE(heard.overlapFailed);

    BridgeParser ended;
    const Heard atEnd(ended);
    ended.begin(1, {5, 1, 77}, false);
    ended.finish(1, true, {});
    EXPECT_TRUE(atEnd.overlapFailed);
    EXPECT_FALSE(atEnd.drained);
}

TEST(BridgeParser, ADamagedLineIsASentenceAndTheRestGoesOn) {
    JournalText journal;
    journal.losses(1, 3);
    std::string middle = journal.lines()[1];
    middle[20] = static_cast<char>(middle[20] ^ 1);
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, {}, true);
    parser.take(1, QByteArray::fromStdString(journal.lines()[0] + "\n" + middle + "\n" + journal.lines()[2] + "\n"));
    EXPECT_EQ(heard.seqs, (std::vector<int64_t>{1, 3}));
    EXPECT_EQ(heard.batches.front()->damages.size(), 1u);
    EXPECT_TRUE(heard.batches.front()->fromStart);
}

TEST(BridgeParser, BytesOfAnEarlierConnectionAreVoid) {
    JournalText journal;
    journal.losses(1, 3);
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, {}, false);
    parser.take(1, QByteArray::fromStdString(journal.lines()[0]));  // torn when the connection changes
    parser.begin(2, {}, false);
    parser.take(1, QByteArray("\n"));
    parser.take(2, QByteArray::fromStdString(journal.text()));
    EXPECT_EQ(heard.seqs, range(1, 3));
}

TEST(BridgeParser, AnEndlessLineEndsTheConnection) {
    BridgeParser parser;
    const Heard heard(parser);
    parser.begin(1, {}, false);
    for (int i = 0; i < 17 && !heard.overlapFailed; ++i)
        parser.take(1, QByteArray(1 << 20, 'x'));
    EXPECT_TRUE(heard.overlapFailed);
}

}  // namespace
}  // namespace unmask::ui
