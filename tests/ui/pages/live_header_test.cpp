// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_header.h"

#include <QLabel>
#include <QLayout>
#include <QProgressBar>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/style/numbers.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class LiveHeaderTest : public test::PageFixture {
 protected:
    void open(const JournalText& journal) {
        openWith(journal);
        m_header = std::make_unique<LiveHeader>(m_session.get());
        m_header->show();
    }
    void engineIsAt(int64_t step, RunWord word = RunWord::running) {
        m_engine.word = word;
        m_engine.state(step);
        ASSERT_TRUE(waitFor([&] { return m_session->status().step == step && m_session->status().word == word; }));
    }
    StatTile* tile(const char* name) const { return m_header->findChild<StatTile*>(QLatin1String(name)); }
    QString textOf(const QWidget* part) const {  // all that is written in it
        QStringList texts;
        for (const QLabel* label : part->findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(QLatin1Char('\n'));
    }
    QString all() const { return textOf(m_header.get()); }
    QString where() const { return m_header->findChild<ElidedLabel*>(QStringLiteral("liveWhere"))->text(); }

    std::unique_ptr<LiveHeader> m_header;
};

TEST_F(LiveHeaderTest, ALongNameIsShortenedAndDoesNotWidenTheWindow) {
    open(JournalText().started().losses(1, 10));
    const int width = m_header->minimumSizeHint().width();
    auto* name = m_header->findChild<ElidedLabel*>(QStringLiteral("liveName"));
    name->setText(QStringLiteral("a name ").repeated(40));
    m_header->layout()->activate();
    EXPECT_EQ(m_header->minimumSizeHint().width(), width);
    m_header->resize(width + 300, 200);
    m_header->show();
    EXPECT_TRUE(name->elided());
}

TEST_F(LiveHeaderTest, TellsNameStatePlaceAndTheNewestFigures) {
    open(JournalText().started().losses(1, 99).metrics(100, {{"train/loss", 2.5}, {"validation/loss", 2.75}}));
    engineIsAt(100);
    EXPECT_EQ(m_header->findChild<ElidedLabel*>(QStringLiteral("liveName"))->text(), QStringLiteral("a run"));
    EXPECT_EQ(m_header->findChild<StateBadge*>()->state(), QStringLiteral("running"));
    EXPECT_TRUE(waitFor([&] { return where().contains(QStringLiteral("testhost")); })) << where().toStdString();
    EXPECT_TRUE(where().contains(QStringLiteral("CPU, 2 threads"))) << where().toStdString();
    EXPECT_EQ(tile("stepTile")->value(), QStringLiteral("100 / 1,000"));
    EXPECT_EQ(tile("lossTile")->value(), numbers::loss(2.5));
    EXPECT_TRUE(all().contains(numbers::loss(2.75)));
    EXPECT_TRUE(all().contains(numbers::count(1000.0))) << "tokens";
    const auto* bar = m_header->findChild<QProgressBar*>();
    EXPECT_EQ(bar->value() * 10, bar->maximum());
    EXPECT_EQ(tile("leftTile")->value(), numbers::duration(900 * 0.5)) << "half a second a step";
}

TEST_F(LiveHeaderTest, NewFiguresReachTheTiles) {
    open(JournalText().started().losses(1, 40));
    engineIsAt(40);
    sayNew([](JournalText& journal) { journal.metrics(41, {{"train/loss", 1.25}}).checkpoint(41); });
    engineIsAt(41);
    EXPECT_TRUE(waitFor([&] { return tile("lossTile")->value() == numbers::loss(1.25); }));
    EXPECT_TRUE(waitFor([&] { return all().contains(QStringLiteral("step 41")); })) << "the last checkpoint";
}

TEST_F(LiveHeaderTest, WhatIsUnknownIsADashAndNeverZero) {
    open(JournalText().started());
    engineIsAt(0, RunWord::starting);
    EXPECT_FALSE(tile("lossTile")->value().contains(QLatin1Char('0'))) << tile("lossTile")->value().toStdString();
    EXPECT_TRUE(textOf(tile("lossTile")).contains(numbers::unknown()));
    EXPECT_TRUE(all().contains(QStringLiteral("none yet"))) << "checkpoints";
}

TEST_F(LiveHeaderTest, TimeLeftIsEstimatedOnlyFromEnoughSteps) {
    open(JournalText().started().losses(1, 5));
    engineIsAt(5);
    EXPECT_EQ(tile("leftTile")->value(), QStringLiteral("Estimating…"));
    engineIsAt(5, RunWord::stopped);
    EXPECT_EQ(tile("leftTile")->value(), numbers::duration(2.5)) << "time trained";
    EXPECT_TRUE(textOf(tile("leftTile")).contains(QStringLiteral("Time trained")));
}

TEST_F(LiveHeaderTest, FiguresOfACutLinkSayAsOfWhen) {
    open(JournalText().started().losses(1, 40));
    engineIsAt(40);
    EXPECT_FALSE(all().contains(QStringLiteral("as of")));
    m_engine.die();
    ASSERT_TRUE(waitFor([&] { return m_session->linkStatus().word == LinkWord::reconnecting; }));
    EXPECT_TRUE(textOf(tile("lossTile")).contains(QStringLiteral("as of"))) << textOf(tile("lossTile")).toStdString();
    EXPECT_EQ(tile("lossTile")->value(), numbers::loss(1000.0 / 41)) << "the figure stays";
    EXPECT_TRUE(where().contains(QStringLiteral("reconnecting")));
}

TEST_F(LiveHeaderTest, SpeaksChinese) {
    open(JournalText().started().losses(1, 40).checkpoint(40));
    engineIsAt(40);
    const test::ChineseWords chinese;
    for (const char* name : {"stepTile", "lossTile", "leftTile"}) {
        EXPECT_TRUE(test::isChinese(textOf(tile(name)))) << textOf(tile(name)).toStdString();
    }
    EXPECT_TRUE(test::isChinese(m_header->findChild<QProgressBar*>()->accessibleName()));
    EXPECT_FALSE(all().contains(QStringLiteral("Loss")));
}

}  // namespace
}  // namespace unmask::ui
