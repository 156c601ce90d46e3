// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_words.h"

#include <QRegularExpression>
#include <array>

#include "ui/models/end_words.h"
#include "ui/settings/number_text.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

struct Word {
    const char* name;
    const char* text;
};

// Phases as the engine writes them, and what people read.
constexpr std::array kPhases{
    Word{"importing", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "reading the data")},
    Word{"loading", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "loading")},
    Word{"planning", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "planning memory")},
    Word{"first step", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "first step")},
    Word{"training", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "training")},
    Word{"validating", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "validating")},
    Word{"sampling", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "writing a sample")},
    Word{"saving", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "saving a checkpoint")},
    Word{"stopping", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "stopping")},
    Word{"paused", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "paused")},
};

constexpr std::array kKinds{
    Word{"started", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "start")},
    Word{"resumed", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "resume")},
    Word{"phase", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "phase")},
    Word{"sample", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "sample")},
    Word{"checkpoint", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "checkpoint")},
    Word{"suggestion", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "suggestion")},
    Word{"anomaly", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "anomaly")},
    Word{"log", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "log")},
    Word{"warning", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "warning")},
    Word{"command", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "command")},
    Word{"paused", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "pause")},
    Word{"continued", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "go on")},
    Word{"finished", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "end")},
    Word{"failed", QT_TRANSLATE_NOOP("unmask::ui::RunWords", "failure")},
};

template <size_t N>
QString lookUp(const std::array<Word, N>& words, std::string_view name) {
    for (const Word& word : words)
        if (name == word.name)
            return RunWords::tr(word.text);
    return fromUtf8(name);
}

// One sentence an event kind.
struct Summary {
    QString operator()(const StartedEvent& e) const {
        return RunWords::tr("Started on %1 (%2), %3 parameters")
            .arg(fromUtf8(e.host), RunWords::device(fromUtf8(e.device)),
                 NumberText::count(static_cast<double>(e.parameters)));
    }
    QString operator()(const ResumedEvent& e) const {
        const QString from = e.checkpoint.empty() ? RunWords::tr("Begun again at step 0")
                                                  : RunWords::tr("Resumed from step %L1").arg(e.fromStep);
        QStringList changed;
        for (const std::string& each : e.changed)
            changed << fromUtf8(each);
        return changed.isEmpty() ? from : RunWords::tr("%1; changed: %2").arg(from, changed.join(QStringLiteral(", ")));
    }
    QString operator()(const PhaseEvent& e) const {
        const QString name = RunWords::phase(fromUtf8(e.name));
        return e.detail.empty() ? name : RunWords::tr("%1: %2").arg(name, fromUtf8(e.detail));
    }
    QString operator()(const MetricsEvent&) const { return {}; }
    QString operator()(const DeviceEvent&) const { return {}; }
    QString operator()(const SampleEvent& e) const { return fromUtf8(e.prompt + e.text).simplified().left(200); }
    QString operator()(const CheckpointEvent& e) const {
        const QString folder = fromUtf8(e.folder);
        if (e.action == "saved")
            return RunWords::tr("Saved %1 (%2)").arg(folder, NumberText::memory(static_cast<double>(e.bytes)));
        if (e.action == "removed")
            return RunWords::tr("Removed %1, an older one").arg(folder);
        if (e.action == "superseded")
            return RunWords::tr("%1 is void since the run went back before it").arg(folder);
        return RunWords::tr("%1 is not usable: %2").arg(folder, fromUtf8(e.reason));
    }
    QString operator()(const SuggestionEvent& e) const { return fromUtf8(e.text); }
    QString operator()(const AnomalyEvent& e) const { return fromUtf8(e.detail.empty() ? e.what : e.detail); }
    QString operator()(const LogEvent& e) const { return fromUtf8(e.text); }
    QString operator()(const WarningEvent& e) const { return fromUtf8(e.text); }
    QString operator()(const CommandEvent& e) const {
        const QString text = e.accepted ? RunWords::tr("%1: done") : RunWords::tr("%1: refused");
        const QString command = fromUtf8(e.command);
        return e.detail.empty() ? text.arg(command)
                                : RunWords::tr("%1 (%2)").arg(text.arg(command), fromUtf8(e.detail));
    }
    QString operator()(const PausedEvent&) const { return RunWords::tr("Paused"); }
    QString operator()(const ContinuedEvent& e) const {
        return RunWords::tr("Going on after a pause of %1").arg(NumberText::duration(e.pausedSeconds));
    }
    QString operator()(const FinishedEvent& e) const {
        return EndWords::sentence(e.outcome == "finished" ? RunWord::finished : RunWord::stopped, fromUtf8(e.reason));
    }
    QString operator()(const FailedEvent& e) const { return EndWords::sentence(RunWord::failed, fromUtf8(e.reason)); }
    QString operator()(const UnknownEvent& e) const {
        return RunWords::tr("An event of a later version (%1)").arg(fromUtf8(e.kind));
    }
};

}  // namespace

QString RunWords::state(RunWord word) {
    switch (word) {
        case RunWord::starting:
            return tr("starting");
        case RunWord::running:
            return tr("running");
        case RunWord::paused:
            return tr("paused");
        case RunWord::stalled:
            return tr("stalled");
        case RunWord::interrupted:
            return tr("interrupted");
        case RunWord::lost:
            return tr("lost");
        case RunWord::failed:
            return tr("failed");
        case RunWord::stopped:
            return tr("stopped");
        case RunWord::finished:
            return tr("finished");
    }
    return {};
}

QString RunWords::stateMeaning(RunWord word) {
    switch (word) {
        case RunWord::starting:
            return tr("The engine has been started and is getting ready.");
        case RunWord::running:
            return tr("The engine is training.");
        case RunWord::paused:
            return tr("The engine waits until you let it go on.");
        case RunWord::stalled:
            return tr("The engine's process is there, but it has shown no progress for a while.");
        case RunWord::interrupted:
            return tr("The engine's process is gone and left no end record. You can resume from the last checkpoint.");
        case RunWord::lost:
            return tr("The run folder is gone, cannot be read, or holds another run.");
        case RunWord::failed:
            return tr("The run ended with an error.");
        case RunWord::stopped:
            return tr("The run was stopped before its last step. You can resume it.");
        case RunWord::finished:
            return tr("The run has done all its steps.");
    }
    return {};
}

QString RunWords::link(LinkWord word) {
    switch (word) {
        case LinkWord::idle:
            return tr("not connected");
        case LinkWord::connecting:
            return tr("connecting");
        case LinkWord::live:
            return tr("live");
        case LinkWord::reconnecting:
            return tr("reconnecting");
        case LinkWord::ended:
            return tr("complete");
        case LinkWord::refused:
            return tr("newer version");
    }
    return {};
}

QString RunWords::phase(const QString& word) {
    return lookUp(kPhases, toUtf8(word));
}

QString RunWords::device(const QString& name) {
    static const QRegularExpression cpu(QStringLiteral("^CPU, (\\d+) threads?$"));
    const QString threads = cpu.match(name).captured(1);
    if (threads.isEmpty())
        return name;
    return threads == QLatin1String("1") ? tr("CPU, 1 thread") : tr("CPU, %1 threads").arg(threads);
}

QString RunWords::eventKind(std::string_view kind) {
    return lookUp(kKinds, kind);
}

QString RunWords::eventSummary(const EventRecord& record) {
    return std::visit(Summary{}, record.event);
}

QString RunWords::command(CommandKind kind) {
    switch (kind) {
        case CommandKind::pause:
            return tr("Pause");
        case CommandKind::resume:
            return tr("Go on");
        case CommandKind::checkpoint:
            return tr("Checkpoint");
        case CommandKind::stop:
            return tr("Stop");
        case CommandKind::sample:
            return tr("Sample");
        case CommandKind::set:
            return tr("Change a setting");
    }
    return {};
}

QString RunWords::commandProgress(const CommandProgress& progress) {
    const QString name = command(progress.command.kind);
    switch (progress.phase) {
        case CommandPhase::asked:
            return tr("%1: asked…").arg(name);
        case CommandPhase::done:
            return progress.step >= 0 ? tr("%1: done at step %L2").arg(name).arg(progress.step)
                                      : tr("%1: done").arg(name);
        case CommandPhase::refused:
            return tr("%1: refused. %2").arg(name, progress.detail);
        case CommandPhase::unanswered:
            return tr("%1: no answer yet. The run may be busy with a long step.").arg(name);
    }
    return {};
}

}  // namespace unmask::ui
