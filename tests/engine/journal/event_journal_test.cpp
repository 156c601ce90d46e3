// SPDX-License-Identifier: Apache-2.0
// Writer and reader of the journal over real files: torn tails, damage, fencing, numbers, locale.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "engine/journal/event_reader.h"
#include "engine/journal/event_writer.h"
#include "tests/support/german_locale.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::readBytes;
using test::TempRun;
using test::writeBytes;
using testing::ElementsAre;
using testing::HasSubstr;

MetricsEvent loss(double value) {
    MetricsEvent event;
    event.values["train/loss"] = value;
    return event;
}

std::vector<int64_t> seqsOf(EventReader& reader, int64_t from = 1) {
    std::vector<int64_t> seqs;
    for (auto lines = reader.readLines(from); !lines.empty(); lines = reader.readLines(from))
        for (const auto& line : lines)
            seqs.push_back(line.seq);
    return seqs;
}

std::vector<int64_t> seqsOf(const RunFolder& run, int64_t from = 1) {
    EventReader reader(run);
    return seqsOf(reader, from);
}

void writeRecords(const RunFolder& run, int64_t attempt, int count) {
    auto writer = EventWriter::open(run, attempt);
    for (int i = 0; i < count; ++i)
        writer.append(i + 1, loss(i));
    writer.sync();
}

void appendBytes(const std::filesystem::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary | std::ios::app) << bytes;
}

TEST(Journal, numbersRunOnOverAttempts) {
    const TempRun run;
    writeRecords(run, 1, 3);
    writeRecords(run, 2, 2);
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(seqsOf(run, 4), ElementsAre(4, 5));
}

TEST(Journal, readerFollowsAWritingWriter) {
    const TempRun run;
    EventReader reader(run);
    EXPECT_TRUE(reader.readLines().empty());
    auto writer = EventWriter::open(run, 1);
    writer.append(1, loss(1));
    EXPECT_THAT(seqsOf(reader), ElementsAre(1));
    writer.append(2, loss(2));
    writer.append(3, loss(3));
    EXPECT_THAT(seqsOf(reader), ElementsAre(2, 3));
    EXPECT_TRUE(reader.readLines().empty());
}

TEST(Journal, syncAnnouncesWhatIsDurable) {
    const TempRun run;
    auto writer = EventWriter::open(run, 1);
    writer.append(1, loss(1));
    EXPECT_EQ(writer.durableSeq(), 0);
    writer.sync();
    EXPECT_EQ(writer.durableSeq(), 1);
    EXPECT_EQ(writer.lastSeq(), 1);
}

// Cut at every byte of the last record: the reader holds the rest back, the next writer keeps a copy and goes on.
TEST(Journal, tornTailIsHeldBackThenCutByTheNextWriter) {
    const TempRun whole;
    writeRecords(whole, 1, 3);
    const std::string bytes = readBytes(whole.folder().eventsFile());
    const size_t lastStart = bytes.rfind('\n', bytes.size() - 2) + 1;
    const TempRun run;
    const auto file = run.folder().eventsFile();
    for (size_t cut = lastStart; cut < bytes.size(); cut += cut + 20 < bytes.size() ? 7 : 1) {
        std::filesystem::remove(run.folder().path / ("events.torn-" + std::to_string(lastStart)));
        writeBytes(file, bytes.substr(0, cut));
        EventReader reader(run);
        ASSERT_THAT(seqsOf(reader), ElementsAre(1, 2)) << cut;
        ASSERT_TRUE(reader.damages().empty());
        auto writer = EventWriter::open(run, 2);
        ASSERT_EQ(writer.append(0, ResumedEvent{.lastSeq = writer.lastSeq()}), 3);
        ASSERT_THAT(seqsOf(reader), ElementsAre(3)) << cut;
        const auto copy = run.folder().path / ("events.torn-" + std::to_string(lastStart));
        if (cut > lastStart) {
            ASSERT_EQ(readBytes(copy), bytes.substr(lastStart, cut - lastStart));
        } else {
            ASSERT_FALSE(std::filesystem::exists(copy));
        }
    }
}

TEST(Journal, damageInTheMiddleIsReportedAndSteppedOver) {
    const TempRun run;
    writeRecords(run, 1, 5);
    const TempRun damaged;
    const std::string bytes = readBytes(run.folder().eventsFile());
    for (size_t byte = bytes.find('\n') + 1, end = bytes.find('\n', byte) + 1; byte < end; ++byte)
        for (int bit = 0; bit < 8; ++bit) {
            std::string flipped = bytes;
            flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << bit));
            writeBytes(damaged.folder().eventsFile(), flipped);
            EventReader reader(damaged);
            const auto seqs = seqsOf(reader);
            if (byte + 1 == end) {  // the newline itself: two lines become one
                ASSERT_THAT(seqs, ElementsAre(1, 4, 5)) << byte << ' ' << bit;
            } else {
                ASSERT_THAT(seqs, ElementsAre(1, 3, 4, 5)) << byte << ' ' << bit;
            }
            ASSERT_EQ(reader.damages().size(), 2u);
            ASSERT_EQ(reader.damages()[0].line, 2);
            ASSERT_THAT(reader.damages()[0].reason, HasSubstr("damaged"));
            ASSERT_THAT(reader.damages()[1].reason, HasSubstr("missing"));
            ASSERT_THAT(reader.damages()[0].file, HasSubstr("events.jsonl"));
        }
}

TEST(Journal, damageIsNeverRepairedByAWriter) {
    const TempRun run;
    writeRecords(run, 1, 5);
    const auto file = run.folder().eventsFile();
    test::flipBit(file, readBytes(file).find('\n') + 20, 3);
    const std::string before = readBytes(file);
    writeRecords(run, 2, 1);
    EXPECT_TRUE(readBytes(file).starts_with(before));
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 3, 4, 5, 6));
}

TEST(Journal, missingNumbersAreReported) {
    const TempRun run;
    writeRecords(run, 1, 5);
    const auto file = run.folder().eventsFile();
    std::string bytes = readBytes(file);
    const size_t second = bytes.find('\n') + 1;
    const size_t fourth = bytes.find('\n', bytes.find('\n', second) + 1) + 1;
    bytes.erase(second, fourth - second);
    writeBytes(file, bytes);
    EventReader reader(run);
    EXPECT_THAT(seqsOf(reader), ElementsAre(1, 4, 5));
    ASSERT_EQ(reader.damages().size(), 1u);
    EXPECT_THAT(reader.damages()[0].reason, HasSubstr("records 2 to 3 missing"));
}

TEST(Journal, aLaterAttemptGivesLostNumbersOutAgain) {
    const TempRun run;
    writeRecords(run, 1, 5);
    const auto file = run.folder().eventsFile();
    EventReader reader(run);
    EXPECT_THAT(seqsOf(reader), ElementsAre(1, 2, 3, 4, 5));
    const std::string bytes = readBytes(file);
    const TempRun other;  // the same journal after a power cut that took records 4 and 5, then a resume
    size_t end = 0;
    for (int line = 0; line < 3; ++line)
        end = bytes.find('\n', end) + 1;
    writeBytes(other.folder().eventsFile(), bytes.substr(0, end));
    writeRecords(other, 2, 2);
    EXPECT_THAT(seqsOf(other), ElementsAre(1, 2, 3, 4, 5));
}

TEST(Journal, continuationFileIsReadAfterTheFirstWithoutDoubles) {
    const TempRun run;
    writeRecords(run, 1, 5);
    const std::string bytes = readBytes(run.folder().eventsFile());
    size_t third = 0;
    for (int line = 0; line < 2; ++line)
        third = bytes.find('\n', third) + 1;
    writeBytes(journalFile(run, 2), bytes.substr(third));  // 3, 4, 5 again, as after a failed fdatasync
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2, 3, 4, 5));
    test::flipBit(run.folder().eventsFile(), third + 30, 1);  // 3 is bad in the first file, good in the second
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2, 4, 5, 3));
    writeRecords(run, 2, 1);
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2, 4, 5, 3, 6));
    EXPECT_FALSE(std::filesystem::exists(journalFile(run, 3)));
}

TEST(Journal, writerStepsOverForeignBytesAndYieldsToALaterAttempt) {
    const TempRun run;
    auto writer = EventWriter::open(run, 1);
    writer.append(1, loss(1));
    appendBytes(run.folder().eventsFile(), "somebody's note");
    writer.append(2, loss(2));
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2));
    writeRecords(run, 2, 1);
    EXPECT_THROW(writer.append(3, loss(3)), Error);
    EXPECT_THAT(seqsOf(run), ElementsAre(1, 2, 3));
    EXPECT_THROW(EventWriter::open(run, 1), Error);
}

TEST(Journal, nonFiniteNumbersAndForeignBytesTravel) {
    const TempRun run;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    {
        auto writer = EventWriter::open(run, 1);
        MetricsEvent event;
        event.values = {{"a", nan}, {"b", infinity}, {"c", -infinity},
                        {"d", 0.1}, {"e", 5e-324},   {"f", 1.7976931348623157e308}};
        writer.append(1, event);
        writer.append(2, LogEvent{"broken \xFF\xC3 text\nwith \x01 control \xE8\xB7\x91"});
    }
    EXPECT_EQ(readBytes(run.folder().eventsFile()).find("null"), std::string::npos);
    EventReader reader(run);
    const auto records = reader.readRecords();
    ASSERT_EQ(records.size(), 2u);
    const auto& values = std::get<MetricsEvent>(records[0].event).values;
    EXPECT_TRUE(std::isnan(values.at("a")));
    EXPECT_EQ(values.at("b"), infinity);
    EXPECT_EQ(values.at("c"), -infinity);
    EXPECT_EQ(values.at("d"), 0.1);
    EXPECT_EQ(values.at("e"), 5e-324);
    EXPECT_EQ(values.at("f"), 1.7976931348623157e308);
    EXPECT_THAT(std::get<LogEvent>(records[1].event).text, HasSubstr("跑"));
}

TEST(Journal, decimalCommaLocaleChangesNothing) {
    const test::GermanLocale german;
    if (!german.active())
        GTEST_SKIP() << "neither the locale de_DE.UTF-8 nor localedef is installed";
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 1);
        writer.append(1, loss(2.5));
    }
    EXPECT_THAT(readBytes(run.folder().eventsFile()), HasSubstr("\"train/loss\":2.5"));
    EventReader reader(run);
    EXPECT_EQ(std::get<MetricsEvent>(reader.readRecords().at(0).event).values.at("train/loss"), 2.5);
}

TEST(Journal, manyThreadsMayAppend) {
    const TempRun run;
    {
        auto writer = EventWriter::open(run, 1);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 250; ++i)
                    writer.append(i, loss(i));
            });
        for (int i = 0; i < 5; ++i)
            writer.sync();
        for (auto& thread : threads)
            thread.join();
    }
    const auto seqs = seqsOf(run);
    ASSERT_EQ(seqs.size(), 1000u);
    for (size_t i = 0; i < seqs.size(); ++i)
        ASSERT_EQ(seqs[i], static_cast<int64_t>(i) + 1);
}

TEST(Journal, aFifoIsRefused) {
    const TempRun run;
    ASSERT_EQ(::mkfifo(run.folder().eventsFile().c_str(), 0600), 0);
    EventReader reader(run);
    EXPECT_THROW(reader.readLines(), Error);
    EXPECT_THROW(EventWriter::open(run, 1), Error);
}

}  // namespace
}  // namespace unmask
