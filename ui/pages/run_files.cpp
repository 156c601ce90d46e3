// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_files.h"

#include <QPromise>
#include <QThreadPool>
#include <functional>
#include <memory>

#include "engine/base/durable_file.h"
#include "engine/protocol/spec_json.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {

namespace {

QFuture<RunFileReply> later(std::function<RunFileReply()> work) {
    auto promise = std::make_shared<QPromise<RunFileReply>>();
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        promise->start();
        promise->addResult(work());
        promise->finish();
    });
    return promise->future();
}

}  // namespace

QFuture<RunFileReply> readRunFileLater(const QString& file) {
    return later([file]() -> RunFileReply {
        const Result<RunSpec> spec = readRunFile(toPath(file));
        if (!spec.ok())
            return {{}, QString::fromUtf8(spec.error().what())};
        return {spec.value(), {}};
    });
}

QFuture<RunFileReply> writeRunFileLater(const QString& file, const RunSpec& spec) {
    return later([file, spec]() -> RunFileReply {
        try {
            replaceFile(toPath(file), specToJson(spec).dump(2) + "\n", Durability::durable);
        } catch (const Error& error) {
            return {{}, QString::fromUtf8(error.what())};
        }
        return {};
    });
}

}  // namespace unmask::ui
