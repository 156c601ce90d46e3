// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/plan_watch.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPromise>
#include <memory>

#include "ui/client/engine_process.h"
#include "ui/style/language.h"

namespace unmask::ui {

namespace {

constexpr int kPauseMs = 120;

void checkDataFiles(const RunSpec& spec, QList<FieldProblem>& problems) {
    const QString path = QStringLiteral("data.files");
    for (const std::string& file : spec.data.files) {
        const QFileInfo info(QString::fromUtf8(file));
        QString sentence;
        if (!info.exists())
            sentence = PlanWatch::tr("%1 does not exist.").arg(info.filePath());
        else if (info.isDir())
            sentence = PlanWatch::tr("%1 is a folder. Choose the text files in it.").arg(info.filePath());
        else if (!info.isFile())
            sentence = PlanWatch::tr("%1 is not an ordinary file.").arg(info.filePath());
        else if (!info.isReadable())
            sentence = PlanWatch::tr("%1 may not be read by you.").arg(info.filePath());
        else if (info.size() == 0)
            sentence = PlanWatch::tr("%1 is empty.").arg(info.filePath());
        if (!sentence.isEmpty())
            problems.append({path, ProblemKind::error, sentence});
    }
}

void take(const std::vector<Problem>& found, QList<FieldProblem>& problems) {
    for (const Problem& problem : found)
        problems.append({QString::fromUtf8(problem.path),
                         problem.severity == Severity::error ? ProblemKind::error : ProblemKind::warning,
                         inUiLanguage(problem.en, problem.zh)});
}

Estimate estimateOf(const RunSpec& spec, std::optional<double> flopsPerSecond) {
    Estimate estimate;
    estimate.spec = spec;
    estimate.hardware = detectHardware();
    if (flopsPerSecond)
        estimate.hardware.matrixFlopsPerSecond = flopsPerSecond;
    const std::vector<Problem> wrong = checkSpec(spec);
    take(wrong, estimate.problems);
    checkDataFiles(spec, estimate.problems);
    if (!hasErrors(wrong)) {  // the planner divides by what checkSpec has proved to be sound
        estimate.plan = planRun(spec, estimate.hardware);
        take(estimate.plan.problems, estimate.problems);
    }
    return estimate;
}

int countOf(const QList<FieldProblem>& problems, ProblemKind kind) {
    return static_cast<int>(
        std::count_if(problems.begin(), problems.end(), [kind](const FieldProblem& p) { return p.kind == kind; }));
}

}  // namespace

int Estimate::errors() const {
    return countOf(problems, ProblemKind::error);
}

int Estimate::warnings() const {
    return countOf(problems, ProblemKind::warning);
}

PlanWatch::PlanWatch(EngineProcess& engine, QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &PlanWatch::compute);
    EngineTask* doctor = engine.doctor();
    connect(doctor, &EngineTask::finished, this, [this](const EngineReply& reply) {
        const Result<Hardware> hardware = hardwareFromJson(reply.json);
        if (!reply.ok || !hardware.ok())
            return;
        m_flopsPerSecond = hardware.value().matrixFlopsPerSecond;
        ask();
    });
}

PlanWatch::~PlanWatch() {
    m_pool.clear();
    m_pool.waitForDone();
}

void PlanWatch::setSpec(const RunSpec& spec) {
    m_spec = spec;
    ask();
}

void PlanWatch::ask() {
    ++m_version;
    m_pause.start();
}

void PlanWatch::compute() {
    auto promise = std::make_shared<QPromise<Estimate>>();
    promise->future().then(this, [this, version = m_version](const Estimate& estimate) {
        if (version != m_version)
            return;
        m_latest = estimate;
        Q_EMIT estimated(estimate);
    });
    m_pool.start([promise, spec = m_spec, flops = m_flopsPerSecond] {
        promise->start();
        promise->addResult(estimateOf(spec, flops));
        promise->finish();
    });
}

}  // namespace unmask::ui
