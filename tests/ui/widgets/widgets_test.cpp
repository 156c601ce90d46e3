// SPDX-License-Identifier: Apache-2.0
// What people see and hear of the small widgets.
#include <gtest/gtest.h>

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/style.h"
#include "ui/widgets/architecture_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/problem_label.h"
#include "ui/widgets/rail.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/thin_progress.h"

namespace unmask::ui {
namespace {

constexpr double kGiB = 1073741824.0;

TEST(ArchitectureCard, CardsExcludeEachOtherAndSpeak) {
    QWidget row;
    auto* layout = new QHBoxLayout(&row);
    QList<ArchitectureCard*> cards;
    for (const int layers : {6, 12, 0}) {
        cards << new ArchitectureCard(&row);
        cards.last()->setFacts(
            {QStringLiteral("base %1").arg(layers), QStringLiteral("12 × 768"), {}, {}, layers, 768});
        layout->addWidget(cards.last());
    }
    row.show();
    cards[0]->setChecked(true);
    QTest::mouseClick(cards[1], Qt::LeftButton);
    EXPECT_FALSE(cards[0]->isChecked());
    EXPECT_TRUE(cards[1]->isChecked());
    row.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&row));
    cards[1]->setFocus();
    QTest::keyClick(cards[1], Qt::Key_Right);
    EXPECT_TRUE(cards[2]->isChecked()) << "arrow keys choose";
    EXPECT_EQ(cards[1]->accessibleName().toStdString(), "base 12, 12 × 768");
    EXPECT_NE(cards[1]->grab().toImage(), cards[2]->grab().toImage());
}

TEST(StatTile, UnknownIsADashAndStaleSaysSince) {
    StatTile tile(QStringLiteral("Temperature"));
    EXPECT_EQ(tile.value(), QStringLiteral("–"));
    EXPECT_EQ(tile.accessibleName().toStdString(), "Temperature: unknown");
    tile.setValue(QStringLiteral("71 °C"));
    EXPECT_EQ(tile.accessibleName().toStdString(), "Temperature: 71 °C");
    tile.setDetail(QStringLiteral("of 90 °C"));
    tile.setStale(QStringLiteral("as of 14:21:07"));
    EXPECT_EQ(tile.accessibleDescription().toStdString(), "as of 14:21:07");
    tile.setStale({});
    EXPECT_EQ(tile.accessibleDescription().toStdString(), "of 90 °C");
    tile.setValue({});
    EXPECT_EQ(tile.value(), QStringLiteral("–"));
}

TEST(StateBadge, EveryStateHasAWordAndItsOwnPicture) {
    QList<QImage> seen;
    for (const char* state :
         {"queued", "running", "paused", "finished", "stopped", "failed", "interrupted", "stalled"}) {
        StateBadge badge;
        badge.setState(QString::fromLatin1(state));
        badge.resize(badge.sizeHint());
        EXPECT_NE(lookOfState(QString::fromLatin1(state)).word, QString::fromLatin1(state)) << "a word for people";
        EXPECT_FALSE(badge.accessibleName().isEmpty());
        const QImage picture = badge.grab().toImage();
        EXPECT_FALSE(seen.contains(picture)) << state;
        seen << picture;
    }
    EXPECT_EQ(lookOfState(QStringLiteral("dreaming")).word, QStringLiteral("dreaming"));
    EXPECT_FALSE(stateIcon(QStringLiteral("running"), 20).isNull());
}

TEST(MemoryBar, SaysWhatItShows) {
    MemoryBar bar;
    MemoryParts parts;
    parts.weights = 10 * kGiB;
    parts.gradients = 5 * kGiB;
    parts.activations = 20 * kGiB;
    parts.capacity = 80 * kGiB;
    bar.setParts(parts);
    EXPECT_EQ(bar.summary().toStdString(),
              "35.0 GiB of 80.0 GiB needed: weights 10.0 GiB, gradients 5.00 GiB, activations 20.0 GiB");
    EXPECT_EQ(bar.accessibleName(), bar.summary());
    const QImage fits = bar.grab().toImage();
    parts.others = 60 * kGiB;
    bar.setParts(parts);
    EXPECT_FALSE(parts.fits());
    EXPECT_TRUE(bar.summary().startsWith(QLatin1String("Does not fit.")));
    EXPECT_NE(bar.grab().toImage(), fits);
    parts.capacity = 0;
    EXPECT_TRUE(parts.fits()) << "unknown capacity refuses nothing";
    EXPECT_GT(bar.heightForWidth(150), bar.heightForWidth(900)) << "the legend wraps";
}

TEST(ElidedLabel, ShortensAndKeepsTheWholeInTheTooltip) {
    ElidedLabel label;
    label.setText(QStringLiteral("a run with a very long name that cannot fit into so little room"));
    label.resize(80, 20);
    label.show();
    EXPECT_TRUE(label.elided());
    EXPECT_EQ(label.toolTip(), label.text());
    label.resize(2000, 20);
    EXPECT_TRUE(label.toolTip().isEmpty());
}

TEST(ElidedLabel, TitlesAndCaptionsTakeTheRoomOfTheirOwnLetters) {
    ElidedLabel plain, title, caption;
    setRole(&title, "title");
    setRole(&caption, "caption");
    for (ElidedLabel* label : {&plain, &title, &caption})
        label->setText(QStringLiteral("a name of a run"));
    EXPECT_GT(title.sizeHint().width(), plain.sizeHint().width());
    EXPECT_GT(title.sizeHint().height(), plain.sizeHint().height());
    EXPECT_LT(caption.sizeHint().width(), plain.sizeHint().width());
}

TEST(ProblemLabel, TakesNoRoomWhileAllIsWell) {
    QWidget parent;
    auto* layout = new QVBoxLayout(&parent);
    auto* label = new ProblemLabel;
    layout->addWidget(label);
    parent.show();
    EXPECT_FALSE(label->isVisible());
    label->setProblem(ProblemKind::error, QStringLiteral("5 heads do not divide 768."));
    EXPECT_TRUE(label->isVisible());
    EXPECT_EQ(label->accessibleName(), label->sentence());
    label->clear();
    EXPECT_FALSE(label->isVisible());
}

TEST(ThinProgress, WaitsBeforeItShowsAndOffersCancelLater) {
    ThinProgress bar;
    QSignalSpy offered(&bar, &ThinProgress::cancelOffered);
    bar.start(QStringLiteral("Reading runs"));
    QTest::qWait(150);
    EXPECT_FALSE(bar.shown());
    QTest::qWait(300);
    EXPECT_TRUE(bar.shown());
    EXPECT_EQ(bar.accessibleName().toStdString(), "Reading runs");
    EXPECT_TRUE(offered.isEmpty());
    EXPECT_TRUE(offered.wait(2500));
    EXPECT_TRUE(offered[0][0].toBool());
    bar.finish();
    EXPECT_FALSE(offered[1][0].toBool());
    EXPECT_FALSE(bar.shown());
}

TEST(Banner, ShowsActsFoldsAndCloses) {
    Banner banner;
    EXPECT_FALSE(banner.isVisible());
    banner.setActions(QStringLiteral("Resume"));
    banner.showMessage(BannerKind::danger, QStringLiteral("Out of memory on GPU 2."), QStringLiteral("trace"));
    EXPECT_TRUE(banner.isVisible());
    QSignalSpy first(&banner, &Banner::firstRequested);
    QSignalSpy closed(&banner, &Banner::closed);
    for (QPushButton* button : banner.findChildren<QPushButton*>())
        if (button->isVisible())
            button->click();
    EXPECT_EQ(first.size(), 1);
    for (QToolButton* button : banner.findChildren<QToolButton*>())
        button->click();
    EXPECT_EQ(closed.size(), 1);
    EXPECT_FALSE(banner.isVisible());
}

TEST(Toast, LeavesByItself) {
    QWidget window;
    window.resize(600, 400);
    window.show();
    Toast toast(&window);
    toast.showMessage(BannerKind::success, QStringLiteral("Saved"), 80);
    EXPECT_TRUE(toast.isVisible());
    EXPECT_TRUE(window.rect().contains(toast.geometry()));
    QTest::qWait(200);
    EXPECT_FALSE(toast.isVisible());
}

TEST(SegmentedControl, OneIsChosenAndTellsOnce) {
    SegmentedControl control;
    control.setTexts({QStringLiteral("step"), QStringLiteral("tokens"), QStringLiteral("wall")});
    EXPECT_EQ(control.current(), 0);
    QSignalSpy changed(&control, &SegmentedControl::currentChanged);
    control.setCurrent(2);
    control.setCurrent(2);
    EXPECT_EQ(changed.size(), 1);
    control.next();
    EXPECT_EQ(control.current(), 0);
    control.setTexts({QStringLiteral("步"), QStringLiteral("令牌"), QStringLiteral("时钟")});
    EXPECT_EQ(control.findChildren<QToolButton*>().size(), 3) << "another language makes no new buttons";
}

TEST(Rail, ClicksKeysMarks) {
    Rail rail;
    rail.addItem(Icon::runs, QStringLiteral("Runs"));
    rail.addItem(Icon::live, QStringLiteral("Live"));
    rail.addItem(Icon::settings, QStringLiteral("Settings"));
    rail.setItemEnabled(1, false);
    rail.show();
    QSignalSpy changed(&rail, &Rail::currentChanged);
    const auto buttons = rail.findChildren<QAbstractButton*>();
    QTest::mouseClick(buttons[2], Qt::LeftButton);
    EXPECT_EQ(rail.current(), 2);
    QTest::mouseClick(buttons[2], Qt::LeftButton);
    EXPECT_EQ(changed.size(), 1);
    EXPECT_TRUE(buttons[2]->isChecked());
    QTest::keyClick(&rail, Qt::Key_Up);
    EXPECT_EQ(rail.current(), 0) << "what is switched off is passed over";
    rail.setMark(2, RailMark::error, 3);
    EXPECT_EQ(buttons[2]->accessibleName().toStdString(), "Settings, 3 error(s)");
}

TEST(Chip, ClicksAndCloses) {
    Chip chip(QStringLiteral("base-3e4"));
    chip.setClosable(true);
    chip.setLine(Qt::blue, LineMark::triangle);
    chip.resize(chip.sizeHint());
    chip.show();
    QSignalSpy clicked(&chip, &Chip::clicked);
    QSignalSpy closed(&chip, &Chip::closeRequested);
    QTest::mouseClick(&chip, Qt::LeftButton, {}, QPoint(10, chip.height() / 2));
    QTest::mouseClick(&chip, Qt::LeftButton, {}, QPoint(chip.width() - 12, chip.height() / 2));
    QTest::keyClick(&chip, Qt::Key_Delete);
    EXPECT_EQ(clicked.size(), 1);
    EXPECT_EQ(closed.size(), 2);
}

TEST(LineMarks, AllLookDifferent) {
    QList<QImage> seen;
    for (int mark = 1; mark <= kLineMarks; ++mark) {
        QImage image(24, 24, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintLineMark(painter, static_cast<LineMark>(mark), {12, 12}, 14, Qt::black);
        painter.end();
        EXPECT_FALSE(seen.contains(image)) << mark;
        seen << image;
    }
}

TEST(FlowLayout, WrapsAndReportsItsHeight) {
    QWidget parent;
    auto* flow = new FlowLayout(&parent, 4);
    for (int i = 0; i < 6; ++i) {
        auto* box = new QWidget;
        box->setFixedSize(100, 20);
        flow->addWidget(box);
    }
    EXPECT_EQ(flow->heightForWidth(1000), 20);
    EXPECT_EQ(flow->heightForWidth(210), 20 * 3 + 4 * 2);
    EXPECT_EQ(flow->heightForWidth(50), 20 * 6 + 4 * 5);
}

TEST(Sparkline, SkipsWhatIsNoNumber) {
    Sparkline line;
    line.resize(100, 20);
    line.setValues({1, 2, NAN, 2, 1});
    const QImage gap = line.grab().toImage();
    line.setValues({1, 2, 3, 2, 1});
    EXPECT_NE(line.grab().toImage(), gap);
    line.setValues({NAN, NAN});
    line.setValues({});
    line.grab();
}

TEST(EmptyState, ButtonsAsk) {
    EmptyState empty(Icon::runs);
    empty.setTexts(QStringLiteral("No runs yet."), QStringLiteral("New run"));
    empty.show();
    QSignalSpy main(&empty, &EmptyState::mainRequested);
    const auto buttons = empty.findChildren<QPushButton*>();
    EXPECT_FALSE(buttons[1]->isVisible());
    buttons[0]->click();
    EXPECT_EQ(main.size(), 1);
}

TEST(Widgets, GrowWithTheFontScale) {
    StateBadge badge;
    badge.setState(QStringLiteral("running"));
    Chip chip(QStringLiteral("run"));
    const QSize before = badge.sizeHint();
    const QSize chipBefore = chip.sizeHint();
    Style::instance().setFontScale(200);
    EXPECT_GT(badge.sizeHint().width(), before.width() * 1.7);
    EXPECT_GT(chip.sizeHint().height(), chipBefore.height() * 1.7);
    Style::instance().setFontScale(100);
}

}  // namespace
}  // namespace unmask::ui
