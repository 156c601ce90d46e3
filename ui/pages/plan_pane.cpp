// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_pane.h"

#include <QHBoxLayout>
#include <QLocale>
#include <algorithm>

#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/language.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/memory_bar.h"

namespace unmask::ui {

namespace {

MemoryParts partsOf(const Estimate& estimate) {
    const MemoryBytes& bytes = estimate.plan.memory;
    MemoryParts parts;
    parts.weights = static_cast<double>(bytes.weights);
    parts.gradients = static_cast<double>(bytes.gradients);
    parts.optimizer = static_cast<double>(bytes.optimizer);
    parts.activations = static_cast<double>(bytes.activations + bytes.logits);
    parts.buffers = static_cast<double>(bytes.buffers + bytes.overhead);
    parts.capacity = estimate.plan.verdict.freeBytes.value_or(0);
    return parts;
}

}  // namespace

PlanPane::PlanPane(QWidget* parent)
    : QWidget(parent),
      m_title(makeLabel(this, "heading")),
      m_parameters(makeLabel(this, "title")),
      m_parametersUnit(makeLabel(this, "caption")),
      m_work(makeWrappingLabel(this)),
      m_time(makeWrappingLabel(this)),
      m_memoryTitle(makeLabel(this, "caption")),
      m_memory(new MemoryBar(this)),
      m_verdict(makeWrappingLabel(this, "caption")),
      m_verdictTitle(makeLabel(this, "heading")),
      m_problemList(new QWidget(this)),
      m_problemColumn(new QVBoxLayout(m_problemList)),
      m_footer(new QWidget(this)),
      m_progress(makeWrappingLabel(this, "caption")),
      m_start(makeButton(this, Icon::play, "primary")) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_start, &QPushButton::clicked, this, &PlanPane::startRequested);
}

void PlanPane::build() {
    setRole(this, "card");
    setAttribute(Qt::WA_StyledBackground);
    m_parameters->setObjectName(QStringLiteral("parameterCount"));
    m_time->setObjectName(QStringLiteral("timeEstimate"));
    m_start->setObjectName(QStringLiteral("startButton"));
    m_start->setMinimumHeight(Style::instance().px(2.8));
    m_problemColumn->setContentsMargins(0, 0, 0, 0);
    m_problemColumn->setSpacing(gap() / 2);
    m_progress->hide();
    auto* figures = new QHBoxLayout;
    figures->setSpacing(gap());
    figures->addWidget(m_parameters, 0, Qt::AlignBottom);
    figures->addWidget(m_parametersUnit, 1, Qt::AlignBottom);

    auto* inner = new QWidget;
    inner->setObjectName(QStringLiteral("scrollBody"));
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(0, 0, gap(), 0);
    column->setSpacing(gap());
    column->addWidget(m_title);
    column->addLayout(figures);
    column->addWidget(m_work);
    column->addWidget(m_time);
    column->addSpacing(gap());
    column->addWidget(m_memoryTitle);
    column->addWidget(m_memory);
    column->addWidget(m_verdict);
    column->addSpacing(gap());
    column->addWidget(m_verdictTitle);
    column->addWidget(m_problemList);
    column->addStretch(1);

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(wideGap(), wideGap(), wideGap(), wideGap());
    outer->setSpacing(gap());
    outer->addWidget(makeScroll(inner), 1);
    outer->addWidget(m_footer);
    outer->addWidget(m_progress);
    outer->addWidget(m_start);
}

void PlanPane::retext() {
    m_title->setText(tr("This run"));
    m_parametersUnit->setText(tr("parameters"));
    m_memoryTitle->setText(tr("Memory"));
    m_start->setText(m_starting ? tr("Starting…") : tr("Start"));
    m_start->setToolTip(tr("Starts the training here (Ctrl+Enter); it goes on when this window is closed"));
    refresh();
    refreshProblems();
}

void PlanPane::show(const Estimate& estimate, const QList<FieldProblem>& problems) {
    m_estimate = estimate;
    m_problems = problems;
    refresh();
    refreshProblems();
}

void PlanPane::setStarting(bool starting, const QString& what) {
    m_starting = starting;
    refreshStart();
    m_start->setText(starting ? tr("Starting…") : tr("Start"));
    m_progress->setVisible(starting && !what.isEmpty());
    m_progress->setText(what);
}

void PlanPane::refresh() {
    if (!m_estimate || m_estimate->plan.parameters.total == 0) {
        m_parameters->setText(numbers::unknown());
        m_parameters->setToolTip({});
        m_work->setText({});
        m_time->setText(m_estimate ? QString() : tr("Looking at this computer…"));
        m_memory->setParts({});  // what stood here spoke of another form
        m_verdict->setText({});
        return;
    }
    const Plan& plan = m_estimate->plan;
    const RunSpec& spec = m_estimate->spec;
    const auto parameters = static_cast<double>(plan.parameters.total);
    m_parameters->setText(numbers::count(parameters));
    m_parameters->setToolTip(numbers::exact(parameters));
    const double tokens = static_cast<double>(plan.tokensPerStep) * static_cast<double>(spec.training.steps);
    m_work->setText(tr("%1 steps of %2 tokens each: %3 tokens in all")
                        .arg(QLocale().toString(qint64{spec.training.steps}),
                             QLocale().toString(qint64{plan.tokensPerStep}), numbers::count(tokens)));
    const Hardware& hardware = m_estimate->hardware;
    const QString device = hardware.gpus.empty() || spec.training.device == DeviceChoice::cpu
                               ? tr("%n CPU core(s)", nullptr, static_cast<int>(hardware.cores.value_or(1)))
                               : QString::fromUtf8(hardware.gpus.front().name);
    m_time->setText(plan.totalSeconds ? tr("About %1 on %2").arg(numbers::duration(*plan.totalSeconds), device)
                                      : tr("Time on %1: unknown until it runs").arg(device));
    m_memory->setParts(partsOf(*m_estimate));
    m_verdict->setText(inUiLanguage(plan.verdict.en, plan.verdict.zh));
}

void PlanPane::refreshProblems() {
    while (QLayoutItem* item = m_problemColumn->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    int errors = 0;
    int warnings = 0;
    for (const FieldProblem& problem : m_problems) {
        if (problem.kind != ProblemKind::error && problem.kind != ProblemKind::warning)
            continue;
        const bool error = problem.kind == ProblemKind::error;
        (error ? errors : warnings) += 1;
        auto* line = new ProblemLabel(m_problemList);
        line->setProblem(problem.kind, problem.sentence);
        m_problemColumn->addWidget(line);
        if (problem.path.isEmpty())
            continue;
        auto* go = makeButton(m_problemList, {}, "quiet");
        go->setText(tr("Go to the field"));
        connect(go, &QPushButton::clicked, this, [this, path = problem.path] { Q_EMIT problemChosen(path); });
        m_problemColumn->addWidget(go, 0, Qt::AlignLeft);
    }
    if (errors == 0 && warnings == 0)
        m_verdictTitle->setText(m_estimate ? tr("Ready to start") : QString());
    else if (errors > 0)
        m_verdictTitle->setText(tr("%n thing(s) to mend before Start", nullptr, errors));
    else
        m_verdictTitle->setText(tr("%n warning(s)", nullptr, warnings));
    refreshStart();
}

void PlanPane::refreshStart() {
    const bool faulty = std::any_of(m_problems.begin(), m_problems.end(),
                                    [](const FieldProblem& problem) { return problem.kind == ProblemKind::error; });
    m_start->setEnabled(!m_starting && !faulty && m_estimate.has_value());
}

}  // namespace unmask::ui
