// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/stop_dialog.h"

#include <QLocale>

#include "ui/models/run_session.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/step_pace.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

StopLoss stopLossOf(const RunSession& session) {
    StopLoss loss;
    loss.step = session.status().step;
    for (const EventRecord& record : session.events())
        if (const auto* checkpoint = std::get_if<CheckpointEvent>(&record.event))
            if (checkpoint->action == "saved")
                loss.checkpointStep = record.step;
    const auto pace = secondsPerStep(session.series().columns(QStringLiteral("train/loss")));
    if (pace)
        loss.seconds = *pace * static_cast<double>(std::max<qint64>(0, loss.step - loss.checkpointStep));
    return loss;
}

QString StopDialog::lossSentence(const StopLoss& loss) {
    const int steps = static_cast<int>(std::max<qint64>(0, loss.step - loss.checkpointStep));
    const QString since = QLocale().toString(loss.checkpointStep);
    if (steps == 0)
        return tr("Nothing is lost: the last checkpoint is of this step.");
    if (loss.checkpointStep == 0)
        return loss.seconds ? tr("There is no checkpoint yet: all work (%n step(s), %1) is lost.", nullptr, steps)
                                  .arg(numbers::duration(*loss.seconds))
                            : tr("There is no checkpoint yet: all work (%n step(s)) is lost.", nullptr, steps);
    return loss.seconds ? tr("Work since step %1 (%n step(s), %2) is lost.", nullptr, steps)
                              .arg(since, numbers::duration(*loss.seconds))
                        : tr("Work since step %1 (%n step(s)) is lost.", nullptr, steps).arg(since);
}

StopDialog::StopDialog(const StopLoss& loss, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Stop the run"));
    setObjectName(QStringLiteral("stopDialog"));
    QVBoxLayout* column = makePageColumn(this);
    auto* heading = makeLabel(this, "heading");
    heading->setText(tr("How should the run end?"));
    column->addWidget(heading);

    const QString lost = lossSentence(loss);
    column->addWidget(makeChoice("primary", tr("Stop and save"), tr("Writes a checkpoint you can resume from."),
                                 QStringLiteral("stopAndSave"), true, true));
    column->addWidget(
        makeChoice("danger", tr("Stop without saving"), lost, QStringLiteral("stopWithoutSaving"), false, false));
    auto* keep = makeButton(this);
    keep->setText(tr("Keep running"));
    keep->setObjectName(QStringLiteral("keepRunning"));
    connect(keep, &QPushButton::clicked, this, &QDialog::reject);
    column->addSpacing(gap());
    column->addWidget(keep, 0, Qt::AlignRight);
    setMinimumWidth(Style::instance().px(30));
}

QWidget* StopDialog::makeChoice(const char* role, const QString& verb, const QString& meaning,
                                const QString& objectName, bool isDefault, bool saveFirst) {
    auto* area = new QFrame(this);
    setRole(area, "sunken");
    auto* row = new QHBoxLayout(area);
    auto* text = makeWrappingLabel(area);
    text->setText(meaning);
    auto* button = makeButton(area, {}, role);
    button->setText(verb);
    button->setObjectName(objectName);
    button->setDefault(isDefault);
    button->setAutoDefault(isDefault);
    button->setAccessibleDescription(meaning);
    row->addWidget(text, 1);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, saveFirst] {
        Q_EMIT chosen(saveFirst);
        accept();
    });
    return area;
}

}  // namespace unmask::ui
