// SPDX-License-Identifier: Apache-2.0
// The studio's side against the real engine: real processes, a real run, the window closed and killed on the way.
#include <gtest/gtest.h>

#include <QProcess>

#include "engine/journal/event_reader.h"
#include "engine/protocol/presets.h"
#include "tests/support/temp_run.h"
#include "tests/ui/support/wait_for.h"
#include "ui/client/engine_process.h"
#include "ui/models/run_session.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

using test::resultOf;
using test::waitFor;

const QString kLoss = QStringLiteral("train/loss");

class RunSessionEngineTest : public testing::Test {
 protected:
    void SetUp() override {
        m_engine = QStringLiteral(UNMASK_BINARY_DIR "/bin/unmask-engine");
        for (const char* program : {"unmask-engine", "unmask-worker"})
            if (!std::filesystem::exists(std::filesystem::path(UNMASK_BINARY_DIR) / "bin" / program))
                GTEST_SKIP() << program << " is not built";
        m_options.database = m_folder.path() / "data" / "history.sqlite";
        m_options.runsFolder = m_folder.path() / "训练 runs";
        m_run = m_options.runsFolder / "tiny";
        std::filesystem::create_directories(m_options.runsFolder);
        openStudio();
    }
    void TearDown() override {
        if (m_session && m_session->status().alive()) {
            send(CommandKind::stop);
            waitFor([&] { return !m_session->status().alive(); }, 30000);
        }
    }

    static RunSpec tinySpec(int64_t steps) {
        RunSpec spec = presetSpec("first-steps").orThrow();
        spec.model.preset = "custom";
        spec.model.layers = 1;
        spec.model.width = 32;
        spec.model.heads = 2;
        spec.model.keyValueHeads = 0;
        spec.model.feedForwardWidth = 64;
        spec.model.sequenceLength = 64;
        spec.training.batchSize = 4;
        spec.training.threads = 1;
        spec.training.steps = steps;
        spec.validation.interval = Interval::never();
        spec.sampling.interval = Interval::never();
        spec.checkpoint.interval = Interval::steps(500);
        return spec;
    }
    EngineReply start(const StartRequest& request) {
        EngineProcess engine(m_engine);
        EngineReply reply;
        bool done = false;
        EngineTask* task = engine.start(request);
        QObject::connect(task, &EngineTask::finished, task, [&](const EngineReply& r) {
            reply = r;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }, 60000));
        EXPECT_TRUE(reply.ok) << toUtf8(reply.sentence);
        return reply;
    }
    void openStudio() {
        m_store = std::make_unique<RunStore>(m_options);
        m_store->open();
        m_session = std::make_unique<RunSession>(m_store.get(), m_engine);
        QObject::connect(m_session.get(), &RunSession::commandChanged, m_session.get(),
                         [this](const CommandProgress& progress) { m_progress = progress; });
    }
    void closeStudio() {
        m_session.reset();
        m_store.reset();
    }
    void send(CommandKind kind) {
        Command command;
        command.kind = kind;
        m_progress = {};
        m_session->send(command);
    }
    bool answered() {
        return waitFor([&] { return m_progress.phase == CommandPhase::done; }, 30000);
    }
    void expectWhole(const std::vector<double>& steps, size_t count) {
        ASSERT_EQ(steps.size(), count);
        for (size_t i = 0; i < count; ++i)
            ASSERT_EQ(steps[i], static_cast<double>(i + 1));
    }

    test::TempFolder m_folder;
    QString m_engine;
    StoreOptions m_options;
    std::filesystem::path m_run;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunSession> m_session;
    CommandProgress m_progress;
};

TEST_F(RunSessionEngineTest, TheStudioMayCloseTwentyTimesDuringARun) {
    StartRequest request;
    request.spec = tinySpec(3000);
    request.runFolder = m_run;
    start(request);
    for (int round = 0; round < 20; ++round) {
        m_session->openFolder(m_run);
        ASSERT_TRUE(waitFor(
            [&] {
                return m_session->linkStatus().word == LinkWord::live ||
                       m_session->linkStatus().word == LinkWord::ended;
            },
            30000));
        waitFor([] { return false; }, 60);
        const auto& steps = m_session->series().columns(kLoss).step;
        for (size_t i = 0; i < steps.size(); ++i)
            ASSERT_EQ(steps[i], static_cast<double>(i + 1)) << "round " << round;
        closeStudio();
        openStudio();
    }
    m_session->openFolder(m_run);
    ASSERT_TRUE(waitFor([&] { return m_session->status().word == RunWord::finished; }, 120000))
        << m_session->status().evidence;
    ASSERT_TRUE(waitFor([&] { return m_session->linkStatus().word == LinkWord::ended; }));
    expectWhole(m_session->series().columns(kLoss).step, 3000);
    EXPECT_TRUE(std::holds_alternative<FinishedEvent>(m_session->events().back().event));
    const RunHistoryPtr stored = resultOf(m_store->history(m_session->row().key));
    EXPECT_EQ(stored->mark.seq, EventReader(RunFolder{m_run}).readRecords(1, size_t{1} << 30).back().seq);
    for (const SeriesColumns& series : stored->series)
        EXPECT_EQ(series.value.size(), m_session->series().columns(fromUtf8(series.name)).size()) << series.name;
}

TEST_F(RunSessionEngineTest, PauseGoOnStopAndResumeFromTheWindow) {
    StartRequest request;
    request.spec = tinySpec(1000000);
    request.runFolder = m_run;
    start(request);
    m_session->openFolder(m_run);
    ASSERT_TRUE(waitFor([&] { return m_session->series().columns(kLoss).size() > 50; }, 30000));
    send(CommandKind::pause);
    ASSERT_TRUE(answered()) << toUtf8(m_progress.detail);
    ASSERT_TRUE(waitFor([&] { return m_session->status().word == RunWord::paused; }, 15000));
    send(CommandKind::resume);
    ASSERT_TRUE(answered());
    send(CommandKind::checkpoint);
    ASSERT_TRUE(answered());
    EXPECT_GT(m_progress.step, 0);
    send(CommandKind::stop);
    ASSERT_TRUE(waitFor([&] { return m_session->linkStatus().word == LinkWord::ended; }, 30000));
    EXPECT_EQ(m_session->status().word, RunWord::stopped) << m_session->status().evidence;
    const size_t before = m_session->series().columns(kLoss).size();

    StartRequest again;
    again.resume = true;
    again.runFolder = m_run;
    again.changes = {QStringLiteral("training.steps=%1").arg(before + 100)};
    start(again);
    m_session->reattach();
    ASSERT_TRUE(waitFor([&] { return m_session->status().word == RunWord::finished; }, 60000))
        << m_session->status().evidence;
    ASSERT_TRUE(waitFor([&] { return m_session->series().columns(kLoss).size() == before + 100; }));
    expectWhole(m_session->series().columns(kLoss).step, before + 100);
    EXPECT_EQ(m_session->series().joints().size(), 1u);
}

}  // namespace
}  // namespace unmask::ui
