// SPDX-License-Identifier: Apache-2.0
// What every page is given, and the requests that lead from one page to another.
#pragma once

#include <QObject>
#include <QStringList>

#include "engine/protocol/run_spec.h"
#include "ui/client/engine_process.h"
#include "ui/models/run_table_model.h"
#include "ui/pages/page.h"
#include "ui/settings/settings.h"
#include "ui/models/run_history.h"
#include "ui/widgets/banner.h"

namespace unmask::ui {

// A form filled from somewhere else: a run file, another run, a dropped data file.
struct FormSeed {
    RunSpec spec;
    QString origin;  // sentence for the undo step and the note above the form
};

class Navigator final : public QObject {
    Q_OBJECT
 public:
    using QObject::QObject;

 Q_SIGNALS:
    void pageRequested(unmask::ui::PageId page);
    void liveRequested(const QString& key);           // of a row of the history
    void liveFolderRequested(const QString& folder);  // also of a run started a moment ago
    void compareRequested(const QStringList& keys);
    void newRunRequested(const unmask::ui::FormSeed& seed);
    void runResumed(const QString& key);  // its link has ended and must be opened again
    void messageRequested(unmask::ui::BannerKind kind, const QString& sentence);
};

struct Services {
    Settings& settings;
    RunStore& store;
    EngineProcess& engine;
    RunTableModel& runs;
    Navigator& navigator;
};

}  // namespace unmask::ui
