// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_page.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/widgets/segmented_control.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class SettingsPageTest : public test::PageFixture {
 protected:
    SettingsPageTest() {
        openStore();
        m_page = std::make_unique<SettingsPage>(services());
        m_page->show();
    }
    QComboBox* language() const { return m_page->findChild<QComboBox*>(QStringLiteral("languageBox")); }
    SegmentedControl* theme() const { return m_page->findChild<SegmentedControl*>(QStringLiteral("themeControl")); }
    QSlider* scale() const { return m_page->findChild<QSlider*>(); }
    QString text(StudioSetting setting) const { return m_settings.text(setting); }
    QPushButton* button(const char* words) const {
        for (QPushButton* one : m_page->findChildren<QPushButton*>())
            if (one->text() == QLatin1String(words))
                return one;
        return nullptr;
    }
    bool says(const QString& words) const {
        for (const QLabel* label : m_page->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    }

    std::unique_ptr<SettingsPage> m_page;
};

TEST_F(SettingsPageTest, EveryChoiceAppliesAtOnce) {
    language()->setCurrentIndex(language()->findData(QStringLiteral("zh_CN")));
    Q_EMIT language()->activated(language()->currentIndex());
    EXPECT_EQ(text(StudioSetting::language), QStringLiteral("zh_CN"));
    theme()->setCurrent(2);
    EXPECT_EQ(text(StudioSetting::theme), QStringLiteral("dark"));
    scale()->setValue(15);
    EXPECT_EQ(m_settings.get<int>(StudioSetting::fontScale), 150);
    EXPECT_TRUE(says(QStringLiteral("150 %")));
}

TEST_F(SettingsPageTest, AChangeMadeElsewhereIsShownAndNotWrittenBack) {
    m_settings.set(StudioSetting::theme, QStringLiteral("light"));
    m_settings.set(StudioSetting::fontScale, 113);  // by hand in the file
    EXPECT_EQ(theme()->current(), 1);
    EXPECT_TRUE(says(QStringLiteral("113 %")));
    EXPECT_EQ(m_settings.get<int>(StudioSetting::fontScale), 113);
}

TEST_F(SettingsPageTest, ResetBringsTheDefaultsBackAndKeepsTheForm) {
    m_settings.set(StudioSetting::lastForm, QByteArray("typed"));
    m_settings.set(StudioSetting::theme, QStringLiteral("dark"));
    m_settings.set(StudioSetting::runsFolder, QString::fromStdString(m_folder.path().string()));
    button("Reset this page")->click();
    EXPECT_EQ(text(StudioSetting::theme), QStringLiteral("system"));
    EXPECT_TRUE(text(StudioSetting::runsFolder).isEmpty());
    EXPECT_EQ(theme()->current(), 0);
    EXPECT_EQ(m_settings.get<QByteArray>(StudioSetting::lastForm), QByteArray("typed"));
}

TEST_F(SettingsPageTest, TheFolderOfNewRunsIsShownAsItIs) {
    const QString odd = QString::fromStdString((m_folder.path() / " 训练 runs ").string());
    m_settings.set(StudioSetting::runsFolder, odd);
    EXPECT_EQ(m_page->findChild<QLineEdit*>()->text(), odd);
}

TEST_F(SettingsPageTest, TheHistoryIsCountedAndMayBeRebuilt) {
    addRun("poems", JournalText().started("poems").losses(1, 9));
    m_page->entered();
    ASSERT_TRUE(waitFor([&] { return says(QStringLiteral("1 run(s), index of")); }));
    auto* rebuild = m_page->findChild<QPushButton*>(QStringLiteral("rebuildButton"));
    rebuild->click();
    EXPECT_FALSE(rebuild->isEnabled());
    EXPECT_TRUE(waitFor([&] { return says(QStringLiteral("1 run(s) read.")); }));
    EXPECT_TRUE(rebuild->isEnabled());
}

TEST_F(SettingsPageTest, SpeaksChinese) {
    const test::ChineseWords chinese;
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        if (label->isVisible() && !label->text().isEmpty() && !label->text().endsWith(QLatin1Char('%')) &&
            !label->text().startsWith(QStringLiteral("Unmask"))) {
            EXPECT_TRUE(test::isChinese(label->text())) << label->text().toStdString();
        }
    EXPECT_TRUE(test::isChinese(language()->itemText(0)));
    EXPECT_EQ(language()->itemText(1), QStringLiteral("English")) << "a language is named in itself";
}

}  // namespace
}  // namespace unmask::ui
