// SPDX-License-Identifier: Apache-2.0
// A session over a FakeEngine whose journal a test writes; for models that follow one.
#pragma once

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"
#include "tests/ui/support/fake_engine.h"
#include "tests/ui/support/wait_for.h"
#include "ui/models/run_session.h"

namespace unmask::test {

class SessionFixture : public testing::Test {
 protected:
    void openWith(const JournalText& text) {
        journal = text;
        ui::StoreOptions options;
        options.database = m_folder.path() / "history.sqlite";
        options.runsFolder = m_folder.path() / "runs";
        options.scan = false;
        const RunFolder run = writeRun(options.runsFolder, "run", journal);
        engine.journal = journal.lines();
        store = std::make_unique<ui::RunStore>(options);
        store->open();
        session = std::make_unique<ui::RunSession>(store.get(), [this](const ui::RunRow&) { return engine.factory(); });
        session->openFolder(run.path);
        ASSERT_TRUE(waitFor([&] { return session->series().mark().seq == journal.lastSeq(); }));
    }
    void sayNew(const std::function<void(JournalText&)>& grow) {
        const size_t before = journal.lines().size();
        grow(journal);
        for (size_t i = before; i < journal.lines().size(); ++i)
            engine.say(journal.lines()[i]);
    }

    TempFolder m_folder;
    JournalText journal;
    FakeEngine engine;
    std::unique_ptr<ui::RunStore> store;
    std::unique_ptr<ui::RunSession> session;
};

}  // namespace unmask::test
