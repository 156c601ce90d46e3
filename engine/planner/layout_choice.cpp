// SPDX-License-Identifier: Apache-2.0
// Which layouts suit a model and a set of machines best: every legal combination of sizes is planned, those that fit
// are ordered by time, and the reasons are told from the figures of the plan.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "engine/base/text.h"
#include "engine/planner/layout_plan.h"

namespace unmask {

namespace {

constexpr double kSimplicity = 0.03;      // of the time that a further kind of parallelism must save
constexpr double kAssumedFlops = 100e12;  // to order layouts of devices whose speed is unknown
constexpr int64_t kLongRows = 8192;       // tokens from which on sharing rows is worth looking at
constexpr size_t kMostMicroBatches = 4;   // sizes tried of each combination

// Each stage of ZeRO shares one thing more.
int kindsOf(const ParallelConfig& parallel) {
    return (parallel.dataParallelSize > 1) + (parallel.tensorParallelSize > 1) + (parallel.pipelineStages > 1) +
           (parallel.contextParallelSize > 1) + static_cast<int>(parallel.zeroStage) +
           (parallel.expertParallelSize > 1) + (parallel.activationCheckpointing != Checkpointing::none);
}

double costOf(const LayoutPlan& plan) {
    return plan.time->total() * (1 + kSimplicity * kindsOf(plan.parallel));
}

class Search {
 public:
    Search(const RunSpec& spec, const MachineSet& machines, Reach reach)
        : m_spec(spec), m_machines(machines), m_reach(reach) {
        if (!m_machines.flopsPerSecond)
            m_machines.flopsPerSecond = kAssumedFlops;
    }

    std::vector<LayoutPlan> run() {
        const int64_t devices = m_machines.devices();
        const auto contexts = m_spec.model.sequenceLength >= kLongRows
                                  ? legalSizes(m_spec, "parallel.context_parallel_size", std::min<int64_t>(devices, 64))
                                  : std::vector<int64_t>{1};
        const auto pipelines = legalSizes(m_spec, "parallel.pipeline_stages", std::min<int64_t>(devices, 128));
        for (const int64_t tensor :
             legalSizes(m_spec, "parallel.tensor_parallel_size", std::min<int64_t>(devices, tensorLimit())))
            for (const int64_t pipeline : pipelines)
                for (const int64_t context : contexts)
                    if ((context & (context - 1)) == 0 && devices >= tensor * pipeline * context)
                        addCopies(tensor, pipeline, context);
        return std::move(m_found);
    }
    // The plan that needs least, where none fits.
    const std::optional<LayoutPlan>& smallest() const { return m_smallest; }

 private:
    // Tensor parallel beyond a node waits for the network at every block.
    int64_t tensorLimit() const { return m_machines.gpu ? m_machines.devicesPerNode : 2; }

    void addCopies(int64_t tensor, int64_t pipeline, int64_t context) {
        const int64_t most = m_machines.devices() / (tensor * pipeline * context);
        for (int64_t data = most; data >= 1; --data) {
            if (m_spec.training.batchSize % data != 0)
                continue;
            ParallelConfig parallel;
            parallel.tensorParallelSize = tensor;
            parallel.pipelineStages = pipeline;
            parallel.contextParallelSize = context;
            parallel.dataParallelSize = data;
            parallel.expertParallelSize = expertParts(data);
            addPolicies(parallel);
            if (m_machines.gpu)
                return;  // fewer copies leave devices idle
        }
    }
    // Experts over as many copies as divide both, so that each device holds few.
    int64_t expertParts(int64_t data) const {
        int64_t parts = 1;
        for (int64_t size = 2; size <= std::min<int64_t>(data, m_machines.devicesPerNode); ++size)
            if (m_spec.model.experts > 0 && m_spec.model.experts % size == 0 && data % size == 0)
                parts = size;
        return parts;
    }

    void addPolicies(ParallelConfig parallel) {
        const int64_t mostZero = parallel.dataParallelSize == 1 ? 0 : (parallel.pipelineStages > 1 ? 1 : 3);
        if (parallel.pipelineStages > 1)
            parallel.schedule = PipelineSchedule::zeroBubble;
        parallel.sequenceParallel = parallel.tensorParallelSize > 1;
        for (int64_t zero = 0; zero <= mostZero; ++zero)
            for (const Checkpointing checkpointing :
                 {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
                parallel.zeroStage = zero;
                parallel.activationCheckpointing = checkpointing;
                addMicroBatches(parallel);
            }
    }

    void addMicroBatches(ParallelConfig parallel) {
        const int64_t share = m_spec.training.batchSize / parallel.dataParallelSize;
        size_t tried = 0;
        for (int64_t micro = share; micro >= 1 && tried < kMostMicroBatches; --micro) {
            if (share % micro != 0 ||
                (micro > 1 && share / micro < 2 * parallel.pipelineStages - 1 && parallel.pipelineStages > 1))
                continue;
            parallel.microBatchSize = micro == share ? 0 : micro;
            RunSpec spec = m_spec;
            spec.parallel = parallel;
            LayoutPlan plan = planLayout(spec, m_machines);
            if (!plan.legal || (m_reach == Reach::runsToday && !plan.runsToday()))
                return;
            if (!m_smallest || plan.mostBytes() < m_smallest->mostBytes())
                m_smallest = plan;
            if (plan.fits == false)
                continue;
            ++tried;
            m_found.push_back(std::move(plan));
        }
    }

    RunSpec m_spec;
    MachineSet m_machines;
    Reach m_reach;
    std::vector<LayoutPlan> m_found;
    std::optional<LayoutPlan> m_smallest;
};

std::string number(int64_t value) {
    return std::to_string(value);
}

std::string percent(double share) {
    return number(static_cast<int64_t>(std::lround(share * 100))) + " %";
}

class Reasons {
 public:
    Reasons(const RunSpec& spec, const MachineSet& machines, const LayoutPlan& plan)
        : m_spec(spec), m_machines(machines), m_plan(plan) {}

    std::vector<Sentence> tell(const LayoutPlan* other) {
        tellState();
        tellTensor();
        tellPipeline();
        tellZero();
        tellRecomputing();
        if (other && m_plan.time && other->time && other->time->total() > 1.01 * m_plan.time->total())
            tellOther(*other);
        return std::move(m_list);
    }

 private:
    void say(const std::string& en, const std::string& zh) { m_list.push_back({en, zh}); }

    void tellState() {
        const double state = static_cast<double>(countParameters(resolvedModel(m_spec)).total) *
                             static_cast<double>(stateElementBytes(m_spec));
        const std::string need = formatBytes(state);
        if (m_plan.capacityBytes <= 0)
            return say("How much memory a device has is unknown; weights and training state take " + need + ".",
                       "设备内存未知；权重和训练状态占 " + need + "。");
        const std::string has = formatBytes(m_plan.capacityBytes);
        if (state > m_plan.capacityBytes)
            return say("Weights and training state take " + need + ", more than the " + has +
                           " of one device, so devices must share them.",
                       "权重和训练状态占 " + need + "，超过单个设备的 " + has + "，必须由多个设备分担。");
        if (m_plan.parallel.dataParallelSize == m_plan.worldSize && m_plan.worldSize > 1)
            return say("Weights and training state take " + need + " of " + has +
                           ": every device holds a whole copy and only gradients travel, the least traffic there is.",
                       "权重和训练状态占 " + has + " 中的 " + need + "：每个设备保存完整副本，只传梯度，通信最少。");
        if (m_plan.worldSize == 1)
            return say("Weights and training state take " + need + " of " + has + "; one device is fastest here.",
                       "权重和训练状态占 " + has + " 中的 " + need + "；此处单个设备最快。");
        say("Weights and training state take " + need + " of the " + has + " of a device.",
            "权重和训练状态占单个设备 " + has + " 中的 " + need + "。");
    }
    void tellTensor() {
        const int64_t size = m_plan.parallel.tensorParallelSize;
        if (size > 1)
            say("Each layer is shared by " + number(size) + " devices of one node, whose link is fast enough for it.",
                "每一层由同一节点的 " + number(size) + " 个设备分担，其互连足够快。");
    }
    void tellPipeline() {
        const int64_t stages = m_plan.parallel.pipelineStages;
        if (stages == 1)
            return;
        const std::string bubble = m_plan.time ? percent(m_plan.time->bubbleShare()) : "?";
        say("The layers stand in " + number(stages) +
                " stages, between which only hidden states travel; with zero bubble a stage waits " + bubble +
                " of the time.",
            "各层分为 " + number(stages) + " 个阶段，阶段之间只传隐藏状态；采用零气泡时等待占 " + bubble + "。");
    }
    void tellZero() {
        const int64_t zero = m_plan.parallel.zeroStage;
        if (zero == 0)
            return;
        RunSpec whole = m_spec;
        whole.parallel = m_plan.parallel;
        whole.parallel.zeroStage = 0;
        const double saved = static_cast<double>(planLayout(whole, m_machines).mostBytes() - m_plan.mostBytes());
        const std::string copies = number(m_plan.parallel.dataParallelSize);
        const std::string bytes = formatBytes(std::max(0.0, saved));
        constexpr std::array<std::string_view, 4> kWhat{"", "the optimizer state", "optimizer state and gradients",
                                                        "optimizer state, gradients and weights"};
        constexpr std::array<std::string_view, 4> kWhatZh{"", "优化器状态", "优化器状态和梯度",
                                                          "优化器状态、梯度和权重"};
        const auto at = static_cast<size_t>(zero);
        say("ZeRO-" + number(zero) + " shares " + std::string(kWhat[at]) + " among the " + copies +
                " copies and saves " + bytes + " a device.",
            "ZeRO-" + number(zero) + " 让 " + copies + " 个副本分担" + std::string(kWhatZh[at]) + "，每个设备省 " +
                bytes + "。");
    }
    void tellRecomputing() {
        const Checkpointing checkpointing = m_plan.parallel.activationCheckpointing;
        if (checkpointing == Checkpointing::none)
            return;
        RunSpec whole = m_spec;
        whole.parallel = m_plan.parallel;
        whole.parallel.activationCheckpointing = Checkpointing::none;
        const std::string bytes = formatBytes(static_cast<double>(planLayout(whole, m_machines).mostBytes()));
        say("Activations are computed again in the backward pass: with all of them kept a device would need " + bytes +
                ".",
            "反向时重新计算激活：若全部保留，单个设备需要 " + bytes + "。");
    }
    void tellOther(const LayoutPlan& other) {
        const std::string more = percent(other.time->total() / m_plan.time->total() - 1);
        const Sentence words = layoutWords(other.parallel);
        say("The next best, " + words.en + ", takes about " + more + " longer.",
            "次优布局（" + words.zh + "）约慢 " + more + "。");
    }

    const RunSpec& m_spec;
    const MachineSet& m_machines;
    const LayoutPlan& m_plan;
    std::vector<Sentence> m_list;
};

// Layouts that differ in ZeRO, recomputing or micro-batch alone are one proposal.
std::array<int64_t, 4> sizesOf(const ParallelConfig& parallel) {
    return {parallel.dataParallelSize, parallel.tensorParallelSize, parallel.pipelineStages,
            parallel.contextParallelSize};
}

// Layouts that leave GPUs idle count only where there is no other; one rank may use all cores of a CPU.
void dropIdle(std::vector<LayoutPlan>& plans) {
    int64_t most = 0;
    for (const LayoutPlan& plan : plans)
        most = std::max(most, plan.worldSize);
    std::erase_if(plans, [&](const LayoutPlan& plan) { return plan.worldSize < most; });
}

LayoutChoice nothingFits(const LayoutPlan& smallest) {
    const std::string need = formatBytes(static_cast<double>(smallest.mostBytes()));
    const std::string has = formatBytes(smallest.capacityBytes);
    return {smallest,
            {{"No layout fits these machines: the smallest still needs " + need + " a device, and there are " + has +
                  ". Take more devices, a smaller model or shorter rows.",
              "没有布局能放进这些机器：最省的布局每个设备仍需 " + need + "，而内存为 " + has +
                  "。请增加设备、缩小模型或缩短序列。"}}};
}

}  // namespace

std::vector<LayoutChoice> recommendLayouts(const RunSpec& spec, const MachineSet& machines, size_t most, Reach reach) {
    Search search(spec, machines, reach);
    std::vector<LayoutPlan> plans = search.run();
    if (plans.empty())
        return search.smallest() ? std::vector{nothingFits(*search.smallest())} : std::vector<LayoutChoice>{};
    if (machines.gpu)
        dropIdle(plans);
    std::stable_sort(plans.begin(), plans.end(),
                     [](const LayoutPlan& a, const LayoutPlan& b) { return costOf(a) < costOf(b); });
    std::vector<LayoutPlan> best;
    std::map<std::array<int64_t, 4>, bool> taken;
    for (LayoutPlan& plan : plans)
        if (best.size() < most + 1 && !std::exchange(taken[sizesOf(plan.parallel)], true))
            best.push_back(std::move(plan));
    if (!machines.flopsPerSecond)
        for (LayoutPlan& plan : best)
            plan.time.reset();
    std::vector<LayoutChoice> choices;
    for (size_t i = 0; i < best.size() && choices.size() < most; ++i) {
        const LayoutPlan* next = i == 0 && best.size() > 1 ? &best[1] : nullptr;
        choices.push_back({best[i], Reasons(spec, machines, best[i]).tell(next)});
    }
    return choices;
}

}  // namespace unmask
