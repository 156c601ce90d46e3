// SPDX-License-Identifier: Apache-2.0
// The sizes of a layout as boxes in a row, bound to the form: data, tensor, pipeline, context and expert parallel, ZeRO
// stage, micro-batch, activation checkpointing. Arrows go from one size that the model allows to the next; what is
// typed stays, allowed or not.
#pragma once

#include <QHash>
#include <QWidget>

#include "ui/forms/spec_draft.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace unmask::ui {

class LayoutSizes final : public QWidget {
    Q_OBJECT
 public:
    explicit LayoutSizes(SpecDraft* draft, QWidget* parent = nullptr);

    static QStringList paths();
    QWidget* control(const QString& path) const;                              // null for a setting that is not here
    void setAllowed(const QString& path, const std::vector<int64_t>& sizes);  // ascending

 protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

 private:
    class SizeBox;
    struct Field {
        const Setting* setting;
        QLabel* label;
        SizeBox* box = nullptr;
        QComboBox* choice = nullptr;
        QString allowed;  // in words, for the tooltip
    };
    void add(const QString& path);
    void retext();
    void describe(const Field& field);
    void showDraft();
    void markProblems();

    SpecDraft* m_draft;
    QList<Field> m_fields;
};

}  // namespace unmask::ui
