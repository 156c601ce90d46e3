// SPDX-License-Identifier: Apache-2.0
// The filter line above the run table. Words are looked for in name, id, host, data, tags and note; `field:text` looks
// in one field; `figure<number` compares. Everything must hold; a leading minus turns a condition round.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/store/run_row.h"

namespace unmask::ui {

class RunFilter {
 public:
    static RunFilter parse(const QString& text);

    bool accepts(const RunRow& row) const;
    bool isEmpty() const { return m_conditions.empty(); }
    QStringList chips() const;                                  // the conditions as typed, for display
    const QStringList& problems() const { return m_problems; }  // sentences about parts that were not understood

    static QStringList fieldNames();  // for completion

 private:
    enum class Sign { contains, less, lessEqual, greater, greaterEqual, equal };
    struct Condition {
        QString typed;
        bool negated = false;
        QString field;  // empty: anywhere
        Sign sign = Sign::contains;
        QString text;
        double number = 0;
    };
    static Condition parseWord(const QString& word, QStringList& problems);
    static bool holds(const Condition& condition, const RunRow& row);

    std::vector<Condition> m_conditions;
    QStringList m_problems;
};

}  // namespace unmask::ui
