// SPDX-License-Identifier: Apache-2.0
#include "ui/forms/spec_draft.h"

#include <QElapsedTimer>
#include <algorithm>

#include "engine/protocol/spec_json.h"
#include "ui/forms/setting_text.h"

namespace unmask::ui {
namespace {

constexpr int kUndoSteps = 200;
constexpr qint64 kMergeTypingMs = 500;
constexpr int kTypingId = 1;

}  // namespace

// One step of the undo stack holds the whole form before and after; a spec is a few kilobytes.
class SpecEdit final : public QUndoCommand {
 public:
    SpecEdit(SpecDraft* draft, SpecDraft::State before, SpecDraft::State after, QString path, const QString& name,
             bool typing)
        : QUndoCommand(name),
          m_draft(draft),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_path(std::move(path)),
          m_typing(typing) {
        m_when.start();
    }

    void undo() override { m_draft->show(m_before, m_path); }
    void redo() override { m_draft->show(m_after, m_path); }
    int id() const override { return m_typing ? kTypingId : -1; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const SpecEdit*>(other);
        if (next->m_path != m_path || m_when.elapsed() > kMergeTypingMs)
            return false;
        m_after = next->m_after;
        m_when.start();
        return true;
    }

 private:
    SpecDraft* m_draft;
    SpecDraft::State m_before;
    SpecDraft::State m_after;
    QString m_path;
    bool m_typing;
    QElapsedTimer m_when;
};

SpecDraft::SpecDraft(QObject* parent) : QObject(parent) {
    m_undo.setUndoLimit(kUndoSteps);
}

bool SpecDraft::hasInvalidText() const {
    return std::any_of(m_state.typed.cbegin(), m_state.typed.cend(), [](const Typed& typed) { return !typed.valid; });
}

void SpecDraft::load(const RunSpec& spec) {
    m_undo.clear();
    show(State{spec, {}}, {});
}

void SpecDraft::apply(const RunSpec& spec, const QString& stepName) {
    State next{spec, m_state.typed};
    for (const Setting& setting : allSettings())
        if (getSetting(spec, setting.path) != getSetting(m_state.spec, setting.path))
            next.typed.remove(QString::fromStdString(setting.path));
    push(std::move(next), {}, stepName, false);
}

void SpecDraft::setText(const QString& path, const QString& text) {
    const Setting& setting = settingAt(path);
    if (text == this->text(path))
        return;
    State next = m_state;
    const ParsedText parsed = parseSettingText(setting, text);
    const bool valid = parsed.value && setSetting(next.spec, setting.path, *parsed.value).ok();
    next.typed.insert(path, {text, valid});
    push(std::move(next), path, tr("change %1").arg(settingLabel(setting)), true);
}

void SpecDraft::setValue(const QString& path, const Json& value) {
    const Setting& setting = settingAt(path);
    State next = m_state;
    if (!setSetting(next.spec, setting.path, value).ok())
        return;
    next.typed.remove(path);
    push(std::move(next), path, tr("change %1").arg(settingLabel(setting)), false);
}

void SpecDraft::reset(const QString& path) {
    const Setting& setting = settingAt(path);
    State next = m_state;
    if (!setSetting(next.spec, setting.path, defaultValue(path)).ok())
        return;
    next.typed.remove(path);
    push(std::move(next), path, tr("reset %1").arg(settingLabel(setting)), false);
}

void SpecDraft::push(State next, const QString& path, const QString& name, bool typing) {
    if (next == m_state)
        return;
    m_undo.push(new SpecEdit(this, m_state, std::move(next), path, name, typing));
}

void SpecDraft::show(const State& state, const QString& path) {
    const bool specDiffers = !(state.spec == m_state.spec);
    m_state = state;
    Q_EMIT fieldChanged(path);
    Q_EMIT problemsChanged();
    if (specDiffers)
        Q_EMIT specChanged(m_state.spec);
}

Json SpecDraft::value(const QString& path) const {
    return getSetting(m_state.spec, path.toStdString());
}

QString SpecDraft::text(const QString& path) const {
    const auto typed = m_state.typed.constFind(path);
    return typed != m_state.typed.cend() ? typed->text : textOfValue(settingAt(path), value(path));
}

void SpecDraft::setDefaults(const RunSpec& defaults) {
    if (m_defaults == defaults)
        return;
    m_defaults = defaults;
    Q_EMIT fieldChanged(QString());
}

Json SpecDraft::defaultValue(const QString& path) const {
    return getSetting(m_defaults, settingAt(path).path);
}

bool SpecDraft::isDefault(const QString& path) const {
    const auto typed = m_state.typed.constFind(path);
    return value(path) == defaultValue(path) && (typed == m_state.typed.cend() || typed->valid);
}

void SpecDraft::setOutsideProblems(const QList<FieldProblem>& problems) {
    m_outside = problems;
    Q_EMIT problemsChanged();
}

QList<FieldProblem> SpecDraft::problems() const {
    QList<FieldProblem> all;
    for (const Setting& setting : allSettings()) {
        const QString path = QString::fromStdString(setting.path);
        const auto typed = m_state.typed.constFind(path);
        if (typed != m_state.typed.cend() && !typed->valid)
            all.append({path, ProblemKind::error, parseSettingText(setting, typed->text).complaint});
        for (const FieldProblem& problem : m_outside)
            if (problem.path == path)
                all.append(problem);
    }
    for (const FieldProblem& problem : m_outside)  // of the whole, or of a section
        if (problem.path.isEmpty() || !findSetting(problem.path.toStdString()).ok())
            all.append(problem);
    return all;
}

FieldProblem SpecDraft::problemOf(const QString& path) const {
    const auto typed = m_state.typed.constFind(path);
    if (typed != m_state.typed.cend() && !typed->valid)
        return {path, ProblemKind::error, parseSettingText(settingAt(path), typed->text).complaint};
    FieldProblem gravest{path, ProblemKind::none, {}};
    for (const FieldProblem& problem : m_outside)
        if (problem.path == path && problem.kind > gravest.kind)
            gravest = problem;
    return gravest;
}

void SpecDraft::languageChanged() {
    m_state.typed.removeIf([](const auto& entry) { return entry.value().valid; });
    Q_EMIT fieldChanged({});
    Q_EMIT problemsChanged();
}

Json SpecDraft::save() const {
    Json typed = Json::object();
    for (auto it = m_state.typed.cbegin(); it != m_state.typed.cend(); ++it)
        if (!it->valid)
            typed[it.key().toStdString()] = it->text.toStdString();
    return Json{{"spec", specToJson(m_state.spec)}, {"typed", typed}};
}

bool SpecDraft::restore(const Json& saved) {
    if (!saved.is_object() || !saved.contains("spec"))
        return false;
    const Result<RunSpec> spec = specFromJson(saved.at("spec"));
    if (!spec.ok())
        return false;
    State state{spec.value(), {}};
    if (const auto typed = saved.find("typed"); typed != saved.end() && typed->is_object())
        for (const auto& [path, text] : typed->items())
            if (text.is_string() && findSetting(path).ok())
                state.typed.insert(QString::fromStdString(path),
                                   {QString::fromStdString(text.get<std::string>()), false});
    m_undo.clear();
    show(state, {});
    return true;
}

}  // namespace unmask::ui
