// SPDX-License-Identifier: Apache-2.0
#include "ui/style/numbers.h"

#include <gtest/gtest.h>

#include <QDateTime>
#include <QLocale>
#include <cmath>

namespace unmask::ui {
namespace {

class Numbers : public testing::Test {
 protected:
    void TearDown() override { QLocale::setDefault(m_before); }
    static void speak(QLocale::Language language, QLocale::Country country) {
        QLocale::setDefault(QLocale(language, country));
    }

 private:
    QLocale m_before;
};

struct Row {
    QString got;
    const char* expected;
};

void expectRows(std::initializer_list<Row> rows) {
    for (const Row& row : rows)
        EXPECT_EQ(row.got.toStdString(), row.expected);
}

TEST_F(Numbers, CountsReadLikeTheLiterature) {
    expectRows({{numbers::count(0), "0"},
                {numbers::count(8420), "8,420"},
                {numbers::count(99999), "99,999"},
                {numbers::count(100000), "100.0 k"},
                {numbers::count(162220800), "162.2 M"},
                {numbers::count(4200000), "4.20 M"},
                {numbers::count(1.1e9), "1.10 B"},
                {numbers::count(999.96e6), "1.00 B"},
                {numbers::count(2.5e12), "2.50 T"},
                {numbers::exact(162220800), "162,220,800"}});
}

TEST_F(Numbers, UnknownIsNeverZero) {
    for (const QString& text : {numbers::count({}), numbers::memory({}), numbers::tokenRate({}), numbers::loss({}),
                                numbers::duration({}), numbers::percent({}), numbers::temperature({}),
                                numbers::duration(NAN), numbers::timeOfDay({}), numbers::memory(INFINITY)})
        EXPECT_EQ(text, QStringLiteral("–"));
    EXPECT_EQ(numbers::loss(NAN), QStringLiteral("NaN")) << "a loss that is not a number says so";
    EXPECT_EQ(numbers::loss(INFINITY), QStringLiteral("∞"));
}

TEST_F(Numbers, LossHasFourSignificantDigits) {
    expectRows({{numbers::loss(2.91296), "2.913"},
                {numbers::loss(2.9), "2.900"},
                {numbers::loss(12.3456), "12.35"},
                {numbers::loss(0.0123456), "0.01235"},
                {numbers::loss(123456789), "1.235e8"},
                {numbers::loss(0.00001234), "1.234e-5"}});
}

TEST_F(Numbers, SettingsDropTheirZeros) {
    expectRows({{numbers::significant(3e-4, 6), "0.0003"},
                {numbers::significant(0.05, 3), "0.05"},
                {numbers::significant(1, 6), "1"},
                {numbers::significant(1e-5, 3), "1e-5"}});
}

TEST_F(Numbers, MemoryIsBinaryAndRatesAreShort) {
    expectRows({{numbers::memory(96.0 * 1073741824), "96.0 GiB"},
                {numbers::memory(1.5 * 1073741824), "1.50 GiB"},
                {numbers::memory(12.0 * 1048576), "12 MiB"},
                {numbers::memory(0), "0.0 MiB"},
                {numbers::tokenRate(498000), "498 k tok/s"},
                {numbers::tokenRate(15400), "15.4 k tok/s"},
                {numbers::tokenRate(812), "812 tok/s"},
                {numbers::percent(0.314), "31.4 %"},
                {numbers::temperature(71.4), "71 °C"}});
}

TEST_F(Numbers, DurationsReadLikeSpeech) {
    expectRows({{numbers::duration(45), "45 s"},
                {numbers::duration(59.7), "1 min"},
                {numbers::duration(21 * 60), "21 min"},
                {numbers::duration(3 * 3600 + 5 * 60), "3 h 05 min"},
                {numbers::duration(59.6 * 60), "1 h 00 min"},
                {numbers::duration(52 * 3600), "2 d 04 h"},
                {numbers::preciseDuration(0.853), "0.85 s"},
                {numbers::preciseDuration(63), "1 min 03 s"}});
}

TEST_F(Numbers, GermanWritesACommaAndReadsBoth) {
    speak(QLocale::German, QLocale::Germany);
    EXPECT_EQ(numbers::loss(2.9131).toStdString(), "2,913");
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("0,0003")).value(), 0.0003);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("0.0003")).value(), 0.0003);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("3e-4")).value(), 0.0003);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("3,5e-4")).value(), 0.00035);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("1 000")).value(), 1000);
}

TEST_F(Numbers, EnglishReadsGroupsAndRefusesNonsense) {
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral(" 1,000 ")).value(), 1000);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("1_000")).value(), 1000);
    EXPECT_DOUBLE_EQ(numbers::parse(QStringLiteral("-2.5")).value(), -2.5);
    for (const char* bad : {"", "abc", "1.2.3", "3e", "--1", "0,0003x"})
        EXPECT_FALSE(numbers::parse(QString::fromLatin1(bad)).has_value()) << bad;
    EXPECT_FALSE(numbers::parse(QStringLiteral("0,0003")).has_value()) << "not grouping, and no English decimal";
}

TEST_F(Numbers, TimesOfAnotherDayCarryTheirDate) {
    const double now = static_cast<double>(QDateTime::currentSecsSinceEpoch());
    EXPECT_EQ(numbers::timeOfDay(now).size(), 5);
    EXPECT_GT(numbers::timeOfDay(now - 3 * 86400).size(), 8);
    EXPECT_TRUE(numbers::timestamp(now).contains(QLatin1Char(':')));
}

}  // namespace
}  // namespace unmask::ui
