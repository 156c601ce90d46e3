// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/preset_row.h"

#include <QLocale>

#include "engine/planner/model_shape.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/language.h"
#include "ui/style/numbers.h"
#include "ui/widgets/architecture_card.h"
#include "ui/widgets/flow_layout.h"

namespace unmask::ui {

namespace {

// Small to large, as people read them.
std::vector<const Preset*> orderedPresets() {
    std::vector<const Preset*> presets;
    for (const Preset& preset : allPresets())
        presets.push_back(&preset);
    std::sort(presets.begin(), presets.end(), [](const Preset* a, const Preset* b) {
        return a->spec.model.layers * a->spec.model.width < b->spec.model.layers * b->spec.model.width;
    });
    return presets;
}

ModelConfig nameless(ModelConfig model) {
    model.preset.clear();
    return model;
}

}  // namespace

const Preset* presetWithShape(const ModelConfig& model) {
    for (const Preset& preset : allPresets())
        if (nameless(preset.spec.model) == nameless(model))
            return &preset;
    return nullptr;
}

PresetRow::PresetRow(QWidget* parent) : QWidget(parent), m_summary(makeWrappingLabel(this, "caption")) {
    auto* cards = new QWidget(this);
    auto* flow = new FlowLayout(cards);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(cards);
    column->addWidget(m_summary);
    for (const Preset* preset : orderedPresets()) {
        auto* card = new ArchitectureCard(cards);
        card->setObjectName(QStringLiteral("preset-") + QString::fromUtf8(preset->name));
        connect(card, &QAbstractButton::clicked, this,
                [this, preset] { Q_EMIT presetChosen(QString::fromUtf8(preset->name)); });
        flow->addWidget(card);
        m_cards.append(card);
    }
    auto* custom = new ArchitectureCard(cards);
    custom->setObjectName(QStringLiteral("preset-custom"));
    connect(custom, &QAbstractButton::clicked, this, &PresetRow::customChosen);
    flow->addWidget(custom);
    m_cards.append(custom);
    (new Retranslator(this))->add([this] { retext(); });
}

void PresetRow::retext() {
    const std::vector<const Preset*> presets = orderedPresets();
    for (size_t i = 0; i < presets.size(); ++i) {
        const Preset& preset = *presets[i];
        const ModelConfig model = resolvedModel(preset.spec);
        ArchitectureFacts facts;
        facts.name = inUiLanguage(preset.titleEn, preset.titleZh);
        facts.shape = tr("%1 layers × %2").arg(model.layers).arg(model.width);
        facts.parameters = tr("%1 parameters").arg(numbers::count(static_cast<double>(countParameters(model).total)));
        facts.layers = static_cast<int>(model.layers);
        facts.width = static_cast<int>(model.width);
        m_cards[static_cast<qsizetype>(i)]->setFacts(facts);
        m_cards[static_cast<qsizetype>(i)]->setToolTip(inUiLanguage(preset.summaryEn, preset.summaryZh));
    }
    ArchitectureFacts custom;
    custom.name = tr("Custom");
    custom.shape = tr("Your own shape");
    custom.parameters = tr("You decide");
    m_cards.last()->setFacts(custom);
    m_cards.last()->setToolTip(tr("Layers, width and heads as you like."));
    showSummary();
}

void PresetRow::showSummary() {
    for (const ArchitectureCard* card : std::as_const(m_cards))
        if (card->isChecked())
            m_summary->setText(card->toolTip());
}

void PresetRow::showModel(const ModelConfig& model) {
    const Preset* now = presetWithShape(model);
    const std::vector<const Preset*> presets = orderedPresets();
    for (size_t i = 0; i < presets.size(); ++i)
        if (presets[i] == now)
            m_cards[static_cast<qsizetype>(i)]->setChecked(true);
    if (!now)
        m_cards.last()->setChecked(true);
    showSummary();
}

}  // namespace unmask::ui
