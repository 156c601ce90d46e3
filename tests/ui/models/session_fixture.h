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
        m_journal = text;
        ui::StoreOptions options;
        options.database = m_folder.path() / "history.sqlite";
        options.runsFolder = m_folder.path() / "runs";
        options.scan = false;
        const RunFolder run = writeRun(options.runsFolder, "run", m_journal);
        m_engine.journal = m_journal.lines();
        m_store = std::make_unique<ui::RunStore>(options);
        m_store->open();
        m_session =
            std::make_unique<ui::RunSession>(m_store.get(), [this](const ui::RunRow&) { return m_engine.factory(); });
        m_session->openFolder(run.path);
        ASSERT_TRUE(waitFor([&] { return m_session->series().mark().seq == m_journal.lastSeq(); }));
    }
    void sayNew(const std::function<void(JournalText&)>& grow) {
        const size_t before = m_journal.lines().size();
        grow(m_journal);
        for (size_t i = before; i < m_journal.lines().size(); ++i)
            m_engine.say(m_journal.lines()[i]);
    }

    TempFolder m_folder;
    JournalText m_journal;
    FakeEngine m_engine;
    std::unique_ptr<ui::RunStore> m_store;
    std::unique_ptr<ui::RunSession> m_session;
};

}  // namespace unmask::test
