// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/opened_paths.h"

#include <QDir>
#include <QFileInfo>

#include "engine/protocol/spec_json.h"
#include "ui/settings/answer_later.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {

namespace {

constexpr qint64 kLargestRunFile = 1 << 20;

bool isRunFile(const QFileInfo& info) {
    return info.isFile() && info.suffix() == QLatin1String("json") && info.size() <= kLargestRunFile &&
           readRunFile(toPath(info.filePath())).ok();
}

}  // namespace

QFuture<OpenedPaths> sortPathsLater(const QStringList& paths) {
    return answerLater([paths] {
        OpenedPaths sorted;
        for (const QString& path : paths) {
            const QFileInfo info(path);
            if (info.isDir() && QDir(path).exists(QStringLiteral("run.json")))
                sorted.runFolders.append(path);
            else if (isRunFile(info))
                sorted.runFiles.append(path);
            else
                sorted.dataFiles.append(path);
        }
        return sorted;
    });
}

}  // namespace unmask::ui
