// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_section.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>

#include "engine/protocol/spec_json.h"
#include "ui/forms/spec_form.h"
#include "ui/pages/layout_figures.h"
#include "ui/pages/layout_proposals.h"
#include "ui/pages/layout_sizes.h"
#include "ui/pages/layout_words.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/layout_picture.h"
#include "ui/widgets/problem_label.h"
#include "ui/widgets/thin_progress.h"

namespace unmask::ui {

namespace {

// Written the same in both languages; the planner reads Chinese ones as well.
constexpr const char* kExamples[] = {"8 x A100 80 GB on 2 nodes", "8 x H100 80 GB", "4 x RTX 4090",
                                     "64 x H200 on 8 nodes", "2 nodes of 16 cores, 64 GB"};

QStringList morePaths() {
    return {QStringLiteral("parallel.schedule"), QStringLiteral("parallel.virtual_stages"),
            QStringLiteral("parallel.sequence_parallel")};
}

// Of two forms, whether the planner would see the same model and batch.
bool sameButLayout(RunSpec a, RunSpec b) {
    a.parallel = b.parallel = ParallelConfig{};
    return a == b;
}

}  // namespace

LayoutSection::LayoutSection(SpecDraft* draft, QWidget* parent) : QWidget(parent), m_draft(draft) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_draft, &SpecDraft::specChanged, this, &LayoutSection::ask);
    connect(&m_watch, &LayoutWatch::answered, this, &LayoutSection::onAnswer);
    connect(&m_watch, &LayoutWatch::proposed, this, &LayoutSection::onProposals);
    ask();
}

QStringList LayoutSection::paths() {
    return LayoutSizes::paths() + morePaths();
}

void LayoutSection::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap());
    buildMachines(column);
    m_sizes = new LayoutSizes(m_draft, this);
    column->addWidget(m_sizes);
    m_problemList = new QWidget(this);
    m_problemColumn = new QVBoxLayout(m_problemList);
    m_problemColumn->setContentsMargins(0, 0, 0, 0);
    m_problemColumn->setSpacing(gap() / 2);
    column->addWidget(m_problemList);
    buildPicture(column);
    m_figures = new LayoutFiguresPane(this);
    column->addWidget(m_figures);
    m_more = new SectionForm(m_draft, morePaths(), this);
    column->addWidget(m_more);
}

void LayoutSection::buildMachines(QVBoxLayout* column) {
    m_machinesLabel = makeLabel(this);
    m_machinesBox = new QComboBox(this);
    m_machinesBox->setObjectName(QStringLiteral("machines"));
    m_machinesBox->setEditable(true);
    m_machinesBox->setInsertPolicy(QComboBox::NoInsert);
    m_machinesBox->setCompleter(nullptr);
    m_machinesBox->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_machinesBox->setMinimumContentsLength(12);
    m_machinesBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_machinesBox->addItem(QString());  // this computer
    for (const char* example : kExamples)
        m_machinesBox->addItem(QString::fromLatin1(example));
    m_machinesLabel->setBuddy(m_machinesBox);
    m_propose = makeButton(this, Icon::spark);
    m_propose->setObjectName(QStringLiteral("propose"));
    auto* row = new QHBoxLayout;
    row->setSpacing(gap());
    row->addWidget(m_machinesLabel);
    row->addWidget(m_machinesBox, 1);
    row->addWidget(m_propose);
    column->addLayout(row);
    m_complaint = new ProblemLabel(this);
    m_complaint->setObjectName(QStringLiteral("machinesComplaint"));
    column->addWidget(m_complaint);
    m_badge = makeLabel(this, "warning");
    m_badge->setObjectName(QStringLiteral("projection"));
    m_badge->setMargin(Style::instance().px(0.25));
    m_claim = makeWrappingLabel(this, "caption");
    m_claim->setObjectName(QStringLiteral("layoutClaim"));
    auto* claim = new QHBoxLayout;
    claim->setSpacing(gap());
    claim->addWidget(m_badge, 0, Qt::AlignTop);
    claim->addWidget(m_claim, 1);
    column->addLayout(claim);
    m_startNote = makeWrappingLabel(this, "caption");
    column->addWidget(m_startNote);
    m_progress = new ThinProgress(this);
    column->addWidget(m_progress);
    m_proposals = new LayoutProposalList(this);
    column->addWidget(m_proposals);
    connect(m_machinesBox, &QComboBox::editTextChanged, this, &LayoutSection::onMachinesTyped);
    connect(m_propose, &QPushButton::clicked, this, [this] {
        m_watch.propose();
        if (m_watch.isProposing()) {
            m_progress->start(tr("Looking for the best layouts…"));
            m_propose->setEnabled(false);
        }
    });
    connect(m_proposals, &LayoutProposalList::chosen, this,
            [this](const ParallelConfig& parallel) { use(parallel, tr("use the proposed layout")); });
}

void LayoutSection::buildPicture(QVBoxLayout* column) {
    m_words = makeWrappingLabel(this, "heading");
    m_words->setObjectName(QStringLiteral("layoutWords"));
    m_picture = new LayoutPicture(this);
    m_device = makeWrappingLabel(this);
    m_device->setObjectName(QStringLiteral("deviceWords"));
    m_legend = makeWrappingLabel(this, "caption");
    for (QWidget* one : std::initializer_list<QWidget*>{m_words, m_picture, m_legend, m_device})
        column->addWidget(one);
    connect(m_picture, &LayoutPicture::currentChanged, this, [this] { m_device->setText(m_picture->currentWords()); });
}

void LayoutSection::retext() {
    m_machinesLabel->setText(tr("Devices"));
    {
        const QSignalBlocker quiet(m_machinesBox);
        m_machinesBox->setItemText(0, tr("This computer"));  // and, where it was chosen first, the text being edited
        m_machinesBox->setEditText(m_machines.isEmpty() ? tr("This computer") : m_machines);
    }
    const QString help = tr("This computer, or devices in words such as \"8 x A100 80 GB on 2 nodes\".");
    m_machinesBox->setAccessibleName(tr("Devices to plan for"));
    m_machinesBox->lineEdit()->setAccessibleName(m_machinesBox->accessibleName());
    m_machinesBox->setAccessibleDescription(help);
    m_machinesBox->setToolTip(help);
    m_propose->setText(tr("Propose"));
    m_propose->setToolTip(tr("Looks for the fastest layouts that fit these devices, and says why"));
    m_legend->setText(
        tr("Colour: copy of the model. Stripe: pipeline stage. Number: slice of each layer. Arrow keys go "
           "from device to device."));
    refresh();
}

void LayoutSection::setMachines(const QString& words) {
    if (words == m_machines)
        return;
    m_machinesBox->setEditText(words.isEmpty() ? tr("This computer") : words);
}

void LayoutSection::onMachinesTyped(const QString& text) {
    const QString words = text.trimmed() == tr("This computer") ? QString() : text.trimmed();
    if (words == m_machines)
        return;
    m_machines = words;
    ask();
    Q_EMIT machinesChanged(m_machines);
}

void LayoutSection::setHardware(const Hardware& hardware) {
    if (m_hardware == hardware)
        return;
    m_hardware = hardware;
    ask();
}

void LayoutSection::ask() {
    m_watch.ask({m_draft->spec(), m_machines, m_hardware});
}

void LayoutSection::onAnswer(const LayoutAnswer& answer) {
    m_answer = answer;
    const auto& proposals = m_proposals->proposals();
    if (proposals && (proposals->machines != answer.machines || !sameButLayout(proposals->spec, answer.spec)))
        m_proposals->clear();  // they speak of another model or other machines
    for (const auto& [path, sizes] : answer.allowed)
        m_sizes->setAllowed(QString::fromStdString(path), sizes);
    refresh();
    Q_EMIT answered();
}

void LayoutSection::onProposals(const LayoutProposals& proposals) {
    m_progress->finish();
    m_propose->setEnabled(m_answer && m_answer->planned);
    if (proposals.machines == m_machines && sameButLayout(proposals.spec, m_draft->spec()))
        m_proposals->show(proposals);
}

void LayoutSection::refresh() {
    refreshClaim();
    refreshProblems();
    refreshPicture();
}

void LayoutSection::refreshClaim() {
    const bool known = m_answer && m_answer->set;
    m_propose->setEnabled(known && m_answer->planned && !m_watch.isProposing());
    m_complaint->setProblem(known ? ProblemKind::none : ProblemKind::error,
                            m_answer && !known ? sentence(m_answer->complaint) : QString());
    const bool projected = known && !m_answer->set->found;
    m_badge->setVisible(projected);
    m_badge->setText(tr("Projection"));
    m_claim->setVisible(known);
    m_startNote->setVisible(projected);
    if (projected)
        m_startNote->setText(
            tr("Devices that are only described are planned for, not used: Start trains on this "
               "computer, with %1 process(es) on %2.")
                .arg(QLocale().toString(qint64{m_answer->spec.parallel.worldSize()}), sentence(m_answer->here)));
    if (known)
        m_claim->setText(sentence(layoutClaim(m_answer->plan, *m_answer->set)));
}

// Shown anew only where something differs: memory is looked at every few seconds, and a button must not vanish under
// somebody's hand.
void LayoutSection::refreshProblems() {
    const QList<ProblemLine> lines = problemLines();
    if (lines == m_problemLines)
        return;
    m_problemLines = lines;
    while (QLayoutItem* item = m_problemColumn->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (const ProblemLine& line : lines)
        m_problemColumn->addWidget(makeLine(line));
}

QList<LayoutSection::ProblemLine> LayoutSection::problemLines() const {
    QList<ProblemLine> lines;
    if (!m_answer || !m_answer->set)
        return lines;
    if (!m_answer->planned)
        return {{ProblemKind::note, tr("The layout is planned as soon as the other fields are right.")}};
    const LayoutAnswer& answer = *m_answer;
    const auto add = [&lines](const std::vector<Problem>& problems, ProblemKind errorsAs) {
        for (const Problem& problem : problems)
            lines.append({problem.severity == Severity::error ? errorsAs : ProblemKind::warning,
                          inUiLanguage(problem.en, problem.zh)});
    };
    const auto mend = [&](const QString& text, const char* name, const std::optional<ParallelConfig>& parallel) {
        if (!parallel)
            lines.append({ProblemKind::note,
                          tr("No layout of this model on these devices is near; change the model, the batch or the "
                             "devices.")});
        else if (!(*parallel == answer.spec.parallel))  // else what stands in the way is not the layout
            lines.append({ProblemKind::none, changeWords(answer.spec.parallel, *parallel), text, QLatin1String(name),
                          *parallel});
    };
    add(answer.plan.problems, ProblemKind::error);
    if (!answer.plan.legal)
        mend(tr("Use the nearest legal layout"), "useNearest", answer.nearest);
    if (!hasErrors(answer.plan.limits))
        return lines;
    lines.append({ProblemKind::none, tr("This version cannot carry this layout out yet:")});
    add(answer.plan.limits, ProblemKind::warning);
    if (answer.runnable != answer.nearest || answer.plan.legal)
        mend(tr("Use the nearest layout that this version runs"), "useRunnable", answer.runnable);
    return lines;
}

QWidget* LayoutSection::makeLine(const ProblemLine& line) {
    if (line.kind != ProblemKind::none) {
        auto* label = new ProblemLabel(m_problemList);
        label->setProblem(line.kind, line.text);
        return label;
    }
    if (line.button.isEmpty()) {
        auto* label = makeWrappingLabel(m_problemList);
        label->setText(line.text);
        return label;
    }
    auto* whole = new QWidget(m_problemList);
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(gap() / 2);
    auto* mend = makeButton(whole, Icon::check);
    mend->setObjectName(line.name);
    mend->setText(line.button);
    mend->setAccessibleDescription(line.text);
    auto* what = makeWrappingLabel(whole, "caption");
    what->setText(line.text);
    column->addWidget(mend, 0, Qt::AlignLeft);
    column->addWidget(what);
    connect(mend, &QPushButton::clicked, this, [this, next = line.parallel, name = line.button] { use(next, name); });
    return whole;
}

void LayoutSection::refreshPicture() {
    const bool known = m_answer && m_answer->set && m_answer->planned;
    for (QWidget* one : std::initializer_list<QWidget*>{m_words, m_picture, m_legend, m_device})
        one->setVisible(known);
    if (!known)
        return m_figures->clear();
    const Sentence layout = layoutWords(m_answer->spec.parallel);
    const Sentence where = m_answer->set->describe();
    const QString words = tr("%1 on %2").arg(sentence(layout), sentence(where));
    m_words->setText(m_answer->plan.projection ? tr("%1: a projection").arg(words) : words);
    m_picture->setScene(sceneOf(*m_answer));
    m_device->setText(m_picture->currentWords());
    m_figures->show(m_answer->plan);
}

void LayoutSection::use(const ParallelConfig& parallel, const QString& undoName) {
    RunSpec next = m_draft->spec();
    next.parallel = parallel;
    m_draft->apply(next, undoName);
}

bool LayoutSection::focusSetting(const QString& path) {
    QWidget* control =
        path == QLatin1String("parallel") ? m_sizes->control(LayoutSizes::paths().first()) : m_sizes->control(path);
    if (!control)
        return m_more->focusSetting(path);
    control->setFocus(Qt::OtherFocusReason);
    return true;
}

}  // namespace unmask::ui
