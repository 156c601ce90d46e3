// SPDX-License-Identifier: Apache-2.0
// What people may do with one run from wherever it is shown: resume, extend, run again, rename, tag, and so on.
#pragma once

#include <QObject>

#include "ui/pages/services.h"

class QMenu;

namespace unmask::ui {

class RunActions final : public QObject {
    Q_OBJECT
 public:
    explicit RunActions(const Services& services, QObject* parent = nullptr);

    void openLive(const RunRow& row);
    void resume(const RunRow& row, const QStringList& changes = {});
    void extend(const RunRow& row, QWidget* window);  // asks for the new number of steps
    void newFrom(const RunRow& row);
    void runAgain(const RunRow& row);  // the same spec with another seed, in the form
    void rename(const RunRow& row, QWidget* window);
    void editTags(const RunRow& row, QWidget* window);
    void setNote(const RunRow& row, const QString& note);
    void openFolder(const RunRow& row);
    void forget(const RunRow& row);

    // The menu of a row; more than one chosen run offers Compare alone.
    void fillMenu(QMenu& menu, const std::vector<RunRow>& chosen, QWidget* window);

    static bool mayResume(const RunRow& row);

 Q_SIGNALS:
    void resuming(const QString& key, bool busy);  // from the click until the engine answered

 private:
    void seedForm(const RunRow& row, bool newSeed);

    Services m_services;
};

}  // namespace unmask::ui
