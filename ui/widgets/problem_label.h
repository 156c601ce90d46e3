// SPDX-License-Identifier: Apache-2.0
// A sentence beside a field that says what is wrong; it takes no room while all is well.
#pragma once

#include <QWidget>

class QLabel;

namespace unmask::ui {

enum class ProblemKind { none, note, warning, error };

class ProblemLabel final : public QWidget {
    Q_OBJECT
 public:
    explicit ProblemLabel(QWidget* parent = nullptr);

    void setProblem(ProblemKind kind, const QString& sentence);
    void clear() { setProblem(ProblemKind::none, {}); }
    ProblemKind kind() const { return m_kind; }
    QString sentence() const;

 private:
    void restyle();

    ProblemKind m_kind = ProblemKind::none;
    QLabel* m_icon;
    QLabel* m_text;
};

}  // namespace unmask::ui
