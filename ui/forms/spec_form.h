// SPDX-License-Identifier: Apache-2.0
// SectionForm: the editors of chosen settings of one section, advanced ones folded. SpecForm: all sections one below
// the other. Several forms may show the same SpecDraft, for instance one a page of the wizard.
#pragma once

#include <QHash>
#include <QStringList>
#include <QWidget>

#include "ui/forms/spec_draft.h"

class QToolButton;
class QVBoxLayout;

namespace unmask::ui {

class SettingEditor;

class SectionForm final : public QWidget {
    Q_OBJECT
 public:
    // Without `only` every setting of the section; with it these paths, in this order, from any section.
    SectionForm(SpecDraft* draft, const QString& section, QWidget* parent = nullptr);
    SectionForm(SpecDraft* draft, const QStringList& only, QWidget* parent = nullptr);

    QString title() const;
    bool focusSetting(const QString& path);  // unfolds and scrolls to it; false when it is not here
    void setAdvancedShown(bool shown);
    SettingEditor* editor(const QString& path) const { return m_editors.value(path); }

 protected:
    void changeEvent(QEvent* event) override;

 private:
    void build(const QStringList& paths);
    void retext();

    SpecDraft* m_draft;
    QString m_section;
    QHash<QString, SettingEditor*> m_editors;
    QToolButton* m_fold = nullptr;
    QWidget* m_advanced = nullptr;
};

class SpecForm final : public QWidget {
    Q_OBJECT
 public:
    explicit SpecForm(QWidget* parent = nullptr);

    SpecDraft* draft() { return &m_draft; }
    const RunSpec& spec() const { return m_draft.spec(); }
    void setSpec(const RunSpec& spec) { m_draft.load(spec); }
    SectionForm* section(const QString& name) const { return m_sections.value(name); }
    bool focusSetting(const QString& path);

 Q_SIGNALS:
    void specChanged(const unmask::RunSpec& spec);

 protected:
    void changeEvent(QEvent* event) override;

 private:
    SpecDraft m_draft;
    QHash<QString, SectionForm*> m_sections;
};

}  // namespace unmask::ui
