// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_pane.h"

#include <QFormLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <limits>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class RunPaneTest : public test::PageFixture {
 protected:
    RunPaneTest() {
        openStore();
        m_key = addRun("poems", JournalText().started("poems").losses(1, 9));
        m_other = addRun("other", JournalText().started("other").losses(1, 9));
        m_actions = std::make_unique<RunActions>(services());
        m_pane = std::make_unique<RunPane>(m_actions.get());
    }
    QString fact(const char* name) const {
        auto* facts = m_pane->findChild<QFormLayout*>();
        for (int i = 0; facts && i < facts->rowCount(); ++i)
            if (qobject_cast<QLabel*>(facts->itemAt(i, QFormLayout::LabelRole)->widget())->text() ==
                QString::fromUtf8(name)) {
                QWidget* value = facts->itemAt(i, QFormLayout::FieldRole)->widget();
                const auto* label = qobject_cast<QLabel*>(value);
                return label ? label->text() : qobject_cast<ElidedLabel*>(value)->text();
            }
        return QStringLiteral("there is no such fact");
    }
    QString allText() const {
        QStringList texts;
        for (const QLabel* label : m_pane->findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(QLatin1Char('\n'));
    }
    QPushButton* button(const char* text) const {
        for (QPushButton* button : m_pane->findChildren<QPushButton*>())
            if (button->text() == QLatin1String(text))
                return button;
        return nullptr;
    }
    QPlainTextEdit* note() const { return m_pane->findChild<QPlainTextEdit*>(); }
    bool historyHasNote(const QString& key, const char* text) {
        return waitFor([&] { return row(key).note == QLatin1String(text); }, 5000);
    }

    QString m_key, m_other;
    std::unique_ptr<RunActions> m_actions;
    std::unique_ptr<RunPane> m_pane;
};

TEST_F(RunPaneTest, TellsOfARunWhatItsJournalSays) {
    m_pane->show(row(m_key));
    EXPECT_TRUE(m_pane->isVisible());
    EXPECT_TRUE(allText().contains(QStringLiteral("a run")));  // its name
    EXPECT_EQ(fact("Loss"), QStringLiteral("100.0"));
    EXPECT_EQ(fact("Parameters"), numbers::count(123456));
    EXPECT_EQ(fact("Device"), QStringLiteral("CPU, 2 threads"));
    EXPECT_EQ(fact("Computer"), QStringLiteral("testhost"));
    EXPECT_TRUE(fact("Data").contains(QStringLiteral("poems"))) << fact("Data").toStdString();
    EXPECT_EQ(fact("Folder"), row(m_key).folder);
    EXPECT_EQ(m_pane->findChild<StateBadge*>()->state(), QStringLiteral("interrupted"));
    m_pane->show(std::nullopt);
    EXPECT_TRUE(m_pane->isHidden());
}

TEST_F(RunPaneTest, LongWordsAndPathsDoNotPushThePanesEdgeOutOfSight) {
    RunRow run = row(m_key);
    run.name = run.dataName = QString(60, QLatin1Char('w'));
    run.folder = QStringLiteral("/home/") + QString(80, QLatin1Char('p')) + QStringLiteral("/last");
    m_pane->resize(Style::instance().px(19), Style::instance().px(50));
    m_pane->show(run);
    const auto* scroll = m_pane->findChild<QScrollArea*>();
    ASSERT_TRUE(waitFor([&] { return scroll->widget()->isVisible(); }));
    EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width());
    const auto* folder = m_pane->findChild<ElidedLabel*>();
    EXPECT_TRUE(folder->elided());
    EXPECT_EQ(folder->toolTip(), run.folder);
    for (const QLabel* label : m_pane->findChildren<QLabel*>()) {
        if (label->text() != fact("Device"))
            continue;
        EXPECT_GE(label->width(), label->fontMetrics().horizontalAdvance(label->text()));
    }
}

TEST_F(RunPaneTest, WhatIsNotKnownIsADashAndNeverZero) {
    RunRow bare;
    bare.key = bare.id = QStringLiteral("bare");
    m_pane->show(bare);
    for (const char* name : {"Loss", "Best validation loss", "Architecture", "Parameters", "Learning rate", "Batch",
                             "Device", "Computer", "Trained", "Started"})
        EXPECT_EQ(fact(name), numbers::unknown()) << name;
    EXPECT_TRUE(allText().contains(QStringLiteral("bare")));  // the id stands in for the name
    bare.last["train/loss"] = std::numeric_limits<double>::quiet_NaN();
    m_pane->show(bare);
    EXPECT_FALSE(fact("Loss").contains(QLatin1Char('0'))) << fact("Loss").toStdString();
}

TEST_F(RunPaneTest, TheReasonIsTheEnginesElseWhatTheStateMeans) {
    RunRow failed = row(m_key);
    failed.status.word = RunWord::failed;
    failed.endReason = QStringLiteral("the disk is full");
    m_pane->show(failed);
    EXPECT_TRUE(allText().contains(QStringLiteral("the disk is full")));
    EXPECT_TRUE(button("Resume")->isEnabled());
    failed.status.word = RunWord::finished;
    failed.endReason.clear();
    m_pane->show(failed);
    EXPECT_FALSE(allText().contains(QStringLiteral("the disk is full")));
    EXPECT_FALSE(button("Resume")->isEnabled());
}

TEST_F(RunPaneTest, TheButtonsActOnTheRunThatIsShown) {
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    m_pane->show(row(m_key));
    m_pane->show(row(m_other));
    button("Open live")->click();
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), m_other);
    engineAnswers("{}");
    button("Resume")->click();
    ASSERT_TRUE(waitFor([&] { return !engineArguments().empty(); }));
    EXPECT_NE(engineArguments().find(row(m_other).folder.toStdString()), std::string::npos) << engineArguments();
}

TEST_F(RunPaneTest, ANoteIsKeptWithItsRunWhenAnotherIsChosen) {
    m_pane->show(row(m_key));
    note()->setPlainText(QStringLiteral("lower rate"));
    m_pane->show(row(m_other));
    EXPECT_TRUE(note()->toPlainText().isEmpty());
    EXPECT_TRUE(historyHasNote(m_key, "lower rate"));
    EXPECT_TRUE(row(m_other).note.isEmpty());
    m_pane->show(row(m_key));
    EXPECT_EQ(note()->toPlainText(), QStringLiteral("lower rate"));
}

TEST_F(RunPaneTest, ANoteIsKeptWhenPeopleTurnToSomethingElse) {
    m_pane->show(row(m_key));
    m_pane->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_pane.get()));
    note()->setFocus();
    QTest::keyClicks(note(), QStringLiteral("first"));
    button("Open live")->setFocus();
    EXPECT_TRUE(historyHasNote(m_key, "first"));
    note()->setPlainText(QStringLiteral("second"));
    m_pane->hide();  // another page, or the window is closed
    EXPECT_TRUE(historyHasNote(m_key, "second"));
}

// A running run's row is new every second.
TEST_F(RunPaneTest, NewFiguresDoNotWipeANoteThatIsBeingWritten) {
    RunRow running = row(m_key);
    m_pane->show(running);
    note()->setPlainText(QStringLiteral("half a sen"));
    for (const int step : {10, 11}) {
        running.status.step = step;
        m_pane->show(running);
        EXPECT_EQ(note()->toPlainText(), QStringLiteral("half a sen"));
    }
    EXPECT_TRUE(fact("Step").contains(QStringLiteral("11")));
}

TEST_F(RunPaneTest, ANoteWrittenElsewhereIsShown) {
    RunRow changed = row(m_key);
    m_pane->show(changed);
    changed.note = QStringLiteral("from the other window");
    m_pane->show(changed);
    EXPECT_EQ(note()->toPlainText(), changed.note);
}

TEST_F(RunPaneTest, SpeaksChinese) {
    m_pane->show(row(m_key));
    const test::ChineseWords chinese;
    EXPECT_EQ(fact("Loss"), QStringLiteral("there is no such fact"));
    EXPECT_EQ(fact("设备"), QStringLiteral("CPU，2 个线程"));
    for (const QPushButton* button : m_pane->findChildren<QPushButton*>())
        EXPECT_TRUE(test::isChinese(button->text())) << button->text().toStdString();
    EXPECT_TRUE(test::isChinese(note()->placeholderText()));
}

}  // namespace
}  // namespace unmask::ui
