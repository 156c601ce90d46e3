// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/layout_watch.h"

#include "engine/base/error.h"
#include "engine/planner/machine_text.h"
#include "ui/settings/answer_later.h"

namespace unmask::ui {

namespace {

constexpr int64_t kMostAllowed = 128;
constexpr size_t kMostProposals = 3;
constexpr const char* kSizes[] = {"parallel.data_parallel_size", "parallel.tensor_parallel_size",
                                  "parallel.pipeline_stages", "parallel.context_parallel_size",
                                  "parallel.expert_parallel_size"};

void judge(LayoutAnswer& answer) {
    const MachineSet& set = *answer.set;
    answer.plan = planLayout(answer.spec, set);
    if (!answer.plan.legal)
        answer.nearest = nearestLegalLayout(answer.spec, &set);
    if (!answer.plan.legal || hasErrors(answer.plan.limits))
        answer.runnable = nearestLegalLayout(answer.spec, &set, Reach::runsToday);
    for (const char* path : kSizes)
        answer.allowed[path] = legalSizes(answer.spec, path, kMostAllowed);
    answer.planned = true;
}

}  // namespace

LayoutAnswer answerLayout(const LayoutQuestion& question) {
    LayoutAnswer answer;
    answer.spec = question.spec;
    answer.machines = question.machines;
    answer.hardware = question.hardware ? *question.hardware : detectHardware();
    answer.here = machinesFound(question.spec, answer.hardware).describe();
    const std::string words = question.machines.isEmpty() ? "here" : question.machines.toStdString();
    MachinesRead read = readMachines(words, question.spec, answer.hardware);
    answer.set = std::move(read.machines);
    answer.complaint = std::move(read.problem);
    answer.plan.projection = answer.set && !answer.set->found;
    if (!answer.set || hasErrors(checkSpec(question.spec)))  // the planner divides by what checkSpec proved sound
        return answer;
    try {
        judge(answer);
    } catch (const Error& error) {
        answer.planned = false;
        answer.complaint = {error.what(), error.what()};
    }
    return answer;
}

LayoutProposals proposeLayouts(const LayoutQuestion& question, const MachineSet& set) {
    LayoutProposals proposals{question.spec, question.machines, {}};
    if (hasErrors(checkSpec(question.spec)))
        return proposals;
    try {
        if (set.found)
            proposals.list = recommendLayouts(question.spec, set, kMostProposals, Reach::runsToday);
        if (proposals.list.empty())
            proposals.list = recommendLayouts(question.spec, set, kMostProposals);
    } catch (const Error&) {  // nothing can be proposed for it
    }
    return proposals;
}

LayoutWatch::LayoutWatch(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(2);  // a search must not hold the picture up
}

LayoutWatch::~LayoutWatch() {
    m_pool.clear();
    m_pool.waitForDone();
}

void LayoutWatch::ask(const LayoutQuestion& question) {
    m_question = question;
    if (m_computing)
        m_again = true;
    else
        compute();
}

void LayoutWatch::compute() {
    m_computing = true;
    m_again = false;
    answerLater([question = m_question] { return answerLayout(question); }, &m_pool)
        .then(this, [this](const LayoutAnswer& answer) {
            m_computing = false;
            m_set = answer.set;
            if (m_again)
                compute();
            else
                Q_EMIT answered(answer);
        });
}

void LayoutWatch::propose() {
    if (m_proposing || !m_set)
        return;
    m_proposing = true;
    answerLater([question = m_question, set = *m_set] { return proposeLayouts(question, set); }, &m_pool)
        .then(this, [this](const LayoutProposals& proposals) {
            m_proposing = false;
            Q_EMIT proposed(proposals);
        });
}

}  // namespace unmask::ui
