// SPDX-License-Identifier: Apache-2.0
#include "ui/style/language.h"

#include <gtest/gtest.h>

#include <QLocale>

namespace unmask::ui {
namespace {

TEST(Language, FollowsTheDefaultLocaleUntilItIsChosen) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
    EXPECT_EQ(inUiLanguage("Steps", "步数"), QStringLiteral("步数"));
    setUiLanguage(Language::english);
    EXPECT_EQ(inUiLanguage("Steps", "步数"), QStringLiteral("Steps"));
    setUiLanguage(Language::chinese);
    EXPECT_EQ(inUiLanguage("Steps", ""), QStringLiteral("Steps")) << "a missing translation falls back";
    setUiLanguage(Language::english);
    QLocale::setDefault(before);
}

}  // namespace
}  // namespace unmask::ui
