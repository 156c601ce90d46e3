// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/samples_tab.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

#include "tests/ui/models/session_fixture.h"

namespace unmask::ui {
namespace {

class SamplesTabTest : public test::SessionFixture {};

TEST_F(SamplesTabTest, TheNewestSampleComesFirstAndIsShownAsItWasWritten) {
    test::JournalText text;
    text.started().losses(1, 10).add(10, SampleEvent{"", "an <b>old</b> one", 1.0});
    openWith(text);
    SamplesTab tab(m_session.get());
    auto* shown = tab.findChild<QTextBrowser*>();
    ASSERT_TRUE(test::waitFor([&] { return shown->toPlainText().contains(QStringLiteral("an <b>old</b> one")); }));
    sayNew([](test::JournalText& journal) { journal.add(20, SampleEvent{"", "a new one", 1.0}); });
    ASSERT_TRUE(test::waitFor([&] { return shown->toPlainText().contains(QStringLiteral("a new one")); }));
    const QString all = shown->toPlainText();
    EXPECT_LT(all.indexOf(QStringLiteral("a new one")), all.indexOf(QStringLiteral("old")));
}

TEST_F(SamplesTabTest, OnlyARunningRunCanBeAsked) {
    test::JournalText text;
    text.started().losses(1, 10);
    openWith(text);
    SamplesTab tab(m_session.get());
    QSignalSpy asked(&tab, &SamplesTab::sampleRequested);
    auto* ask = tab.findChild<QPushButton*>(QStringLiteral("sampleButton"));
    m_engine.state(10);
    ASSERT_TRUE(test::waitFor([&] { return ask->isEnabled(); }));
    ask->click();
    EXPECT_EQ(asked.size(), 1);
    m_engine.word = RunWord::paused;
    m_engine.state(10);
    EXPECT_TRUE(test::waitFor([&] { return !ask->isEnabled(); }));
}

}  // namespace
}  // namespace unmask::ui
