// SPDX-License-Identifier: Apache-2.0
// Reads and writes run files in another thread; the form gets a spec or a sentence.
#pragma once

#include <QFuture>
#include <QString>
#include <optional>

#include "engine/protocol/run_spec.h"

namespace unmask::ui {

struct RunFileReply {
    std::optional<RunSpec> spec;  // of a read
    QString sentence;             // why not; empty when all is well
    QString runFolder;            // of a read: the file is the settings of the run in this folder
};

QFuture<RunFileReply> readRunFileLater(const QString& file);
QFuture<RunFileReply> writeRunFileLater(const QString& file, const RunSpec& spec);

}  // namespace unmask::ui
