// SPDX-License-Identifier: Apache-2.0
// The run spec that a person is editing: the last valid spec, what was typed where it is not valid (yet), one undo
// stack over everything, and the problems of each field. Forms show it; nothing typed is ever dropped.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QUndoStack>

#include "engine/base/json.h"
#include "engine/protocol/run_spec.h"
#include "engine/protocol/settings.h"
#include "ui/widgets/problem_label.h"

namespace unmask::ui {

struct FieldProblem {
    QString path;  // "training.steps"; "parallel" for a section, empty for the spec as a whole
    ProblemKind kind = ProblemKind::error;
    QString sentence;
};

class SpecDraft final : public QObject {
    Q_OBJECT
 public:
    explicit SpecDraft(QObject* parent = nullptr);

    const RunSpec& spec() const { return m_state.spec; }  // always valid in type and range
    bool hasInvalidText() const;
    QUndoStack* undoStack() { return &m_undo; }  // 200 steps

    void load(const RunSpec& spec);                            // a fresh form; the undo stack is emptied
    void apply(const RunSpec& spec, const QString& stepName);  // preset, import, fix: one named undo step
    void setText(const QString& path,
                 const QString& text);  // typing; merges with typing in the same field within 500 ms
    void setValue(const QString& path, const Json& value);  // choice, switch, list
    void reset(const QString& path);                        // to the default

    Json value(const QString& path) const;
    QString text(const QString& path) const;  // what the editor shows: typed text where it is not valid, else the value
    void setDefaults(const RunSpec& defaults);  // what "default" means here: the chosen preset
    Json defaultValue(const QString& path) const;
    bool isDefault(const QString& path) const;

    void setOutsideProblems(const QList<FieldProblem>& problems);  // of the engine's own check, beside those of typing
    QList<FieldProblem> problems() const;                          // both, in the order of the form
    FieldProblem problemOf(const QString& path) const;             // the gravest

    void languageChanged();  // texts of values are written anew; unfinished ones stay as they were typed

    Json save() const;  // spec and unfinished text, for autosave
    bool restore(const Json& saved);

 Q_SIGNALS:
    void specChanged(const unmask::RunSpec& spec);
    void fieldChanged(const QString& path);  // its text or value; an empty path means all
    void problemsChanged();

 private:
    friend class SpecEdit;
    struct Typed {
        QString text;
        bool valid = true;  // then it is only how the person likes to write the value
        bool operator==(const Typed&) const = default;
    };
    struct State {
        RunSpec spec;
        QHash<QString, Typed> typed;  // by path
        bool operator==(const State&) const = default;
    };
    void show(const State& state, const QString& path);
    void push(State next, const QString& path, const QString& name, bool typing);

    State m_state;
    RunSpec m_defaults;
    QUndoStack m_undo;
    QList<FieldProblem> m_outside;
};

}  // namespace unmask::ui
