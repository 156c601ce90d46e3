// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/setting_text.h"

#include <gtest/gtest.h>

#include <QLocale>

#include "engine/base/text.h"
#include "ui/style/language.h"

namespace unmask::ui {
namespace {

const Setting& rate() {
    return settingAt(QStringLiteral("optimizer.learning_rate"));
}
const Setting& steps() {
    return settingAt(QStringLiteral("training.steps"));
}
const Setting& interval() {
    return settingAt(QStringLiteral("checkpoint.checkpoint_interval"));
}

TEST(SettingText, EveryDefaultReadsBackToItself) {
    for (const QLocale& locale : {QLocale(QLocale::English), QLocale(QLocale::German), QLocale(QLocale::Chinese)}) {
        QLocale::setDefault(locale);
        for (const Setting& setting : allSettings()) {
            const QString text = textOfValue(setting, setting.defaultValue);
            const ParsedText parsed = parseSettingText(setting, text);
            ASSERT_TRUE(parsed.value) << setting.path << " " << text.toStdString() << " "
                                      << parsed.complaint.toStdString();
            RunSpec spec;
            EXPECT_TRUE(setSetting(spec, setting.path, *parsed.value).ok()) << setting.path;
            EXPECT_EQ(getSetting(spec, setting.path), setting.defaultValue) << setting.path;
            EXPECT_FALSE(shownValue(setting, setting.defaultValue).isEmpty()) << setting.path;
        }
    }
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

TEST(SettingText, NumbersInEachWayOfWriting) {
    for (const char* text : {"3e-4", "0.0003", " 3E-4 "})
        EXPECT_EQ(parseSettingText(rate(), QString::fromLatin1(text)).value, Json(0.0003)) << text;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(parseSettingText(rate(), QStringLiteral("0,0003")).value, Json(0.0003));
    EXPECT_EQ(parseSettingText(rate(), QStringLiteral("0.0003")).value, Json(0.0003));
    EXPECT_EQ(textOfValue(rate(), Json(0.00125)).toStdString(), "0,00125");
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    EXPECT_EQ(parseSettingText(steps(), QStringLiteral("1e3")).value, Json(1000));
}

TEST(SettingText, ComplaintsAreSentences) {
    EXPECT_EQ(parseSettingText(steps(), QStringLiteral("many")).complaint.toStdString(),
              "“many” is not a whole number.");
    EXPECT_EQ(parseSettingText(steps(), QStringLiteral("2.5")).complaint.toStdString(), "“2.5” is not a whole number.");
    EXPECT_EQ(parseSettingText(steps(), QStringLiteral("0")).complaint.toStdString(), "Must be at least 1.");
    EXPECT_EQ(parseSettingText(steps(), QStringLiteral("1e15")).complaint.toStdString(), "Must be at most 1.00 T.");
    EXPECT_EQ(parseSettingText(steps(), {}).complaint.toStdString(), "A number is needed here.");
    EXPECT_EQ(parseSettingText(rate(), QStringLiteral("x")).complaint.toStdString(), "“x” is not a number.");
}

TEST(SettingText, IntervalsKeepAmountAndUnit) {
    for (const char* text : {"500", "30s", "10min", "2h", "1epoch", "never"}) {
        const QString typed = QString::fromLatin1(text);
        EXPECT_EQ(joinInterval(splitInterval(typed)), typed) << text;
        EXPECT_TRUE(parseSettingText(interval(), typed).value) << text;
    }
    EXPECT_EQ(splitInterval(QStringLiteral("1 epochs")).unit, IntervalUnit::epochs);
    EXPECT_EQ(shownValue(interval(), Json("10min")).toStdString(), "10 minutes");
    for (const char* text : {"", "min", "xmin", "-5", "0", "2.5"})
        EXPECT_FALSE(parseSettingText(interval(), QString::fromLatin1(text)).value) << text;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    EXPECT_EQ(parseSettingText(interval(), QStringLiteral("1,5h")).value, Json("1.5h"));
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
}

TEST(SettingText, LabelsAndHelpInBothLanguages) {
    for (const Setting& setting : allSettings()) {
        EXPECT_FALSE(setting.info.label.en.empty() || setting.info.label.zh.empty()) << setting.path;
        EXPECT_FALSE(setting.info.help.en.empty() || setting.info.help.zh.empty()) << setting.path;
    }
    setUiLanguage(Language::chinese);
    EXPECT_EQ(settingLabel(steps()), QStringLiteral("步数"));
    setUiLanguage(Language::english);
}

TEST(SettingText, UnknownPathIsAProgrammersMistake) {
    EXPECT_THROW(settingAt(QStringLiteral("training.stepz")), Error);
}

}  // namespace
}  // namespace unmask::ui
