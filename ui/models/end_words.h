// SPDX-License-Identifier: Apache-2.0
// Why a run ended, in the language of the window. The engine writes English sentences into the run folder; those that
// are the same each time are known here, of any other the state speaks and the engine's sentence follows.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "engine/journal/run_state.h"
#include "ui/store/run_row.h"

namespace unmask::ui {

class EndWords {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::EndWords)

 public:
    static QString of(const RunRow& row);                          // while it lives: what its state means
    static QString sentence(RunWord word, const QString& reason);  // never empty
    static QString known(const QString& reason);                   // empty when the engine's sentence is its own
};

}  // namespace unmask::ui
