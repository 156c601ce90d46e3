// SPDX-License-Identifier: Apache-2.0
// The architectures to choose from as cards, custom last. The checked one is that whose shape the form has now.
#pragma once

#include <QList>
#include <QWidget>

#include "engine/protocol/presets.h"

class QLabel;

namespace unmask::ui {

class ArchitectureCard;

class PresetRow final : public QWidget {
    Q_OBJECT
 public:
    explicit PresetRow(QWidget* parent = nullptr);

    void showModel(const ModelConfig& model);

 Q_SIGNALS:
    void presetChosen(const QString& name);
    void customChosen();

 private:
    void retext();
    void showSummary();  // of the checked card

    QLabel* m_summary;
    QList<ArchitectureCard*> m_cards;  // as allPresets(), then custom
};

// The preset with this shape, whatever its name in the spec; null for a shape of one's own.
const Preset* presetWithShape(const ModelConfig& model);

}  // namespace unmask::ui
