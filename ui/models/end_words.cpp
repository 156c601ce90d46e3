// SPDX-License-Identifier: Apache-2.0
#include "ui/models/end_words.h"

#include <QLocale>
#include <QRegularExpression>
#include <array>

#include "engine/base/error.h"
#include "ui/models/run_words.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

struct Ending {
    const char* pattern;  // of the whole engine sentence; a number in it becomes %1
    const char* text;
};

// The ordinary ends. run_training, control, supervisor and exit_report of the engine write them.
constexpr std::array kEndings{
    Ending{"all (\\d+) updates? done", QT_TRANSLATE_NOOP("unmask::ui::EndWords", "All %1 steps are done.")},
    Ending{"stopped by command at step (\\d+)",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Stopped on request at step %1; a checkpoint was saved.")},
    Ending{"stopped by command at step (\\d+), without a checkpoint",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Stopped on request at step %1, without a checkpoint.")},
    Ending{"ended by Ctrl-C \\(SIGINT\\) at step (\\d+)",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Stopped by Ctrl-C at step %1; a checkpoint was saved.")},
    Ending{"ended by Ctrl-C \\(SIGINT\\) at step (\\d+), without a checkpoint",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Stopped by Ctrl-C at step %1, without a checkpoint.")},
    Ending{"ended by Ctrl-C \\(SIGINT\\) before it had begun",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Stopped by Ctrl-C before it had begun.")},
    Ending{"ended by SIGTERM at step (\\d+)",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords",
                             "The system asked the run to end (SIGTERM) at step %1; a checkpoint was saved.")},
    Ending{"ended by SIGTERM at step (\\d+), without a checkpoint",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords",
                             "The system asked the run to end (SIGTERM) at step %1, without a checkpoint.")},
    Ending{"ended by SIGTERM before it had begun",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The system asked the run to end (SIGTERM) before it had begun.")},
    Ending{"the training process was ended by SIGKILL.*",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords",
                             "The training process was killed (SIGKILL): by somebody, or because the system ran out of "
                             "memory.")},
    Ending{"the training process was ended by (SIG(?:SEGV|BUS|ABRT|ILL|FPE)).*",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords",
                             "The training process crashed (%1), by a fault of the program or the machine.")},
    Ending{"the training process was ended by (\\S.*)",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The training process was ended from outside (%1).")},
    Ending{"the training process ended with code (\\d+) without saying why",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The training process ended with code %1 without saying why.")},
};

// What went wrong, told by a word of the engine's sentence, which has the figures and is kept behind it.
constexpr std::array kFaults{
    Ending{"the GPU has no memory left|of scratch memory;|out of memory on GPU|CUDA out of memory",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The GPU ran out of memory.")},
    Ending{"this computer has no memory left|for the buffers of a step;|out of memory",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "Memory ran out.")},
    Ending{"the disk takes no more|No space left on device|Disk quota exceeded",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The disk is full.")},
    Ending{"not a finite number|not finite",
           QT_TRANSLATE_NOOP("unmask::ui::EndWords", "The loss or its gradient is no longer a finite number.")},
};

QRegularExpression whole(const char* pattern) {
    return QRegularExpression(QRegularExpression::anchoredPattern(QLatin1String(pattern)),
                              QRegularExpression::DotMatchesEverythingOption);
}

QString readable(const QString& part) {
    bool number = false;
    const qint64 value = part.toLongLong(&number);
    return number ? QLocale().toString(value) : part;
}

}  // namespace

QString EndWords::of(const RunRow& row) {
    const RunWord word = row.status.word;
    if (row.status.alive() && word != RunWord::stalled)
        return RunWords::stateMeaning(word);
    if (row.endReason.isEmpty() && word != RunWord::finished)
        return sentence(word, fromUtf8(row.status.evidence));
    return sentence(word, row.endReason);
}

QString EndWords::known(const QString& reason) {
    for (const Ending& ending : kEndings)
        if (const QRegularExpressionMatch match = whole(ending.pattern).match(reason); match.hasMatch())
            return match.lastCapturedIndex() > 0 ? tr(ending.text).arg(readable(match.captured(1))) : tr(ending.text);
    return {};
}

QString EndWords::sentence(RunWord word, const QString& reason) {
    if (reason.isEmpty())
        return RunWords::stateMeaning(word);
    if (const QString ending = known(reason); !ending.isEmpty())
        return ending;
    const QString detail = fromUtf8(plainMessage(toUtf8(reason)));
    for (const Ending& fault : kFaults)
        if (QRegularExpression(QLatin1String(fault.pattern)).match(reason).hasMatch())
            return tr("%1 (%2)").arg(tr(fault.text), detail);
    return tr("%1 (%2)").arg(RunWords::stateMeaning(word), detail);
}

}  // namespace unmask::ui
