// SPDX-License-Identifier: Apache-2.0
// Stop and save, stop without saving, or keep running: says what is kept and what is lost.
#pragma once

#include <QDialog>
#include <optional>

namespace unmask::ui {

class RunSession;

struct StopLoss {
    qint64 step = 0;                // now
    qint64 checkpointStep = 0;      // of the last good checkpoint; 0: there is none
    std::optional<double> seconds;  // of training between the two
};
StopLoss stopLossOf(const RunSession& session);

class StopDialog final : public QDialog {
    Q_OBJECT
 public:
    static QString lossSentence(const StopLoss& loss);
    explicit StopDialog(const StopLoss& loss, QWidget* parent = nullptr);

 Q_SIGNALS:
    void chosen(bool saveFirst);

 private:
    QWidget* makeChoice(const char* role, const QString& verb, const QString& meaning, const QString& objectName,
                        bool isDefault, bool saveFirst);
};

}  // namespace unmask::ui
