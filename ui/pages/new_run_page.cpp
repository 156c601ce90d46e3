// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/new_run_page.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QScrollBar>
#include <QShortcut>

#include "engine/journal/run_folder.h"
#include "ui/forms/spec_form.h"
#include "ui/models/run_words.h"
#include "ui/pages/command_preview.h"
#include "ui/pages/layout_section.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/plan_pane.h"
#include "ui/pages/preset_row.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/run_files.h"
#include "ui/settings/path_text.h"
#include "ui/style/style.h"
#include "ui/widgets/card.h"
#include "ui/widgets/rail.h"

namespace unmask::ui {

namespace {

constexpr int kSaveMs = 500;
constexpr int kRefreshMs = 5000;
constexpr const char* kFirstPreset = "first-steps";

QStringList pathsOf(const char* section, std::initializer_list<const char*> without = {}) {
    QStringList paths;
    for (const Setting& setting : allSettings()) {
        const QString path = fromUtf8(setting.path);
        const bool left =
            std::any_of(without.begin(), without.end(), [&setting](const char* name) { return setting.path == name; });
        if (setting.section == section && !left)
            paths.append(path);
    }
    return paths;
}

}  // namespace

NewRunPage::NewRunPage(const Services& services, RunActions* actions, QWidget* parent)
    : Page(parent), m_services(services), m_actions(actions), m_watch(services.engine) {
    build();
    addActions();
    (new Retranslator(this))->add([this] { retext(); });
    m_saveTimer.setSingleShot(true);
    m_saveTimer.setInterval(kSaveMs);
    connect(&m_saveTimer, &QTimer::timeout, this, [this] {
        Json form = m_draft.save();
        form["machines"] = m_layout->machines().toStdString();
        m_services.settings.set(StudioSetting::lastForm, QByteArray::fromStdString(dumpLine(form)));
    });
    m_refreshTimer.setInterval(kRefreshMs);
    connect(&m_refreshTimer, &QTimer::timeout, this, [this] {
        if (isVisible())
            m_watch.ask();
    });
    m_refreshTimer.start();
    connect(&m_draft, &SpecDraft::specChanged, this, &NewRunPage::onSpec);
    connect(&m_draft, &SpecDraft::fieldChanged, &m_saveTimer, qOverload<>(&QTimer::start));
    connect(&m_draft, &SpecDraft::problemsChanged, this, &NewRunPage::markSections);
    connect(&m_watch, &PlanWatch::estimated, this, &NewRunPage::onEstimate);
    restoreDraft();
}

void NewRunPage::restoreDraft() {
    const QByteArray saved = m_services.settings.get<QByteArray>(StudioSetting::lastForm);
    const Result<Json> json = parseJson(std::string_view(saved.constData(), static_cast<size_t>(saved.size())));
    if (saved.isEmpty() || !json.ok() || !m_draft.restore(json.value())) {
        const Result<RunSpec> first = presetSpec(kFirstPreset);
        m_draft.load(first.ok() ? first.value() : RunSpec{});
    } else if (const auto machines = json.value().find("machines");
               machines != json.value().end() && machines->is_string()) {
        m_layout->setMachines(fromUtf8(machines->get<std::string>()));
    }
    onSpec();
}

void NewRunPage::build() {
    m_banner = new Banner(this);
    m_banner->setClosable(true);
    connect(m_banner, &Banner::firstRequested, this, [this] { m_actions->resume(*m_offered); });
    connect(m_banner, &Banner::secondRequested, this, [this] { m_actions->openLive(*m_offered); });
    m_rail = new Rail(this);
    auto* row = new QHBoxLayout;
    row->setSpacing(wideGap());
    row->addWidget(m_rail);
    row->addWidget(buildForm(), 1);
    row->addWidget(buildSide());
    QVBoxLayout* column = makePageColumn(this);
    auto* top = new QHBoxLayout;
    m_title = makeLabel(this, "title");
    m_undo = makeButton(this, Icon::undo, "quiet");
    m_redo = makeButton(this, Icon::redo, "quiet");
    top->addWidget(m_title, 1);
    top->addWidget(m_undo);
    top->addWidget(m_redo);
    column->addLayout(top);
    column->addWidget(m_banner);
    column->addLayout(row, 1);
    connect(m_undo, &QPushButton::clicked, m_draft.undoStack(), &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, m_draft.undoStack(), &QUndoStack::redo);
    connect(m_draft.undoStack(), &QUndoStack::canUndoChanged, m_undo, &QPushButton::setEnabled);
    connect(m_draft.undoStack(), &QUndoStack::canRedoChanged, m_redo, &QPushButton::setEnabled);
    m_undo->setEnabled(false);
    m_redo->setEnabled(false);
}

QWidget* NewRunPage::buildForm() {
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, gap(), 0);
    column->setSpacing(wideGap());
    m_presets = new PresetRow(body);
    connect(m_presets, &PresetRow::presetChosen, this, &NewRunPage::choosePreset);
    connect(m_presets, &PresetRow::customChosen, this, [this] { goTo(QStringLiteral("model.layers")); });
    addSection(column, pathsOf("model", {"model.preset"}), m_presets);
    addSection(column, pathsOf("data"));
    addSection(column, pathsOf("objective"));
    addLayout(column);
    addSection(column, {QStringLiteral("training.steps"), QStringLiteral("training.batch_size"),
                        QStringLiteral("optimizer.learning_rate"), QStringLiteral("optimizer.learning_rate_schedule"),
                        QStringLiteral("optimizer.warmup_fraction"), QStringLiteral("training.precision"),
                        QStringLiteral("training.seed"), QStringLiteral("training.device"),
                        QStringLiteral("training.threads"), QStringLiteral("optimizer.weight_decay"),
                        QStringLiteral("optimizer.gradient_clip"), QStringLiteral("optimizer.final_rate_fraction"),
                        QStringLiteral("optimizer.decay_fraction"), QStringLiteral("optimizer.beta1"),
                        QStringLiteral("optimizer.beta2"), QStringLiteral("optimizer.adam_epsilon")});
    addSection(column, pathsOf("checkpoint") + pathsOf("validation") + pathsOf("sampling"));
    addSection(column, pathsOf("launch"));
    column->addStretch(1);
    m_scroll = makeScroll(body);
    connect(m_rail, &Rail::currentChanged, this, [this](int index) {
        if (index >= 0 && index < m_sections.size())
            m_scroll->verticalScrollBar()->setValue(m_sections[index].card->y());
    });
    return m_scroll;
}

void NewRunPage::addSection(QVBoxLayout* column, const QStringList& paths, QWidget* above) {
    auto* card = new Card(QString(), column->parentWidget());
    if (above)
        card->body()->addWidget(above);
    auto* form = new SectionForm(&m_draft, paths, card);
    card->body()->addWidget(form);
    column->addWidget(card);
    m_rail->addItem({}, QString());
    m_sections.append({card, form, paths});
}

void NewRunPage::addLayout(QVBoxLayout* column) {
    auto* card = new Card(QString(), column->parentWidget());
    m_layout = new LayoutSection(&m_draft, card);
    card->body()->addWidget(m_layout);
    column->addWidget(card);
    m_rail->addItem({}, QString());
    m_sections.append({card, nullptr, LayoutSection::paths() + QStringList{QStringLiteral("parallel")}});
    connect(m_layout, &LayoutSection::machinesChanged, &m_saveTimer, qOverload<>(&QTimer::start));
}

QWidget* NewRunPage::buildSide() {
    m_plan = new PlanPane(this);
    const auto fit = [this] { m_plan->setFixedWidth(Style::instance().px(23)); };
    fit();
    connect(&Style::instance(), &Style::changed, m_plan, fit);
    buildFooter(m_plan->footer());
    connect(m_plan, &PlanPane::startRequested, this, &NewRunPage::start);
    connect(m_plan, &PlanPane::problemChosen, this, &NewRunPage::goTo);
    return m_plan;
}

void NewRunPage::buildFooter(QWidget* footer) {
    m_command = makeButton(footer, Icon::copy);
    m_runFile = makeButton(footer, Icon::save);
    m_runFileMenu = new QMenu(m_runFile);
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_command, 1);
    row->addWidget(m_runFile, 1);
    connect(m_runFile, &QPushButton::clicked, this,
            [this] { m_runFileMenu->popup(m_runFile->mapToGlobal(QPoint(0, -m_runFileMenu->sizeHint().height()))); });
    connect(m_command, &QPushButton::clicked, this, [this] {
        auto* preview = new CommandPreview(m_draft.spec(), window());
        preview->setAttribute(Qt::WA_DeleteOnClose);
        preview->open();
    });
}

void NewRunPage::addActions() {
    const auto on = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    on(QKeySequence(Qt::CTRL | Qt::Key_Z), [this] { m_draft.undoStack()->undo(); });
    on(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), [this] { m_draft.undoStack()->redo(); });
    on(QKeySequence(Qt::CTRL | Qt::Key_Return), [this] { start(); });
    on(QKeySequence(Qt::CTRL | Qt::Key_S), [this] { saveRunFile(); });
    on(QKeySequence(Qt::CTRL | Qt::Key_O), [this] { askForRunFile(); });
    on(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { m_command->click(); });
    on(QKeySequence(Qt::Key_F8), [this] { goToNextProblem(); });
    for (int i = 0; i < m_sections.size(); ++i)
        on(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + i)), [this, i] { m_rail->setCurrent(i); });
}

void NewRunPage::retext() {
    const QStringList titles = {tr("Model"),    tr("Data"),   tr("Objective"),    tr("Layout"),
                                tr("Training"), tr("Saving"), tr("Name and more")};
    for (int i = 0; i < m_sections.size(); ++i) {
        m_sections[i].card->setTitle(titles.value(i));
        m_rail->setText(i, titles.value(i));
        m_rail->setShortcutText(i, QStringLiteral("Alt+%1").arg(i + 1));
    }
    m_title->setText(tr("New run"));
    m_undo->setText(tr("Undo"));
    m_redo->setText(tr("Redo"));
    m_undo->setToolTip(tr("Takes the last change of the form back (Ctrl+Z)"));
    m_redo->setToolTip(tr("Makes the change again (Ctrl+Shift+Z)"));
    m_command->setText(tr("Command"));
    m_command->setToolTip(tr("The command that starts this run from a terminal (Ctrl+Shift+C)"));
    m_runFile->setText(tr("Run file"));
    m_runFile->setToolTip(tr("Keeps these settings in a file, or takes them from one"));
    m_runFileMenu->clear();
    m_runFileMenu->addAction(icon(Icon::open), tr("Open… (Ctrl+O)"), this, &NewRunPage::askForRunFile);
    m_runFileMenu->addAction(icon(Icon::save), tr("Save as… (Ctrl+S)"), this, &NewRunPage::saveRunFile);
    if (m_offered && !m_banner->isHidden())
        tellOffer();
    m_watch.ask();
}

void NewRunPage::say(BannerKind kind, const QString& sentence) {
    m_offered.reset();
    m_banner->showMessage(kind, sentence);
    m_banner->setActions({});
}

// Start always makes a new run. Who opened the settings of a run may have meant to go on with that one.
void NewRunPage::offerRun(const QString& folder) {
    m_services.store.addFolder(toPath(folder)).then(this, [this](const QString& key) {
        m_services.store.history(key).then(this, [this](const RunHistoryPtr& history) {
            if (!history->found)
                return;
            m_offered = history->row;
            tellOffer();
        });
    });
}

void NewRunPage::tellOffer() {
    const QString name = m_offered->name.isEmpty() ? m_offered->id : m_offered->name;
    m_banner->showMessage(
        BannerKind::info,
        tr("These are the settings of the run %1 (%2). Start makes a new run; that one stays as it is.")
            .arg(name, RunWords::state(m_offered->status.word)));
    m_banner->setActions(RunActions::mayResume(*m_offered) ? tr("Resume that run") : QString(), tr("Show that run"));
}

void NewRunPage::entered() {
    m_watch.ask();
}

void NewRunPage::fill(const FormSeed& seed) {
    m_draft.apply(seed.spec, seed.origin);
    say(BannerKind::info, tr("%1. Undo brings your form back.").arg(seed.origin));
    m_scroll->verticalScrollBar()->setValue(0);
}

void NewRunPage::useDataFiles(const QStringList& files) {
    Json list = Json::array();
    for (const QString& file : files)
        list.push_back(file.toStdString());
    m_draft.setValue(QStringLiteral("data.files"), list);
    goTo(QStringLiteral("data.files"));
}

void NewRunPage::onSpec() {
    if (const Preset* preset = presetWithShape(m_draft.spec().model))
        m_draft.setDefaults(preset->spec);
    m_presets->showModel(m_draft.spec().model);
    m_watch.setSpec(m_draft.spec());
    m_saveTimer.start();
}

void NewRunPage::onEstimate(const Estimate& estimate) {
    m_draft.setOutsideProblems(estimate.problems);
    m_layout->setHardware(estimate.hardware);
    markSections();
}

void NewRunPage::markSections() {
    const QList<FieldProblem> problems = m_draft.problems();
    for (int i = 0; i < m_sections.size(); ++i) {
        int errors = 0;
        int warnings = 0;
        for (const FieldProblem& problem : problems)
            if (m_sections[i].paths.contains(problem.path))
                (problem.kind == ProblemKind::error ? errors : warnings) += 1;
        m_rail->setMark(i, errors ? RailMark::error : (warnings ? RailMark::warning : RailMark::ok),
                        errors ? errors : warnings);
    }
    if (m_watch.latest())
        m_plan->show(*m_watch.latest(), problems);
}

void NewRunPage::choosePreset(const QString& name) {
    const Result<RunSpec> preset = presetSpec(name.toStdString());
    if (!preset.ok())
        return;
    RunSpec next = preset.value();
    next.data = m_draft.spec().data;  // what people have chosen stays
    next.launch = m_draft.spec().launch;
    next.training.seed = m_draft.spec().training.seed;
    m_draft.apply(next, tr("Apply preset %1").arg(name));
}

void NewRunPage::goTo(const QString& path) {
    for (int i = 0; i < m_sections.size(); ++i)
        if (m_sections[i].paths.contains(path)) {
            m_rail->setCurrent(i);
            if (m_sections[i].form)
                m_sections[i].form->focusSetting(path);
            else
                m_layout->focusSetting(path);
            return;
        }
}

void NewRunPage::goToNextProblem() {
    const QList<FieldProblem> problems = m_draft.problems();
    if (problems.isEmpty())
        return;
    m_problemCursor = static_cast<int>((m_problemCursor + 1) % problems.size());
    goTo(problems[m_problemCursor].path);
}

// The estimate must speak about this very form; a later edit is being checked right now.
bool NewRunPage::mayStart() const {
    return m_plan->startButton()->isEnabled() && m_watch.latest() && m_watch.latest()->spec == m_draft.spec() &&
           !m_draft.hasInvalidText();
}

void NewRunPage::start() {
    if (!m_plan->startButton()->isEnabled())
        return;
    if (!mayStart()) {
        say(BannerKind::info, tr("The form has just changed and is being checked. Press Start again."));
        return;
    }
    StartRequest request;
    request.spec = m_draft.spec();
    if (!m_services.settings.text(StudioSetting::runsFolder).isEmpty()) {
        const Preset* preset = presetWithShape(request.spec.model);
        request.runFolder = m_services.settings.runsFolder() / newRunId(preset ? preset->name : "custom");
    }
    m_banner->hide();
    m_plan->setStarting(true, tr("Preparing the data and the model"));
    EngineTask* task = m_services.engine.start(request);
    connect(task, &EngineTask::progressed, this, [this](const QString& line) { m_plan->setStarting(true, line); });
    connect(task, &EngineTask::finished, this, &NewRunPage::onStarted);
}

void NewRunPage::onStarted(const EngineReply& reply) {
    m_plan->setStarting(false);
    markSections();
    const Json& json = reply.json;
    if (!reply.ok || !json.is_object() || !json.contains("folder") || !json["folder"].is_string()) {
        say(BannerKind::danger, reply.sentence.isEmpty() ? tr("The run did not start and gave no reason.")
                                                         : tr("The run did not start: %1").arg(reply.sentence));
        return;
    }
    Q_EMIT m_services.navigator.liveFolderRequested(fromUtf8(json["folder"].get<std::string>()));
}

void NewRunPage::saveRunFile() {
    auto* dialog = new QFileDialog(window(), tr("Save the run file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Run files (*.json)"));
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        writeRunFileLater(file, m_draft.spec()).then(this, [this, file](const RunFileReply& reply) {
            if (reply.sentence.isEmpty())
                Q_EMIT m_services.navigator.messageRequested(BannerKind::success, tr("Saved as %1.").arg(file));
            else
                say(BannerKind::danger, reply.sentence);
        });
    });
    dialog->open();
}

void NewRunPage::askForRunFile() {
    auto* dialog = new QFileDialog(window(), tr("Open a run file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilter(tr("Run files (*.json)"));
    connect(dialog, &QFileDialog::fileSelected, this, &NewRunPage::openRunFile);
    dialog->open();
}

void NewRunPage::openRunFile(const QString& file) {
    readRunFileLater(file).then(this, [this, file](const RunFileReply& reply) {
        if (!reply.spec) {
            say(BannerKind::danger, reply.sentence);
            return;
        }
        fill({*reply.spec, tr("Settings of %1").arg(file)});
        if (!reply.runFolder.isEmpty())
            offerRun(reply.runFolder);
    });
}

}  // namespace unmask::ui
