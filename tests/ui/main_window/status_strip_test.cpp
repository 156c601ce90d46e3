// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/status_strip.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class StatusStripTest : public test::PageFixture {
 protected:
    StatusStripTest() {
        openStore();
        m_strip = std::make_unique<StatusStrip>(services());
        m_strip->show();
    }
    QString addActive(const std::string& id) {  // half a second a step
        return addActiveRun(id, JournalText().started(id).losses(1, 100));
    }
    QList<QPushButton*> buttons() const {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return m_strip->findChildren<QPushButton*>();
    }
    bool says(const QString& words) const {
        for (const QLabel* label : m_strip->findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    }

    std::unique_ptr<StatusStrip> m_strip;
};

TEST_F(StatusStripTest, SaysThatNothingTrainsAndHowMuchDiskIsLeft) {
    EXPECT_TRUE(says(QStringLiteral("Nothing is training")));
    EXPECT_TRUE(buttons().isEmpty());
    EXPECT_TRUE(waitFor([&] { return says(QStringLiteral("free for runs")); }));
}

TEST_F(StatusStripTest, AnActiveRunShowsStepAndTimeLeftAndLeadsToLive) {
    addRun("old", JournalText().started("old").losses(1, 5).finished(5));
    const QString key = addActive("active");
    ASSERT_TRUE(waitFor([&] { return buttons().size() == 1 && says(QStringLiteral("1 run(s) active")); }));
    EXPECT_TRUE(buttons()[0]->text().contains(QStringLiteral("100 / 1,000"))) << buttons()[0]->text().toStdString();
    EXPECT_TRUE(buttons()[0]->text().contains(QStringLiteral("8 min"))) << buttons()[0]->text().toStdString();
    QSignalSpy live(&m_navigator, &Navigator::liveRequested);
    buttons()[0]->click();
    ASSERT_EQ(live.size(), 1);
    EXPECT_EQ(live[0][0].toString(), key);
}

TEST_F(StatusStripTest, OfManyActiveRunsThreeAreNamedAndAllAreCounted) {
    for (const char* id : {"r1", "r2", "r3", "r4"})
        addActive(id);
    ASSERT_TRUE(waitFor([&] { return says(QStringLiteral("4 run(s) active")); }));
    EXPECT_EQ(buttons().size(), 3);
}

TEST_F(StatusStripTest, SpeaksChinese) {
    addActive("active");
    ASSERT_TRUE(waitFor([&] { return buttons().size() == 1 && says(QStringLiteral("free for runs")); }));
    const test::ChineseWords chinese;
    for (const QLabel* label : m_strip->findChildren<QLabel*>())
        EXPECT_TRUE(test::isChinese(label->text())) << label->text().toStdString();
    EXPECT_TRUE(test::isChinese(buttons()[0]->text())) << buttons()[0]->text().toStdString();
}

}  // namespace
}  // namespace unmask::ui
