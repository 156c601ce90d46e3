// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/main_window.h"

#include <QDragEnterEvent>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTest>
#include <QUrl>

#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"
#include "ui/pages/live_page.h"
#include "ui/pages/new_run_page.h"
#include "ui/style/style.h"
#include "ui/widgets/rail_button.h"

namespace unmask::ui {
namespace {

using test::JournalText;
using test::waitFor;

class MainWindowTest : public test::PageFixture {
 protected:
    MainWindowTest() {
        openStore();
        openWindow();
    }
    void openWindow() {
        m_window = std::make_unique<MainWindow>(services());
        m_window->show();
        m_window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(m_window.get()));
    }
    void addActive() { addActiveRun("active", JournalText().started("active").losses(1, 9)); }
    QMessageBox* question() const { return m_window->findChild<QMessageBox*>(QStringLiteral("closeQuestion")); }

    std::unique_ptr<MainWindow> m_window;
};

TEST_F(MainWindowTest, TheFirstTimeTheFormIsShownAndKeysLeadToEveryRoom) {
    EXPECT_EQ(m_window->currentPage(), PageId::newRun);
    const PageId pages[] = {PageId::runs, PageId::newRun, PageId::live, PageId::compare, PageId::settings};
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(m_window.get(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        EXPECT_EQ(m_window->currentPage(), pages[i]) << "Ctrl+" << i + 1;
    }
}

TEST_F(MainWindowTest, TheRoomThatWasLeftIsTheOneToComeBackTo) {
    m_window->showPage(PageId::settings);
    EXPECT_TRUE(m_window->close());
    openWindow();
    EXPECT_EQ(m_window->currentPage(), PageId::settings);
}

TEST_F(MainWindowTest, PagesLeadToEachOther) {
    const QString key = addRun("poems", JournalText().started("poems").losses(1, 9));
    Q_EMIT m_navigator.liveRequested(key);
    EXPECT_EQ(m_window->currentPage(), PageId::live);
    EXPECT_TRUE(waitFor([&] { return m_window->livePage().session().row().key == key; }));
    Q_EMIT m_navigator.compareRequested({key});
    EXPECT_EQ(m_window->currentPage(), PageId::compare);
    RunSpec spec;
    spec.training.steps = 4321;
    Q_EMIT m_navigator.newRunRequested({spec, QStringLiteral("Settings of somewhere")});
    EXPECT_EQ(m_window->currentPage(), PageId::newRun);
    EXPECT_EQ(m_window->newRunPage().draft().spec().training.steps, 4321);
}

TEST_F(MainWindowTest, ClosingWhileARunTrainsAsksOnceAndSaysThatItGoesOn) {
    addActive();
    EXPECT_FALSE(m_window->close());
    ASSERT_TRUE(question());
    EXPECT_TRUE(question()->text().contains(QStringLiteral("1 run(s) continue"))) << question()->text().toStdString();
    EXPECT_EQ(question()->defaultButton()->objectName(), QStringLiteral("closeButton"));
    question()->reject();
    EXPECT_TRUE(m_window->isVisible());
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_FALSE(m_window->close());
    question()->defaultButton()->click();
    EXPECT_TRUE(waitFor([&] { return !m_window->isVisible(); }));
}

TEST_F(MainWindowTest, ClosingWithNothingActiveAsksNothing) {
    const QString key = addRun("old", JournalText().started("old").losses(1, 9).finished(9));
    ASSERT_TRUE(waitFor([&] { return row(key).status.word == RunWord::finished; }));
    EXPECT_TRUE(m_window->close());
    EXPECT_EQ(question(), nullptr);
}

TEST_F(MainWindowTest, ADroppedRunFolderIsShownAndADroppedTextBecomesTheData) {
    const RunFolder run = test::writeRun(m_folder.path() / "elsewhere", "run", JournalText().started().losses(1, 9));
    const auto drop = [this](const std::filesystem::path& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
    };
    drop(run.path);
    ASSERT_TRUE(waitFor([&] { return m_window->currentPage() == PageId::live; }));
    const auto text = m_folder.path() / "训练 数据.txt";
    test::writeBytes(text, "words");
    drop(text);
    ASSERT_TRUE(waitFor([&] { return m_window->currentPage() == PageId::newRun; }));
    EXPECT_EQ(m_window->newRunPage().draft().spec().data.files, std::vector<std::string>{text.string()});
}

TEST_F(MainWindowTest, KeysMakeTheTextLargerAndSmaller) {
    const int before = m_settings.get<int>(StudioSetting::fontScale);
    QTest::keyClick(m_window.get(), Qt::Key_Equal, Qt::ControlModifier);
    EXPECT_EQ(m_settings.get<int>(StudioSetting::fontScale), before + 10);
    QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
    QTest::keyClick(m_window.get(), Qt::Key_Minus, Qt::ControlModifier);
    EXPECT_EQ(m_settings.get<int>(StudioSetting::fontScale), before - 10);
}

TEST_F(MainWindowTest, TheWindowMayBeAsSmallAsItFirstIsWhateverItShows) {
    const QString key = addRun("a-name-as-long-as-the-engine-gives", JournalText().started("run").losses(1, 900));
    Q_EMIT m_navigator.compareRequested({key});
    Q_EMIT m_navigator.liveRequested(key);
    ASSERT_TRUE(waitFor([&] { return m_window->livePage().session().row().key == key; }));
    const QSize first(Style::instance().px(92), Style::instance().px(58));
    const auto fits = [&] {
        QCoreApplication::processEvents();
        const QSize least = m_window->minimumSizeHint();
        EXPECT_LE(least.width(), first.width());
        EXPECT_LE(least.height(), first.height());
    };
    fits();
    const test::ChineseWords chinese;
    fits();
}

TEST_F(MainWindowTest, TheRoomsAndTheQuestionAreNamedInChinese) {
    addActive();
    const test::ChineseWords chinese;
    m_window->close();
    ASSERT_TRUE(question());
    EXPECT_TRUE(test::isChinese(question()->text()));
    for (const QAbstractButton* button : question()->buttons())
        EXPECT_TRUE(test::isChinese(button->text())) << button->text().toStdString();
    int rooms = 0;
    for (const RailButton* button : m_window->findChildren<RailButton*>())
        rooms += test::isChinese(button->text());
    EXPECT_GE(rooms, 5);
}

}  // namespace
}  // namespace unmask::ui
