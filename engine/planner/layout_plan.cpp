// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_plan.h"

#include <algorithm>

#include "engine/base/text.h"

namespace unmask {

namespace {

constexpr double kUsableShare = 0.95;  // the rest is for what else runs

void judgeMemory(LayoutPlan& plan) {
    const double needed = static_cast<double>(plan.mostBytes());
    if (plan.capacityBytes <= 0)
        return;
    plan.fits = needed <= plan.capacityBytes * kUsableShare;
    if (*plan.fits)
        return;
    const std::string need = formatBytes(needed);
    const std::string has = formatBytes(plan.capacityBytes);
    plan.problems.push_back({"parallel", Severity::error, "The fullest device needs " + need + "; it has " + has + ".",
                             "占用最多的设备需要 " + need + "；其内存为 " + has + "。"});
}

Json problemsToJson(const std::vector<Problem>& problems) {
    Json list = Json::array();
    for (const Problem& problem : problems)
        list.push_back({{"path", problem.path},
                        {"severity", problem.severity == Severity::error ? "error" : "warning"},
                        {"en", problem.en},
                        {"zh", problem.zh}});
    return list;
}

Json timeToJson(const LayoutTime& time) {
    return {{"compute", time.compute},
            {"communication", time.communication},
            {"bubble", time.bubble},
            {"update", time.update},
            {"total", time.total()},
            {"bubble_share", time.bubbleShare()},
            {"traffic",
             {{"data", time.traffic.data},
              {"tensor", time.traffic.tensor},
              {"pipeline", time.traffic.pipeline},
              {"context", time.traffic.context},
              {"expert", time.traffic.expert},
              {"total", time.traffic.total()}}}};
}

}  // namespace

const StageMemory* LayoutPlan::fullest() const {
    const auto most = std::max_element(stages.begin(), stages.end(), [](const StageMemory& a, const StageMemory& b) {
        return a.bytes.total() < b.bytes.total();
    });
    return most == stages.end() ? nullptr : &*most;
}

int64_t LayoutPlan::mostBytes() const {
    return stages.empty() ? 0 : fullest()->bytes.total();
}

bool LayoutPlan::runsToday() const {
    return legal && !hasErrors(limits);
}

LayoutPlan planLayout(const RunSpec& spec, const MachineSet& machines) {
    LayoutPlan plan;
    plan.parallel = spec.parallel;
    plan.worldSize = spec.parallel.worldSize();
    plan.projection = !machines.found;
    plan.problems = layoutRules(spec);
    for (Problem& problem : machineRules(spec.parallel, machines))
        plan.problems.push_back(std::move(problem));
    plan.capacityBytes = machines.memoryOfRank(plan.worldSize);
    if (!hasErrors(plan.problems) && beyondCounting(spec))
        plan.problems.push_back({"parallel.micro_batch_size", Severity::error, "No machine has the memory for this.",
                                 "没有机器有这么大的内存。"});
    plan.legal = !hasErrors(plan.problems);
    plan.limits = engineLimits(spec, machines);
    if (!plan.legal)
        return plan;
    plan.microBatches =
        spec.training.batchSize / std::max<int64_t>(1, spec.effectiveMicroBatch() * spec.parallel.dataParallelSize);
    PlanTarget target;
    target.gpu = machines.gpu;
    target.threads = machines.threadsOfRank(plan.worldSize);
    plan.stages = layoutMemory(spec, target);
    plan.time = layoutTime(spec, machines);
    judgeMemory(plan);
    return plan;
}

Sentence layoutClaim(const LayoutPlan& plan, const MachineSet& machines) {
    const Sentence what = machines.describe();
    if (plan.projection)
        return {"A projection for " + what.en + ": these machines are not here, so it is computed and not measured.",
                "针对 " + what.zh + " 的推算：本机没有这些设备，由计算得出，未经测量。"};
    return {"An estimate for " + what.en + " of this computer.", "针对本机 " + what.zh + " 的估计。"};
}

Json machinesToJson(const MachineSet& machines) {
    const auto known = [](double value) { return value > 0 ? Json(value) : Json(nullptr); };
    const auto link = [](const LinkSpeed& speed) {
        return Json{{"bytes_per_second", speed.bytesPerSecond}, {"latency", speed.seconds}};
    };
    const Sentence words = machines.describe();
    return {{"words", {{"en", words.en}, {"zh", words.zh}}},
            {"device", machines.device},
            {"gpu", machines.gpu},
            {"found", machines.found},
            {"nodes", machines.nodes},
            {"devices_per_node", machines.devicesPerNode},
            {"devices", machines.devices()},
            {"memory_bytes", known(machines.memoryBytes)},
            {"flops_per_second", known(machines.flopsPerSecond.value_or(0))},
            {"memory_bytes_per_second", known(machines.memoryBytesPerSecond)},
            {"inside", link(machines.inside)},
            {"between", link(machines.between)},
            {"collectives_measured", !machines.measured.empty()}};
}

Json layoutToJson(const LayoutPlan& plan, const MachineSet& machines) {
    Json stages = Json::array();
    for (const StageMemory& stage : plan.stages)
        stages.push_back({{"layers", stage.layers}, {"memory", memoryToJson(stage.bytes)}});
    RunSpec spec;
    spec.parallel = plan.parallel;
    const Sentence claim = layoutClaim(plan, machines);
    const Sentence words = layoutWords(plan.parallel);
    return {{"parallel", specToJson(spec).at("parallel")},
            {"words", {{"en", words.en}, {"zh", words.zh}}},
            {"world_size", plan.worldSize},
            {"micro_batches", plan.microBatches},
            {"legal", plan.legal},
            {"fits", plan.fits ? Json(*plan.fits) : Json(nullptr)},
            {"runs_today", plan.runsToday()},
            {"capacity", plan.capacityBytes > 0 ? Json(plan.capacityBytes) : Json(nullptr)},
            {"stages", std::move(stages)},
            {"seconds", plan.time ? timeToJson(*plan.time) : Json(nullptr)},
            {"projection", plan.projection},
            {"claim", {{"en", claim.en}, {"zh", claim.zh}}},
            {"problems", problemsToJson(plan.problems)},
            {"limits", problemsToJson(plan.limits)}};
}

}  // namespace unmask
