// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/questions.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QLocale>

namespace unmask::ui {

namespace {

constexpr int kMostSteps = 2'000'000'000;

struct Questions {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::Questions)
};

QInputDialog* makeDialog(QWidget* window, const QString& title, const QString& label) {
    auto* dialog = new QInputDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setOkButtonText(Questions::tr("OK"));
    dialog->setCancelButtonText(Questions::tr("Cancel"));
    return dialog;
}

}  // namespace

void askForText(QWidget* window, const QString& title, const QString& label, const QString& text, QObject* context,
                std::function<void(const QString&)> answer) {
    QInputDialog* dialog = makeDialog(window, title, label);
    dialog->setTextValue(text);
    QObject::connect(dialog, &QInputDialog::textValueSelected, context, std::move(answer));
    dialog->open();
}

void askForMoreSteps(QWidget* window, const QString& runName, qint64 planned, QObject* context,
                     std::function<void(qint64)> answer) {
    QInputDialog* dialog = makeDialog(
        window, Questions::tr("Extend the run"),
        Questions::tr("%1 is planned for %2 steps. How many more?").arg(runName, QLocale().toString(planned)));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(1, kMostSteps);
    dialog->setIntStep(100);
    dialog->setIntValue(static_cast<int>(std::clamp<qint64>(planned, 1, kMostSteps / 2)));
    QObject::connect(dialog, &QInputDialog::intValueSelected, context, std::move(answer));
    dialog->open();
}

}  // namespace unmask::ui
