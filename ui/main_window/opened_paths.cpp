// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/opened_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QPromise>
#include <QThreadPool>
#include <memory>

#include "engine/protocol/spec_json.h"
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
    auto promise = std::make_shared<QPromise<OpenedPaths>>();
    QThreadPool::globalInstance()->start([promise, paths] {
        promise->start();
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
        promise->addResult(sorted);
        promise->finish();
    });
    return promise->future();
}

}  // namespace unmask::ui
