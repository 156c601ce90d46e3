// SPDX-License-Identifier: Apache-2.0
// The command that starts the same run from a terminal: with a run file, and with every setting as a flag.
#pragma once

#include <QDialog>
#include <QString>

#include "engine/protocol/run_spec.h"

namespace unmask::ui {

QString quotedForShell(const QString& argument);
// `unmask-engine train --preset … --set path=value`, what equals the preset left out, one flag a line.
QString trainCommand(const RunSpec& spec);

class CommandPreview final : public QDialog {
    Q_OBJECT
 public:
    explicit CommandPreview(const RunSpec& spec, QWidget* parent = nullptr);
};

}  // namespace unmask::ui
