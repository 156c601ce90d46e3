// SPDX-License-Identifier: Apache-2.0
// A real run of a model so small that a step takes about a millisecond, started by the built engine.
#pragma once

#include <QProcess>
#include <filesystem>

#include "tests/support/temp_run.h"

namespace unmask::test {

inline QString builtEngine() {
    return QStringLiteral(UNMASK_BINARY_DIR "/bin/unmask-engine");
}

// Arguments of `start` for a run in `folder`; its text is written beside it.
inline QStringList tinyRun(const std::filesystem::path& folder, int steps) {
    const std::filesystem::path text = folder.parent_path() / "text.txt";
    std::string bytes;
    for (int i = 0; i < 2000; ++i)
        bytes += "the quick brown fox number " + std::to_string(i * 7919 % 1000) + " jumps over the lazy dog\n";
    writeBytes(text, bytes);
    const QString words = QStringLiteral(
        "--layers 1 --width 16 --heads 2 --feed-forward-width 32 --sequence-length 16 --batch-size 2 --threads 1 "
        "--validation-samples 4 --sample-length 16 --denoising-steps 4 --sample-block-size 8");
    return QStringList{QStringLiteral("start"),   QStringLiteral("--json"),
                       QStringLiteral("--data"),  QString::fromStdString(text.string()),
                       QStringLiteral("--run"),   QString::fromStdString(folder.string()),
                       QStringLiteral("--steps"), QString::number(steps)} +
           words.split(u' ');
}

inline bool canTrain() {
    return std::filesystem::exists(UNMASK_BINARY_DIR "/bin/unmask-engine") &&
           std::filesystem::exists(UNMASK_BINARY_DIR "/bin/unmask-worker");
}

}  // namespace unmask::test
