// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_watch.h"

#include <QSignalSpy>

#include "engine/protocol/presets.h"
#include "tests/ui/pages/chinese_words.h"
#include "tests/ui/pages/page_fixture.h"

namespace unmask::ui {
namespace {

using test::isChinese;
using test::waitFor;

class PlanWatchTest : public test::PageFixture {
 protected:
    // The answer to this form, past those to forms before it.
    Estimate answerTo(PlanWatch& watch, const RunSpec& spec) {
        QSignalSpy estimated(&watch, &PlanWatch::estimated);
        watch.setSpec(spec);
        EXPECT_TRUE(waitFor([&] { return !estimated.isEmpty(); }));
        return watch.latest().value_or(Estimate{});
    }
    static QStringList sentencesAt(const Estimate& estimate, const char* path) {
        QStringList sentences;
        for (const FieldProblem& problem : estimate.problems)
            if (problem.path == QLatin1String(path))
                sentences.append(problem.sentence);
        return sentences;
    }
    std::string file(const char* name, std::string_view bytes) const {
        const auto path = m_folder.path() / name;
        test::writeBytes(path, bytes);
        return path.string();
    }

    RunSpec m_spec = allPresets().front().spec;
};

TEST_F(PlanWatchTest, OnlyTheLastOfSeveralEditsIsAnswered) {
    PlanWatch watch(m_engineProcess);
    QSignalSpy estimated(&watch, &PlanWatch::estimated);
    EXPECT_FALSE(watch.latest());
    for (const int size : {8, 16, 32}) {
        m_spec.training.batchSize = size;
        watch.setSpec(m_spec);
    }
    ASSERT_TRUE(waitFor([&] { return !estimated.isEmpty(); }));
    EXPECT_EQ(watch.latest()->spec.training.batchSize, 32);
    EXPECT_EQ(watch.latest()->errors(), 0);
    EXPECT_GT(watch.latest()->plan.parameters.total, 0);
    EXPECT_EQ(estimated.size(), 1);
}

TEST_F(PlanWatchTest, TheSpeedThatTheEngineMeasuredReplacesTheGuess) {
    m_spec.training.device = DeviceChoice::cpu;
    PlanWatch guessing(m_engineProcess);  // there is no such program yet
    const std::optional<double> guess = answerTo(guessing, m_spec).plan.totalSeconds;
    EXPECT_FALSE(guessing.latest()->hardware.matrixFlopsPerSecond);
    Hardware slow;
    slow.matrixFlopsPerSecond = 1e8;
    engineAnswers(dumpLine(hardwareToJson(slow)));
    PlanWatch measured(m_engineProcess);
    measured.setSpec(m_spec);
    ASSERT_TRUE(waitFor([&] { return measured.latest() && measured.latest()->hardware.matrixFlopsPerSecond == 1e8; }));
    ASSERT_TRUE(guess && measured.latest()->plan.totalSeconds);
    EXPECT_GT(*measured.latest()->plan.totalSeconds, 10 * *guess);
    EXPECT_EQ(engineArguments(), "doctor --json\n");
}

TEST_F(PlanWatchTest, AnEngineThatAnswersNonsenseLeavesTheRestOfThePlan) {
    engineAnswers("{\"gpus\": 7}");
    PlanWatch watch(m_engineProcess);
    ASSERT_TRUE(waitFor([&] { return !engineArguments().empty(); }));
    const Estimate estimate = answerTo(watch, m_spec);
    EXPECT_GT(estimate.plan.parameters.total, 0);
    EXPECT_FALSE(estimate.hardware.matrixFlopsPerSecond);
}

TEST_F(PlanWatchTest, EachDataFileThatCannotBeReadIsNamedAndGoodOnesAreNot) {
    const std::string good = file("诗 poems.txt", "words");
    const std::string empty = file("empty.txt", "");
    const std::string missing = (m_folder.path() / "missing.txt").string();
    m_spec.data.files = {good, empty, missing, m_folder.path().string()};
    PlanWatch watch(m_engineProcess);
    const QStringList sentences = sentencesAt(answerTo(watch, m_spec), "data.files");
    ASSERT_EQ(sentences.size(), 3);
    EXPECT_EQ(sentences[0], QString::fromUtf8(empty) + QStringLiteral(" is empty."));
    EXPECT_EQ(sentences[1], QString::fromUtf8(missing) + QStringLiteral(" does not exist."));
    EXPECT_TRUE(sentences[2].contains(QStringLiteral("is a folder"))) << sentences[2].toStdString();
}

TEST_F(PlanWatchTest, AFormThatIsWrongIsExplainedAndNotPlanned) {
    m_spec.model.heads = 5;
    PlanWatch watch(m_engineProcess);
    const Estimate estimate = answerTo(watch, m_spec);
    EXPECT_GE(estimate.errors(), 1);
    EXPECT_EQ(estimate.plan.parameters.total, 0);
    ASSERT_FALSE(sentencesAt(estimate, "model.heads").isEmpty());
    m_spec.model.heads = allPresets().front().spec.model.heads;
    EXPECT_EQ(answerTo(watch, m_spec).errors(), 0);
}

TEST_F(PlanWatchTest, AskedAgainInChineseItAnswersInChinese) {
    m_spec.model.heads = 5;
    m_spec.data.files = {"/nowhere/book.txt"};
    PlanWatch watch(m_engineProcess);
    answerTo(watch, m_spec);
    const test::ChineseWords chinese;
    QSignalSpy estimated(&watch, &PlanWatch::estimated);
    watch.ask();
    ASSERT_TRUE(waitFor([&] { return !estimated.isEmpty(); }));
    ASSERT_GE(watch.latest()->problems.size(), 2);
    for (const FieldProblem& problem : watch.latest()->problems)
        EXPECT_TRUE(isChinese(problem.sentence)) << problem.sentence.toStdString();
}

// The first form is so slow to look at that the second is typed meanwhile.
TEST_F(PlanWatchTest, AnAnswerThatWasOvertakenIsDropped) {
    PlanWatch watch(m_engineProcess);
    std::vector<int64_t> answered;
    QObject::connect(&watch, &PlanWatch::estimated, &watch,
                     [&](const Estimate& estimate) { answered.push_back(estimate.spec.training.batchSize); });
    m_spec.training.batchSize = 8;
    m_spec.data.files.assign(60'000, m_folder.path().string());  // a look at each takes its time
    watch.setSpec(m_spec);
    ASSERT_TRUE(waitFor([&] { return watch.isComputing(); }));
    m_spec.training.batchSize = 16;
    m_spec.data.files.clear();
    watch.setSpec(m_spec);
    ASSERT_TRUE(waitFor([&] { return !answered.empty(); }, 60'000));
    ASSERT_TRUE(waitFor([&] { return !watch.isComputing(); }));
    EXPECT_EQ(answered, std::vector<int64_t>{16});
    EXPECT_EQ(watch.latest()->spec.training.batchSize, 16);
}

// The window is closed while an estimate is on its way.
TEST_F(PlanWatchTest, NoAnswerComesAfterItsEnd) {
    auto watch = std::make_unique<PlanWatch>(m_engineProcess);
    int answers = 0;
    QObject::connect(watch.get(), &PlanWatch::estimated, watch.get(), [&] { ++answers; });
    watch->setSpec(m_spec);
    watch.reset();
    QCoreApplication::processEvents();
    EXPECT_EQ(answers, 0);
}

}  // namespace
}  // namespace unmask::ui
