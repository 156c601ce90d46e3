// SPDX-License-Identifier: Apache-2.0
// What a page is given, in a temporary folder: settings, a history with runs that the test writes, and a shell script
// in place of the engine that notes its arguments.
#pragma once

#include "engine/journal/run_lock.h"
#include "tests/support/temp_run.h"
#include "tests/ui/models/session_fixture.h"
#include "ui/pages/services.h"

namespace unmask::test {

class PageFixture : public SessionFixture {
 protected:
    // The engine's answer from now on: what it prints, what it says on standard error, its exit code.
    void engineAnswers(const std::string& output, const std::string& errors = {}, int code = 0) const {
        const auto script = enginePath();
        writeBytes(script, "#!/bin/sh\necho \"$*\" >> '" + argumentsPath().string() + "'\ncat <<'END'\n" + output +
                               "\nEND\necho '" + errors + "' >&2\nexit " + std::to_string(code) + "\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    }
    std::string engineArguments() const {  // of all calls so far, a line each
        return std::filesystem::exists(argumentsPath()) ? readBytes(argumentsPath()) : std::string();
    }

    // A history whose table follows it; runs come by addRun.
    void openStore() {
        ui::StoreOptions options;
        options.database = m_folder.path() / "history.sqlite";
        options.runsFolder = m_folder.path() / "runs";
        options.scan = false;
        m_store = std::make_unique<ui::RunStore>(options);
        m_runs.follow(m_store.get());
        m_store->open();
    }
    // The journal has to say at least that the run started: an empty one is "starting" for a while.
    QString addRun(const std::string& id, const JournalText& journal) {
        return addFolder(writeRun(m_folder.path() / "runs", id, journal));
    }
    QString addFolder(const RunFolder& run) {
        const QString key = resultOf(m_store->addFolder(run.path));
        EXPECT_FALSE(key.isEmpty());
        // A new row is "starting" until its files are read; what may be done with a run depends on the word it gets,
        // and its curves are in the history only then.
        EXPECT_TRUE(waitFor([&] { return m_runs.find(key) && row(key).status.word != RunWord::starting; }));
        return key;
    }
    // One that trains, for as long as the test lives: this process holds its lock. At the journal's last step of 1,000.
    QString addActiveRun(const std::string& id, const JournalText& journal) {
        const RunFolder run = writeRun(m_folder.path() / "runs", id, journal);
        m_locks.push_back(RunLock::acquire(run));
        RunState state;
        state.attempt = m_locks.back().attempt();
        state.phase = "training";
        state.totalSteps = 1000;
        state.process = m_locks.back().holder().process;
        writeRunState(run, state);
        const QString key = resultOf(m_store->addFolder(run.path));
        EXPECT_TRUE(waitFor([&] { return m_runs.find(key) && row(key).status.word == RunWord::running; }));
        return key;
    }
    const ui::RunRow& row(const QString& key) const { return *m_runs.find(key); }

    ui::Services services() { return {m_settings, *m_store, m_engineProcess, m_runs, m_navigator}; }

    ui::Settings m_settings{m_folder.path() / "studio.ini"};
    ui::EngineProcess m_engineProcess{QString::fromStdString(enginePath().string())};
    ui::RunTableModel m_runs;
    ui::Navigator m_navigator;

 private:
    std::filesystem::path enginePath() const { return m_folder.path() / "engine"; }
    std::filesystem::path argumentsPath() const { return m_folder.path() / "arguments"; }

    std::vector<RunLock> m_locks;
};

}  // namespace unmask::test
