// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/run_actions.h"

#include <QDesktopServices>
#include <QMenu>
#include <QRandomGenerator>
#include <QUrl>

#include "ui/pages/questions.h"
#include "ui/settings/path_text.h"
#include "ui/style/icons.h"

namespace unmask::ui {

namespace {

constexpr quint32 kSeedLimit = 1'000'000;  // short enough to read aloud

QString nameOf(const RunRow& row) {
    return row.name.isEmpty() ? row.id : row.name;
}

}  // namespace

RunActions::RunActions(const Services& services, QObject* parent) : QObject(parent), m_services(services) {}

bool RunActions::mayResume(const RunRow& row) {
    switch (row.status.word) {
        case RunWord::interrupted:
        case RunWord::failed:
        case RunWord::stopped:
            return true;
        default:
            return false;
    }
}

void RunActions::openLive(const RunRow& row) {
    Q_EMIT m_services.navigator.liveRequested(row.key);
}

void RunActions::resume(const RunRow& row, const QStringList& changes) {
    StartRequest request;
    request.runFolder = toPath(row.folder);
    request.resume = true;
    request.changes = changes;
    EngineTask* task = m_services.engine.start(request);
    Q_EMIT resuming(row.key, true);
    connect(task, &EngineTask::finished, this, [this, row](const EngineReply& reply) {
        Q_EMIT resuming(row.key, false);
        if (!reply.ok) {
            Q_EMIT m_services.navigator.messageRequested(
                BannerKind::danger, tr("%1 could not be resumed: %2").arg(nameOf(row), reply.sentence));
            return;
        }
        Q_EMIT m_services.navigator.runResumed(row.key);
        Q_EMIT m_services.navigator.liveRequested(row.key);
    });
}

void RunActions::extend(const RunRow& row, QWidget* window) {
    const qint64 planned = std::max<qint64>(1, row.status.totalSteps);
    askForMoreSteps(window, nameOf(row), planned, this, [this, row, planned](qint64 more) {
        resume(row, {QStringLiteral("training.steps=%1").arg(planned + more)});
    });
}

void RunActions::newFrom(const RunRow& row) {
    seedForm(row, false);
}

void RunActions::runAgain(const RunRow& row) {
    seedForm(row, true);
}

void RunActions::seedForm(const RunRow& row, bool newSeed) {
    m_services.store.spec(row.key).then(this, [this, row, newSeed](const std::optional<RunSpec>& found) {
        if (!found) {
            Q_EMIT m_services.navigator.messageRequested(
                BannerKind::warning, tr("The settings of %1 could not be read from its folder.").arg(nameOf(row)));
            return;
        }
        FormSeed seed{*found, tr("Settings of %1").arg(nameOf(row))};
        seed.spec.launch.name.clear();
        if (newSeed) {
            seed.spec.training.seed = QRandomGenerator::global()->bounded(1u, kSeedLimit);
            seed.origin = tr("%1 again, with a new seed").arg(nameOf(row));
        }
        Q_EMIT m_services.navigator.newRunRequested(seed);
    });
}

void RunActions::rename(const RunRow& row, QWidget* window) {
    askForText(window, tr("Rename the run"), tr("Name in lists and charts:"), nameOf(row), this,
               [this, row](const QString& name) {
                   m_services.store.annotate(row.key, {Annotation::Kind::name, name.trimmed(), {}});
               });
}

void RunActions::editTags(const RunRow& row, QWidget* window) {
    askForText(window, tr("Tags of the run"), tr("Tags, separated by spaces:"), row.tags.join(QLatin1Char(' ')), this,
               [this, row](const QString& text) {
                   QStringList tags = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
                   tags.removeDuplicates();
                   m_services.store.annotate(row.key, {Annotation::Kind::tags, {}, tags});
               });
}

void RunActions::setNote(const RunRow& row, const QString& note) {
    m_services.store.annotate(row.key, {Annotation::Kind::note, note, {}});
}

void RunActions::openFolder(const RunRow& row) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(row.folder));
}

void RunActions::forget(const RunRow& row) {
    m_services.store.forget(row.key);
}

void RunActions::fillMenu(QMenu& menu, const std::vector<RunRow>& chosen, QWidget* window) {
    if (chosen.empty())
        return;
    if (chosen.size() > 1) {
        QStringList keys;
        for (const RunRow& row : chosen)
            keys.append(row.key);
        menu.addAction(icon(Icon::compare), tr("Compare %n run(s)", nullptr, static_cast<int>(keys.size())), this,
                       [this, keys] { Q_EMIT m_services.navigator.compareRequested(keys); });
        return;
    }
    const RunRow row = chosen.front();
    menu.addAction(icon(Icon::live), tr("Open live"), this, [this, row] { openLive(row); });
    menu.addSeparator();
    QAction* resumeAction = menu.addAction(icon(Icon::resume), tr("Resume"), this, [this, row] { resume(row); });
    resumeAction->setEnabled(mayResume(row));
    QAction* extendAction =
        menu.addAction(icon(Icon::extend), tr("Extend…"), this, [this, row, window] { extend(row, window); });
    extendAction->setEnabled(mayResume(row) || row.status.word == RunWord::finished);
    menu.addAction(icon(Icon::newRun), tr("New run from this"), this, [this, row] { newFrom(row); });
    menu.addAction(icon(Icon::again), tr("Run again with a new seed"), this, [this, row] { runAgain(row); });
    menu.addSeparator();
    menu.addAction(tr("Rename…"), this, [this, row, window] { rename(row, window); });
    menu.addAction(icon(Icon::tag), tr("Tags…"), this, [this, row, window] { editTags(row, window); });
    menu.addAction(icon(Icon::folder), tr("Open folder"), this, [this, row] { openFolder(row); });
    menu.addSeparator();
    menu.addAction(tr("Remove from the list"), this, [this, row] { forget(row); });
}

}  // namespace unmask::ui
