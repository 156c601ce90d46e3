// SPDX-License-Identifier: Apache-2.0
// What a path given on the command line or dropped on the window is, found out in another thread.
#pragma once

#include <QFuture>
#include <QStringList>

namespace unmask::ui {

struct OpenedPaths {
    QStringList runFolders;
    QStringList runFiles;
    QStringList dataFiles;
};

QFuture<OpenedPaths> sortPathsLater(const QStringList& paths);

}  // namespace unmask::ui
