// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/plan.h"

#include <algorithm>

#include "engine/planner/layout_memory.h"
#include "engine/planner/step_time.h"

namespace unmask {

namespace {

constexpr int64_t kMostExperts = 262144;  // in all blocks; each parameter has a name, and checkSpec refuses more

// False for shapes that cannot be counted at all (a form half filled in); checkSpec names the field.
bool countable(const RunSpec& spec) {
    const ModelConfig& model = spec.model;
    return model.layers >= 1 && model.width >= 1 && model.heads >= 1 && model.width % model.heads == 0 &&
           model.keyValueHeads >= 0 && model.feedForwardWidth >= 1 && model.vocabularySize >= 0 &&
           model.sequenceLength >= 1 && spec.training.batchSize >= 1 && spec.training.steps >= 0 &&
           spec.parallel.dataParallelSize >= 1 && spec.parallel.tensorParallelSize >= 1 &&
           spec.parallel.pipelineStages >= 1 && spec.parallel.contextParallelSize >= 1 &&
           spec.parallel.microBatchSize >= 0 && model.experts >= 0 && model.expertsPerToken >= 1 &&
           model.sharedExperts >= 0 && model.expertWidth >= 0 && model.layers * model.experts <= kMostExperts;
}

Json optionalNumber(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json parametersToJson(const ParameterCounts& counts) {
    return {{"embedding", counts.embedding}, {"attention", counts.attention}, {"feed_forward", counts.feedForward},
            {"norms", counts.norms},         {"head", counts.head},           {"total", counts.total},
            {"active", counts.active}};
}

}  // namespace

Plan planRun(const RunSpec& spec, const Hardware& hardware) {
    Plan plan;
    plan.model = spec.model;
    if (!countable(spec))
        return plan;
    plan.problems = layoutProblems(spec);
    if (beyondCounting(spec)) {
        plan.verdict = {false, hardware.availableMemoryBytes, "No machine has the memory for this.",
                        "没有机器有这么大的内存。"};
        plan.problems.push_back({"parallel.micro_batch_size", Severity::error, plan.verdict.en, plan.verdict.zh});
        return plan;
    }
    plan.model = resolvedModel(spec);
    plan.parameters = countParameters(plan.model);
    if (plan.model.experts > 0 && planTarget(spec, hardware).gpu)
        plan.problems.push_back(
            {"training.device", Severity::error,
             "Experts compute on the CPU only in this version; choose device cpu and precision "
             "fp32, or set model.experts to 0.",
             "此版本的专家仅在 CPU 上计算；请选择设备 cpu 与精度 fp32，或将 model.experts 设为 0。"});
    plan.memory = planMemory(spec, planTarget(spec, hardware));
    plan.flopsPerToken = modelFlopsPerToken(plan.model);
    plan.tokensPerStep = spec.training.batchSize * plan.model.sequenceLength;
    const int64_t together = std::max<int64_t>(1, spec.effectiveMicroBatch() * spec.parallel.dataParallelSize);
    plan.microSteps = (spec.training.batchSize + together - 1) / together;
    plan.flopsPerStep = plan.flopsPerToken * static_cast<double>(plan.tokensPerStep);
    plan.secondsPerStep = estimateSecondsPerStep(spec, plan.model, hardware);
    if (plan.secondsPerStep)
        plan.totalSeconds = *plan.secondsPerStep * static_cast<double>(spec.training.steps);
    plan.verdict = memoryFits(spec, hardware);
    if (plan.verdict.fits == false)
        plan.problems.push_back({"parallel.micro_batch_size", Severity::error, plan.verdict.en, plan.verdict.zh});
    return plan;
}

Json memoryToJson(const MemoryBytes& memory) {
    return {{"weights", memory.weights},
            {"gradients", memory.gradients},
            {"optimizer", memory.optimizer},
            {"activations", memory.activations},
            {"logits", memory.logits},
            {"buffers", memory.buffers},
            {"communication", memory.communication},
            {"overhead", memory.overhead},
            {"total", memory.total()}};
}

Json planToJson(const Plan& plan) {
    Json problems = Json::array();
    for (const Problem& problem : plan.problems)
        problems.push_back({{"path", problem.path},
                            {"severity", problem.severity == Severity::error ? "error" : "warning"},
                            {"en", problem.en},
                            {"zh", problem.zh}});
    Json memory = memoryToJson(plan.memory);
    memory["free"] = optionalNumber(plan.verdict.freeBytes);
    memory["fits"] = plan.verdict.fits ? Json(*plan.verdict.fits) : Json(nullptr);
    memory["en"] = plan.verdict.en;
    memory["zh"] = plan.verdict.zh;
    return {{"vocabulary_size", plan.model.vocabularySize},
            {"parameters", parametersToJson(plan.parameters)},
            {"memory", std::move(memory)},
            {"flops_per_token", plan.flopsPerToken},
            {"tokens_per_step", plan.tokensPerStep},
            {"micro_steps", plan.microSteps},
            {"flops_per_step", plan.flopsPerStep},
            {"seconds_per_step", optionalNumber(plan.secondsPerStep)},
            {"total_seconds", optionalNumber(plan.totalSeconds)},
            {"problems", std::move(problems)}};
}

}  // namespace unmask
