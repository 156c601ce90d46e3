// SPDX-License-Identifier: Apache-2.0
// Words for people for states, links, phases and event kinds, translated. One list for tables, headers and tooltips.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/journal/run_state.h"
#include "engine/protocol/events.h"
#include "ui/client/command_tracker.h"
#include "ui/client/run_link.h"

namespace unmask::ui {

class RunWords {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::RunWords)

 public:
    static QString state(RunWord word);         // "running", "interrupted", …
    static QString stateMeaning(RunWord word);  // a sentence for tooltips
    static QString link(LinkWord word);
    static QString phase(const QString& word);   // of PhaseEvent; unknown ones as they are
    static QString device(const QString& name);  // of StartedEvent; a GPU's name stays as it is
    static QString eventKind(std::string_view kind);
    static QString eventSummary(const EventRecord& record);  // one line: what happened
    static QString command(CommandKind kind);
    static QString commandProgress(const CommandProgress& progress);  // "Pause: done at step 8,431"
};

}  // namespace unmask::ui
