// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_sizes.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "ui/forms/setting_text.h"
#include "ui/pages/page_parts.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/flow_layout.h"

namespace unmask::ui {

namespace {

constexpr size_t kMostAllowedInWords = 16;

bool isMicroBatch(const Setting& setting) {
    return setting.path == "parallel.micro_batch_size";
}

}  // namespace

class LayoutSizes::SizeBox final : public QSpinBox {
 public:
    using QSpinBox::QSpinBox;
    QLineEdit* line() const { return lineEdit(); }
    void setAllowed(const std::vector<int64_t>& sizes) { m_allowed = sizes; }

    void stepBy(int steps) override {
        int64_t next = value();
        for (int i = 0; i < std::abs(steps); ++i)
            next = steps > 0 ? above(next) : below(next);
        setValue(static_cast<int>(std::clamp<int64_t>(next, minimum(), maximum())));
        selectAll();
    }

 private:
    int64_t above(int64_t from) const {
        const auto next = std::upper_bound(m_allowed.begin(), m_allowed.end(), from);
        return next == m_allowed.end() ? from + 1 : *next;
    }
    int64_t below(int64_t from) const {
        const auto next = std::lower_bound(m_allowed.begin(), m_allowed.end(), from);
        return next == m_allowed.begin() || m_allowed.empty() ? from - 1 : *(next - 1);
    }

    std::vector<int64_t> m_allowed;
};

QStringList LayoutSizes::paths() {
    return {QStringLiteral("parallel.data_parallel_size"),   QStringLiteral("parallel.tensor_parallel_size"),
            QStringLiteral("parallel.pipeline_stages"),      QStringLiteral("parallel.context_parallel_size"),
            QStringLiteral("parallel.expert_parallel_size"), QStringLiteral("parallel.zero_stage"),
            QStringLiteral("parallel.micro_batch_size"),     QStringLiteral("parallel.activation_checkpointing")};
}

LayoutSizes::LayoutSizes(SpecDraft* draft, QWidget* parent) : QWidget(parent), m_draft(draft) {
    new FlowLayout(this);
    for (const QString& path : paths())
        add(path);
    connect(m_draft, &SpecDraft::fieldChanged, this, &LayoutSizes::showDraft);
    connect(m_draft, &SpecDraft::problemsChanged, this, &LayoutSizes::markProblems);
    retext();
}

void LayoutSizes::add(const QString& path) {
    auto* cell = new QWidget(this);
    auto* column = new QVBoxLayout(cell);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Style::instance().px(0.15));
    Field field{&settingAt(path), makeLabel(cell, "caption")};
    QWidget* control = nullptr;
    if (field.setting->type == SettingType::choice) {
        field.choice = new QComboBox(cell);
        field.choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        for (const SettingChoice& choice : field.setting->choices)
            field.choice->addItem(QString(), QString::fromUtf8(choice.word));
        connect(field.choice, &QComboBox::activated, this, [this, path, box = field.choice](int index) {
            m_draft->setValue(path, Json(box->itemData(index).toString().toStdString()));
        });
        control = field.choice;
    } else {
        field.box = new SizeBox(cell);
        constexpr double kMost = std::numeric_limits<int>::max();
        field.box->setRange(static_cast<int>(field.setting->info.min),
                            static_cast<int>(std::min(field.setting->info.max, kMost)));
        field.box->setAccelerated(true);
        connect(field.box, &QSpinBox::valueChanged, this,
                [this, path](int value) { m_draft->setText(path, QString::number(value)); });
        field.box->line()->installEventFilter(this);
        control = field.box;
    }
    control->setObjectName(path);
    control->installEventFilter(this);
    field.label->setBuddy(control);
    column->addWidget(field.label);
    column->addWidget(control);
    layout()->addWidget(cell);
    const auto fit = [control] { control->setMinimumWidth(Style::instance().px(7)); };
    fit();
    connect(&Style::instance(), &Style::changed, control, fit);
    m_fields.append(field);
}

QWidget* LayoutSizes::control(const QString& path) const {
    return paths().contains(path) ? findChild<QWidget*>(path) : nullptr;
}

void LayoutSizes::setAllowed(const QString& path, const std::vector<int64_t>& sizes) {
    for (Field& field : m_fields) {
        if (!field.box || QString::fromStdString(field.setting->path) != path)
            continue;
        field.box->setAllowed(sizes);
        QStringList words;
        for (size_t i = 0; i < std::min(sizes.size(), kMostAllowedInWords); ++i)
            words << QLocale().toString(qint64{sizes[i]});
        if (sizes.size() > kMostAllowedInWords)
            words << QStringLiteral("…");
        field.allowed = words.join(QStringLiteral(", "));
        describe(field);
    }
}

void LayoutSizes::retext() {
    for (const Field& field : std::as_const(m_fields)) {
        field.label->setText(settingLabel(*field.setting));
        if (field.choice)
            for (int i = 0; i < field.choice->count(); ++i) {
                const SettingChoice& choice = field.setting->choices[static_cast<size_t>(i)];
                field.choice->setItemText(i, inUiLanguage(choice.label.en, choice.label.zh));
            }
        if (isMicroBatch(*field.setting))
            field.box->setSpecialValueText(tr("whole share"));
        describe(field);
    }
    showDraft();
}

void LayoutSizes::describe(const Field& field) {
    const QString help = settingHelp(*field.setting);
    const QString all = field.allowed.isEmpty() ? help : tr("%1 This model allows %2.").arg(help, field.allowed);
    const std::initializer_list<QWidget*> both{field.label,
                                               field.box ? static_cast<QWidget*>(field.box) : field.choice};
    for (QWidget* widget : both) {
        widget->setToolTip(QStringLiteral("<qt>%1</qt>").arg(all.toHtmlEscaped()));
        widget->setWhatsThis(all);
        widget->setAccessibleName(settingLabel(*field.setting));
        widget->setAccessibleDescription(all);
    }
}

void LayoutSizes::showDraft() {
    for (const Field& field : std::as_const(m_fields)) {
        const Json value = m_draft->value(QString::fromStdString(field.setting->path));
        if (field.choice) {
            field.choice->setCurrentIndex(field.choice->findData(QString::fromStdString(value.get<std::string>())));
            continue;
        }
        const auto size = static_cast<int>(std::min<int64_t>(value.get<int64_t>(), field.box->maximum()));
        if (size == field.box->value())  // setting it again would move the cursor of somebody who types
            continue;
        const QSignalBlocker quiet(field.box);
        field.box->setValue(size);
    }
}

void LayoutSizes::markProblems() {
    for (const Field& field : std::as_const(m_fields)) {
        QWidget* control = field.box ? static_cast<QWidget*>(field.box) : field.choice;
        const ProblemKind kind = m_draft->problemOf(QString::fromStdString(field.setting->path)).kind;
        const QString word = kind == ProblemKind::error     ? QStringLiteral("error")
                             : kind == ProblemKind::warning ? QStringLiteral("warning")
                                                            : QString();
        if (control->property("problem").toString() == word)
            continue;
        control->setProperty("problem", word);
        control->style()->unpolish(control);
        control->style()->polish(control);
    }
}

// Undo belongs to the whole form, and a wheel over a box without focus scrolls the page.
bool LayoutSizes::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        const bool redo = key->matches(QKeySequence::Redo);
        if (undo || redo) {
            if (event->type() == QEvent::ShortcutOverride)
                event->ignore();
            else
                undo ? m_draft->undoStack()->undo() : m_draft->undoStack()->redo();
            return true;
        }
    }
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void LayoutSizes::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retext();
    QWidget::changeEvent(event);
}

}  // namespace unmask::ui
