// SPDX-License-Identifier: Apache-2.0
// The window speaks Chinese for as long as one of these lives, with the studio's own translation file.
#pragma once

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTranslator>

#include "ui/style/language.h"

namespace unmask::test {

class ChineseWords {
 public:
    ChineseWords() {
        EXPECT_TRUE(m_words.load(QStringLiteral(UNMASK_BINARY_DIR "/app/i18n/unmask_zh_CN.qm")));
        ui::setUiLanguage(ui::Language::chinese);
        QCoreApplication::installTranslator(&m_words);
        QCoreApplication::processEvents();  // widgets learn of it by an event
    }
    ~ChineseWords() {
        ui::setUiLanguage(ui::Language::english);
        QCoreApplication::removeTranslator(&m_words);
        QCoreApplication::processEvents();
    }
    ChineseWords(const ChineseWords&) = delete;
    ChineseWords& operator=(const ChineseWords&) = delete;

 private:
    QTranslator m_words;
};

inline bool isChinese(const QString& text) {
    return std::any_of(text.begin(), text.end(),
                       [](QChar c) { return c.unicode() >= 0x4E00 && c.unicode() <= 0x9FFF; });
}

}  // namespace unmask::test
