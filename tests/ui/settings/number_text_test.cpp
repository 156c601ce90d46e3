// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/number_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace unmask::ui {
namespace {

class NumberTextTest : public testing::Test {
 protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void TearDown() override { QLocale::setDefault(QLocale::c()); }
};

TEST_F(NumberTextTest, ShortAndWithUnits) {
    EXPECT_EQ(NumberText::loss(2.91345), QStringLiteral("2.913"));
    EXPECT_EQ(NumberText::loss(0.00012345), QStringLiteral("0.0001234"));
    EXPECT_EQ(NumberText::loss(std::nan("")), QStringLiteral("NaN"));
    EXPECT_EQ(NumberText::loss(-INFINITY), QStringLiteral("−∞"));
    EXPECT_EQ(NumberText::count(8420), QStringLiteral("8,420"));
    EXPECT_EQ(NumberText::count(162220800), QStringLiteral("162.2 M"));
    EXPECT_EQ(NumberText::count(1.1e9), QStringLiteral("1.10 B"));
    EXPECT_EQ(NumberText::memory(25.1 * 1024 * 1024 * 1024), QStringLiteral("25.1 GiB"));
    EXPECT_EQ(NumberText::memory(512), QStringLiteral("512 B"));
    EXPECT_EQ(NumberText::rate(498123), QStringLiteral("498 k tok/s"));
    EXPECT_EQ(NumberText::percent(0.125), QStringLiteral("12.5 %"));
    EXPECT_EQ(NumberText::duration(11100), QStringLiteral("3 h 05 min"));
    EXPECT_EQ(NumberText::duration(45), QStringLiteral("45 s"));
    EXPECT_EQ(NumberText::exact(162220800), QStringLiteral("162,220,800"));
}

TEST_F(NumberTextTest, UnknownIsADashAndNeverZero) {
    EXPECT_EQ(NumberText::count(std::nan("")), NumberText::unknown());
    EXPECT_EQ(NumberText::memory(INFINITY), NumberText::unknown());
    EXPECT_EQ(NumberText::duration(-1), NumberText::unknown());
    EXPECT_EQ(NumberText::rate(std::nan("")), NumberText::unknown());
    EXPECT_EQ(NumberText::time(0), NumberText::unknown());
}

TEST_F(NumberTextTest, TheLocaleDecides) {
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(NumberText::loss(2.91345), QStringLiteral("2,913"));
    EXPECT_EQ(NumberText::count(8420), QStringLiteral("8.420"));
}

}  // namespace
}  // namespace unmask::ui
