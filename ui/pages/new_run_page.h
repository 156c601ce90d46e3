// SPDX-License-Identifier: Apache-2.0
// Sets a run up and starts it. Everything is filled in from the first second, so Start is always near; what people type
// survives a crash.
#pragma once

#include <QTimer>

#include "ui/forms/spec_draft.h"
#include "ui/pages/plan_watch.h"
#include "ui/pages/run_actions.h"
#include "ui/pages/services.h"

class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace unmask::ui {

class Card;
class LayoutSection;
class PlanPane;
class PresetRow;
class Rail;
class SectionForm;

class NewRunPage final : public Page {
    Q_OBJECT
 public:
    NewRunPage(const Services& services, RunActions* actions, QWidget* parent = nullptr);

    void fill(const FormSeed& seed);  // one undo step
    void useDataFiles(const QStringList& files);
    void openRunFile(const QString& file);
    SpecDraft& draft() { return m_draft; }
    bool mayStart() const;  // checked as it stands, and nothing in the way
    void entered() override;

 private:
    struct Section {
        Card* card;
        SectionForm* form;  // null in the section of the layout
        QStringList paths;
    };
    void build();
    QWidget* buildForm();
    QWidget* buildSide();
    void buildFooter(QWidget* footer);
    void addSection(QVBoxLayout* column, const QStringList& paths, QWidget* above = nullptr);
    void addLayout(QVBoxLayout* column);
    void addActions();
    void restoreDraft();
    void retext();

    void onSpec();
    void onEstimate(const Estimate& estimate);
    void markSections();
    void choosePreset(const QString& name);
    void goTo(const QString& path);
    void goToNextProblem();
    void start();
    void onStarted(const EngineReply& reply);
    void saveRunFile();
    void askForRunFile();
    void say(BannerKind kind, const QString& sentence);
    void offerRun(const QString& folder);
    void tellOffer();

    Services m_services;
    RunActions* m_actions;
    SpecDraft m_draft;
    PlanWatch m_watch;
    QTimer m_saveTimer;
    QTimer m_refreshTimer;  // free memory changes while people think

    Rail* m_rail = nullptr;
    QScrollArea* m_scroll = nullptr;
    PresetRow* m_presets = nullptr;
    LayoutSection* m_layout = nullptr;
    PlanPane* m_plan = nullptr;
    Banner* m_banner = nullptr;
    QLabel* m_title = nullptr;
    QPushButton* m_undo = nullptr;
    QPushButton* m_redo = nullptr;
    QPushButton* m_command = nullptr;
    QPushButton* m_runFile = nullptr;
    QMenu* m_runFileMenu = nullptr;
    QList<Section> m_sections;
    int m_problemCursor = -1;
    std::optional<RunRow> m_offered;  // the run whose own settings were opened
};

}  // namespace unmask::ui
