// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_files.h"

#include "engine/base/durable_file.h"
#include "engine/journal/run_folder.h"
#include "engine/protocol/spec_json.h"
#include "ui/settings/answer_later.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {

namespace {

QString runOfFile(const std::filesystem::path& file) {
    const RunFolder run{file.parent_path()};
    std::error_code none;
    return std::filesystem::equivalent(file, run.runFile(), none) && std::filesystem::exists(run.eventsFile(), none)
               ? fromPath(run.path)
               : QString();
}

}  // namespace

QFuture<RunFileReply> readRunFileLater(const QString& file) {
    return answerLater([file]() -> RunFileReply {
        const Result<RunSpec> spec = readRunFile(toPath(file));
        if (!spec.ok())
            return {{}, QString::fromUtf8(spec.error().what()), {}};
        return {spec.value(), {}, runOfFile(toPath(file))};
    });
}

QFuture<RunFileReply> writeRunFileLater(const QString& file, const RunSpec& spec) {
    return answerLater([file, spec]() -> RunFileReply {
        try {
            replaceFile(toPath(file), specToJson(spec).dump(2) + "\n", Durability::durable);
        } catch (const Error& error) {
            return {{}, QString::fromUtf8(error.what()), {}};
        }
        return {};
    });
}

}  // namespace unmask::ui
