// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_proposals.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"
#include "ui/widgets/problem_label.h"

namespace unmask::ui {
namespace {

LayoutProposals proposals() {
    LayoutQuestion asked;
    asked.spec = presetSpec("base").value();
    asked.machines = QStringLiteral("8 x A100 80 GB");
    asked.hardware = Hardware{};
    return proposeLayouts(asked, *answerLayout(asked).set);
}

QString allText(const LayoutProposalList& list) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QStringList texts;
    for (const QLabel* label : list.findChildren<QLabel*>())
        texts << label->text();
    return texts.join(QLatin1Char('\n'));
}

TEST(LayoutProposalList, ShowsEachWithItsReasonsAndWhatCannotBeCarriedOut) {
    LayoutProposals made = proposals();
    ASSERT_FALSE(made.list.empty());
    made.list.front().plan.limits = {{"parallel", Severity::error, "Not yet.", "尚不支持。"}};
    LayoutProposalList list;
    EXPECT_TRUE(list.isHidden());
    list.show(made);
    EXPECT_FALSE(list.isHidden());
    const QString text = allText(list);
    for (const LayoutChoice& choice : made.list)
        for (const Sentence& reason : choice.reasons)
            EXPECT_TRUE(text.contains(QString::fromStdString(reason.en))) << reason.en;
    EXPECT_TRUE(text.contains(QStringLiteral("Not carried out by this version yet: Not yet.")));
    QSignalSpy chosen(&list, &LayoutProposalList::chosen);
    list.findChild<QPushButton*>(QStringLiteral("useProposal-1"))->click();
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen[0][0].value<ParallelConfig>(), made.list.front().plan.parallel);
    list.clear();
    EXPECT_TRUE(list.isHidden());
    EXPECT_FALSE(list.proposals());
}

TEST(LayoutProposalList, NothingToProposeIsSaid) {
    LayoutProposalList list;
    list.show({});
    EXPECT_TRUE(allText(list).contains(QStringLiteral("Nothing can be proposed")));
}

TEST(LayoutProposalList, SpeaksChinese) {
    LayoutProposalList list;
    list.show(proposals());
    const test::ChineseWords chinese;
    for (const QString& line : allText(list).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        EXPECT_TRUE(test::isChinese(line)) << line.toStdString();
    EXPECT_TRUE(test::isChinese(list.findChild<QPushButton*>(QStringLiteral("useProposal-1"))->text()));
}

}  // namespace
}  // namespace unmask::ui
