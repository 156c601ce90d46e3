// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_sizes.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QSpinBox>
#include <QTest>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"

namespace unmask::ui {
namespace {

const QString kTensor = QStringLiteral("parallel.tensor_parallel_size");
const QString kMicro = QStringLiteral("parallel.micro_batch_size");

class LayoutSizesTest : public testing::Test {
 protected:
    LayoutSizesTest() {
        m_draft.load(presetSpec("base").value());
        m_sizes = std::make_unique<LayoutSizes>(&m_draft);
        m_sizes->show();
    }
    QSpinBox* box(const QString& path) const { return qobject_cast<QSpinBox*>(m_sizes->control(path)); }

    SpecDraft m_draft;
    std::unique_ptr<LayoutSizes> m_sizes;
};

TEST_F(LayoutSizesTest, FormAndBoxesShowOneTruth) {
    box(kTensor)->setValue(4);
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 4);
    m_draft.setText(QStringLiteral("parallel.data_parallel_size"), QStringLiteral("8"));
    EXPECT_EQ(box(QStringLiteral("parallel.data_parallel_size"))->value(), 8);
    m_draft.undoStack()->undo();
    m_draft.undoStack()->undo();
    EXPECT_EQ(box(kTensor)->value(), 1);
    EXPECT_EQ(box(QStringLiteral("parallel.data_parallel_size"))->value(), 1);
    auto* choice = qobject_cast<QComboBox*>(m_sizes->control(QStringLiteral("parallel.activation_checkpointing")));
    choice->setCurrentIndex(2);
    Q_EMIT choice->activated(2);
    EXPECT_EQ(m_draft.spec().parallel.activationCheckpointing, Checkpointing::full);
    EXPECT_EQ(m_sizes->control(QStringLiteral("model.heads")), nullptr);
}

TEST_F(LayoutSizesTest, ArrowsGoToTheNextAllowedSizeAndTypingGoesAnywhere) {
    m_sizes->setAllowed(kTensor, {1, 2, 3, 4, 6, 12});
    QTest::keyClick(box(kTensor), Qt::Key_Up);
    EXPECT_EQ(box(kTensor)->value(), 2);
    box(kTensor)->setValue(6);
    QTest::keyClick(box(kTensor), Qt::Key_Up);
    EXPECT_EQ(box(kTensor)->value(), 12);
    QTest::keyClick(box(kTensor), Qt::Key_Down);
    EXPECT_EQ(box(kTensor)->value(), 6);
    box(kTensor)->selectAll();
    QTest::keyClicks(box(kTensor), QStringLiteral("5"));
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 5);
    QTest::keyClick(box(kTensor), Qt::Key_Down);
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 4);
    EXPECT_TRUE(box(kTensor)->accessibleDescription().contains(QStringLiteral("1, 2, 3, 4, 6, 12")));
}

TEST_F(LayoutSizesTest, TheWholeShareIsAWord) {
    box(kMicro)->setValue(0);
    EXPECT_EQ(box(kMicro)->text(), QStringLiteral("whole share"));
    const test::ChineseWords chinese;
    EXPECT_TRUE(test::isChinese(box(kMicro)->text()));
    EXPECT_TRUE(test::isChinese(box(kTensor)->accessibleName()));
}

TEST_F(LayoutSizesTest, AFieldInTroubleIsMarked) {
    m_draft.setOutsideProblems({{kTensor, ProblemKind::error, QStringLiteral("5 does not divide")}});
    EXPECT_EQ(box(kTensor)->property("problem").toString(), QStringLiteral("error"));
    m_draft.setOutsideProblems({});
    EXPECT_EQ(box(kTensor)->property("problem").toString(), QString());
}

TEST_F(LayoutSizesTest, UndoInABoxIsTheUndoOfTheForm) {
    box(kTensor)->setValue(4);
    m_sizes->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(m_sizes.get()));
    box(kTensor)->setFocus();
    QTest::keyClick(box(kTensor), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(m_draft.spec().parallel.tensorParallelSize, 1);
    EXPECT_EQ(box(kTensor)->value(), 1);
}

TEST_F(LayoutSizesTest, TheWheelScrollsThePageUnlessTheBoxHasTheFocus) {
    QWheelEvent wheel(QPointF(5, 5), QPointF(5, 5), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QCoreApplication::sendEvent(box(kTensor), &wheel);
    EXPECT_EQ(box(kTensor)->value(), 1);
}

}  // namespace
}  // namespace unmask::ui
