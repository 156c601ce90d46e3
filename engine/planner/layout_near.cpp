// SPDX-License-Identifier: Apache-2.0
// The legal layout nearest to a given one. All combinations of sizes that the model allows are ordered by how much they
// change, and the first that passes every rule is taken.
#include <algorithm>
#include <cmath>

#include "engine/planner/layout_rules.h"

namespace unmask {

namespace {

constexpr int64_t kMostRanks = 4096;
constexpr size_t kMostSizes = 10;  // of a dimension, those nearest to the wanted one

double steps(int64_t from, int64_t to) {
    return std::fabs(std::log2(static_cast<double>(std::max<int64_t>(from, 1))) - std::log2(static_cast<double>(to)));
}

std::vector<int64_t> nearSizes(const RunSpec& spec, std::string_view path, int64_t wanted, int64_t most) {
    std::vector<int64_t> sizes = legalSizes(spec, path, std::clamp<int64_t>(4 * wanted, 8, most));
    std::stable_sort(sizes.begin(), sizes.end(),
                     [wanted](int64_t a, int64_t b) { return steps(wanted, a) < steps(wanted, b); });
    if (sizes.size() > kMostSizes)
        sizes.resize(kMostSizes);
    return sizes;
}

// The largest micro-batch not above the wanted one that divides a copy's share of the batch; 0 stays 0.
int64_t fittingMicroBatch(const RunSpec& spec) {
    int64_t micro = spec.parallel.microBatchSize;
    if (micro == 0 || spec.training.batchSize % spec.parallel.dataParallelSize != 0)
        return micro;
    const int64_t share = spec.training.batchSize / spec.parallel.dataParallelSize;
    micro = std::min(micro, share);
    while (share % micro != 0)
        --micro;
    return micro;
}

// What else follows from sizes that may have changed.
void mend(RunSpec& spec) {
    ParallelConfig& parallel = spec.parallel;
    parallel.microBatchSize = fittingMicroBatch(spec);
    if (parallel.pipelineStages > 1)
        parallel.zeroStage = std::min<int64_t>(parallel.zeroStage, 1);
    const bool cutUp = parallel.schedule == PipelineSchedule::interleaved && parallel.pipelineStages > 1;
    if (!cutUp)
        parallel.virtualStages = 1;
    while (parallel.virtualStages > 1 && spec.model.layers % (parallel.pipelineStages * parallel.virtualStages) != 0)
        --parallel.virtualStages;
    const int64_t together = std::max<int64_t>(1, spec.effectiveMicroBatch() * parallel.dataParallelSize);
    if (cutUp && spec.training.batchSize / together % parallel.pipelineStages != 0) {
        parallel.schedule = PipelineSchedule::oneForwardOneBackward;
        parallel.virtualStages = 1;
    }
    const int64_t rowTokens = spec.model.sequenceLength / std::max<int64_t>(1, parallel.contextParallelSize);
    parallel.sequenceParallel = parallel.sequenceParallel && rowTokens % parallel.tensorParallelSize == 0;
    const auto sharesExperts = [&](int64_t parts) {
        return spec.model.experts > 0 && spec.model.experts % parts == 0 && parallel.dataParallelSize % parts == 0;
    };
    while (parallel.expertParallelSize > 1 && !sharesExperts(parallel.expertParallelSize))
        --parallel.expertParallelSize;
}

struct Candidate {
    ParallelConfig parallel;
    double changes;
};

// Sizes that leave the number of ranks as it is are preferred, since the machines are what they are.
double changesOf(const ParallelConfig& wanted, const ParallelConfig& sizes) {
    return 1.0 * steps(wanted.dataParallelSize, sizes.dataParallelSize) +
           1.2 * steps(wanted.tensorParallelSize, sizes.tensorParallelSize) +
           1.2 * steps(wanted.pipelineStages, sizes.pipelineStages) +
           1.2 * steps(wanted.contextParallelSize, sizes.contextParallelSize) +
           0.5 * steps(wanted.worldSize(), sizes.worldSize());
}

}  // namespace

std::optional<ParallelConfig> nearestLegalLayout(const RunSpec& spec, const MachineSet* machines, Reach reach) {
    if (isLegalLayout(spec, machines, reach))
        return spec.parallel;
    const ParallelConfig& wanted = spec.parallel;
    const int64_t most = machines && machines->gpu ? std::min(machines->devices(), kMostRanks) : kMostRanks;
    const auto sizes = [&](const char* path, int64_t size) { return nearSizes(spec, path, size, most); };
    std::vector<Candidate> candidates;
    const auto pipelines = sizes("parallel.pipeline_stages", wanted.pipelineStages);
    const auto contexts = sizes("parallel.context_parallel_size", wanted.contextParallelSize);
    const auto copies = sizes("parallel.data_parallel_size", wanted.dataParallelSize);
    for (const int64_t tensor : sizes("parallel.tensor_parallel_size", wanted.tensorParallelSize))
        for (const int64_t pipeline : pipelines)
            for (const int64_t context : contexts)
                for (const int64_t data : copies) {
                    Candidate candidate{wanted, 0};
                    candidate.parallel.tensorParallelSize = tensor;
                    candidate.parallel.pipelineStages = pipeline;
                    candidate.parallel.contextParallelSize = context;
                    candidate.parallel.dataParallelSize = data;
                    candidate.changes = changesOf(wanted, candidate.parallel);
                    if (candidate.parallel.worldSize() <= most)
                        candidates.push_back(candidate);
                }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.changes < b.changes; });
    RunSpec tried = spec;
    for (const Candidate& candidate : candidates) {
        tried.parallel = candidate.parallel;
        mend(tried);
        if (isLegalLayout(tried, machines, reach))
            return tried.parallel;
    }
    return std::nullopt;
}

}  // namespace unmask
