// SPDX-License-Identifier: Apache-2.0
// The real window over the real engine, driven by clicks and keys. Each test has its own home in a folder whose name
// has a space, an umlaut and Chinese characters; runs that are left over are ended by their own stop command.
#pragma once

#include <gtest/gtest.h>

#include <QPushButton>
#include <QTest>
#include <memory>

#include "app/studio.h"
#include "engine/journal/event_reader.h"
#include "tests/support/temp_run.h"
#include "ui/models/run_session.h"

namespace unmask::test {

class StudioTest : public testing::Test {
 protected:
    StudioTest();
    ~StudioTest() override;

    void openStudio(const ui::CommandLine& line = {});
    void closeStudio();  // as a person does: the window, and "Close" when runs are active
    ui::Studio& studio() { return *m_studio; }
    const ui::RunSession& session();

    template <class Widget = QPushButton>
    Widget* find(const char* objectName) {
        Widget* widget = studio().window().findChild<Widget*>(QString::fromLatin1(objectName));
        EXPECT_TRUE(widget) << "there is no " << objectName;
        return widget;
    }
    void click(const char* objectName);  // waits until it may be pressed

    // Starts the first-steps run with these changes typed into the form and waits for its first point.
    void startRun(const std::map<std::string, std::string>& typed = {});
    bool waitForStep(qint64 step, int milliseconds = 60'000);
    bool waitForWord(RunWord word, int milliseconds = 30'000);
    RunFolder runFolder();

    // Every step of the journal's shown history is in the charts exactly once, in order.
    void expectWholeCurve();

    TempFolder m_root;
    std::filesystem::path m_home;
    std::unique_ptr<ui::Studio> m_studio;
};

bool engineBuilt();

#define UNMASK_NEEDS_ENGINE() \
    if (!engineBuilt())       \
    GTEST_SKIP() << "unmask-engine, unmask-worker or LibTorch is missing, so nothing can train"

}  // namespace unmask::test
