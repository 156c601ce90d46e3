// SPDX-License-Identifier: Apache-2.0
// Rules between fields that every way of starting shares. Each rule says its sentence in both languages.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/spec_json.h"

namespace unmask {
namespace {

class Problems {
 public:
    void error(std::string path, std::string en, std::string zh) {
        m_list.push_back({std::move(path), Severity::error, std::move(en), std::move(zh)});
    }
    void warn(std::string path, std::string en, std::string zh) {
        m_list.push_back({std::move(path), Severity::warning, std::move(en), std::move(zh)});
    }
    std::vector<Problem> take() { return std::move(m_list); }

 private:
    std::vector<Problem> m_list;
};

std::string number(int64_t value) {
    return std::to_string(value);
}

std::string divisorsOf(int64_t value, int64_t limit) {
    std::string list;
    int count = 0;
    for (int64_t d = 1; d <= std::min(value, limit) && count < 12; ++d)
        if (value % d == 0) {
            list += (list.empty() ? "" : " ") + number(d);
            ++count;
        }
    return list;
}

void checkRanges(const RunSpec& spec, Problems& problems) {
    for (const Setting& setting : allSettings()) {
        RunSpec copy = spec;
        const auto outcome = setSetting(copy, setting.path, getSetting(spec, setting.path));
        if (!outcome) {
            const std::string low = formatNumber(setting.info.min), high = formatNumber(setting.info.max);
            problems.error(setting.path, std::string(outcome.error().what()).substr(11),
                           setting.path + " 的值必须在 " + low + " 与 " + high + " 之间");
        }
    }
}

void checkModel(const ModelConfig& model, Problems& problems) {
    if (model.heads > 0 && model.width % model.heads != 0)
        problems.error("model.heads",
                       number(model.heads) + " heads do not divide the width " + number(model.width) +
                           "; allowed are " + divisorsOf(model.width, 256),
                       number(model.heads) + " 个头不能整除宽度 " + number(model.width) + "；可用：" +
                           divisorsOf(model.width, 256));
    else if (model.heads > 0 && model.headWidth() % 2 != 0)
        problems.error("model.heads",
                       "a head has " + number(model.headWidth()) + " dimensions; rotary positions need an even number",
                       "每个头有 " + number(model.headWidth()) + " 维；旋转位置编码需要偶数");
    if (model.keyValueHeads > 0 && model.heads % model.keyValueHeads != 0)
        problems.error("model.key_value_heads",
                       number(model.keyValueHeads) + " key and value heads do not divide " + number(model.heads) +
                           " attention heads; allowed are " + divisorsOf(model.heads, 256),
                       number(model.keyValueHeads) + " 个键值头不能整除 " + number(model.heads) +
                           " 个注意力头；可用：" + divisorsOf(model.heads, 256));
    if (model.vocabularySize > 0 && model.vocabularySize % 128 != 0)
        problems.warn("model.vocabulary_size",
                      "a vocabulary of " + number(model.vocabularySize) + " is rounded up to a multiple of 128",
                      "词表大小 " + number(model.vocabularySize) + " 会向上取整到 128 的倍数");
}

constexpr int64_t kMostExperts = 262144;  // in all blocks; each of their matrices has a name in memory

void checkExperts(const RunSpec& spec, Problems& problems) {
    const ModelConfig& model = spec.model;
    if (model.experts == 0)
        return;
    if (model.expertsPerToken > model.experts)
        problems.error(
            "model.experts_per_token",
            number(model.expertsPerToken) + " experts a token are more than the " + number(model.experts) +
                " experts there are",
            "每 token " + number(model.expertsPerToken) + " 个专家，多于全部 " + number(model.experts) + " 个专家");
    if (model.denseLayers >= model.layers)
        problems.error("model.dense_layers",
                       number(model.denseLayers) + " dense first layers leave no sparse one of " +
                           number(model.layers) + "; lower it, or set experts to 0",
                       number(model.layers) + " 层中前 " + number(model.denseLayers) +
                           " 层为稠密层，没有稀疏层；请减小该值，或将专家数设为 0");
    if (model.experts * model.layers > kMostExperts)
        problems.error(
            "model.experts",
            number(model.experts) + " experts in each of " + number(model.layers) + " layers are more than " +
                number(kMostExperts) + " in all",
            number(model.layers) + " 层各 " + number(model.experts) + " 个专家，总数超过 " + number(kMostExperts));
    if (spec.training.device == DeviceChoice::cuda)
        problems.error("training.device",
                       "experts compute on the CPU only in this version; choose device cpu, or set model.experts to 0",
                       "此版本的专家仅在 CPU 上计算；请将设备设为 cpu，或将 model.experts 设为 0");
    if (spec.parallel.worldSize() > 1 || spec.parallel.expertParallelSize > 1)
        problems.error("model.experts",
                       "experts train on one device in this version; set all parallel sizes to 1, or experts to 0",
                       "此版本的专家在单个设备上训练；请将所有并行大小设为 1，或将专家数设为 0");
    if (model.expertsPerToken == 1 && model.normalisedRoutes && model.experts > 1)
        problems.warn(
            "model.normalised_routes",
            "with one expert a token its weight is always 1, so the router learns from the balance loss alone; "
            "switch normalised_routes off",
            "每 token 只有一个专家时，其权重恒为 1，路由只能从均衡损失学习；请关闭权重归一");
}

void checkTraining(const RunSpec& spec, Problems& problems) {
    const auto& training = spec.training;
    const auto& parallel = spec.parallel;
    if (training.batchSize % parallel.dataParallelSize != 0)
        problems.error(
            "training.batch_size",
            "a batch of " + number(training.batchSize) + " rows cannot be shared by " +
                number(parallel.dataParallelSize) + " devices",
            "批大小 " + number(training.batchSize) + " 不能平均分给 " + number(parallel.dataParallelSize) + " 个设备");
    if (parallel.microBatchSize > 0 && training.batchSize % (parallel.microBatchSize * parallel.dataParallelSize) != 0)
        problems.error("parallel.micro_batch_size",
                       "micro-batches of " + number(parallel.microBatchSize) + " rows do not divide the batch of " +
                           number(training.batchSize / parallel.dataParallelSize) + " rows a device",
                       "每微批 " + number(parallel.microBatchSize) + " 行不能整除每设备 " +
                           number(training.batchSize / parallel.dataParallelSize) + " 行的批");
    if (training.precision == Precision::fp16 || training.precision == Precision::bf16 ||
        training.precision == Precision::fp8)
        if (training.device == DeviceChoice::cpu)
            problems.error("training.precision",
                           std::string(wordOf(training.precision)) + " needs a GPU; the CPU computes in fp32 or fp64",
                           std::string(wordOf(training.precision)) + " 需要 GPU；CPU 以 fp32 或 fp64 计算");
    if (spec.checkpoint.interval.unit == Interval::Unit::never)
        problems.warn("checkpoint.checkpoint_interval",
                      "without checkpoints a crash loses all work; one is written at the end only",
                      "没有检查点时，崩溃会丢失全部工作；只在结束时写入一个");
    if (spec.optimizer.learningRate > 0.02)
        problems.warn("optimizer.learning_rate",
                      "a learning rate of " + formatNumber(spec.optimizer.learningRate) + " is likely to diverge",
                      "学习率 " + formatNumber(spec.optimizer.learningRate) + " 很可能发散");
    if (spec.optimizer.warmupFraction + spec.optimizer.decayFraction > 1 &&
        spec.optimizer.schedule == RateSchedule::warmupStableDecay)
        problems.error("optimizer.decay_fraction", "warm-up and decay together are longer than the run",
                       "预热与衰减之和超过了整个运行");
}

// Products of 8-bit values take dimensions in multiples of 16.
void checkFp8(const RunSpec& spec, Problems& problems) {
    if (spec.training.precision != Precision::fp8)
        return;
    constexpr int64_t kMultiple = 16;
    const auto require = [&](const char* path, int64_t value, const char* en, const char* zh) {
        if (value % kMultiple != 0)
            problems.error(path, std::string("fp8 needs ") + en + " in multiples of 16, this is " + number(value),
                           std::string("fp8 要求") + zh + "为 16 的倍数，当前为 " + number(value));
    };
    require("model.width", spec.model.width, "a width", "宽度");
    require("model.feed_forward_width", spec.model.feedForwardWidth, "a feed-forward width", "前馈宽度");
    if (spec.model.heads > 0)
        require("model.key_value_heads", spec.model.keyValueWidth(), "keys", "键的总宽度");
    require("model.sequence_length", spec.model.sequenceLength * spec.effectiveMicroBatch(),
            "the tokens of a micro-batch", "每个微批的 token 数");
}

void checkStates(const RunSpec& spec, Problems& problems) {
    const Precision precision = spec.training.precision;
    if (spec.optimizer.statePrecision == StatePrecision::bf16 && precision != Precision::bf16 &&
        precision != Precision::fp8)
        problems.error("optimizer.state_precision",
                       "bfloat16 state goes with precision bf16 or fp8, not " + std::string(wordOf(precision)),
                       "bfloat16 状态需要精度 bf16 或 fp8，而不是 " + std::string(wordOf(precision)));
    for (const std::string& name : splitList(spec.training.exactOps))
        if (std::find(kExactOpNames.begin(), kExactOpNames.end(), name) == kExactOpNames.end())
            problems.error(
                "training.exact_ops",
                "\"" + toValidUtf8(name) +
                    "\" is no operation; there are products, attention, norm, "
                    "activation, rotary and head",
                "“" + toValidUtf8(name) + "”不是运算；可用：products、attention、norm、activation、rotary、head");
}

void checkLaunch(const LaunchConfig& launch, Problems& problems) {
    if (launch.name.size() > 200 || firstInvalidUtf8(launch.name) ||
        std::any_of(launch.name.begin(), launch.name.end(), [](unsigned char c) { return c < 0x20; }))
        problems.error("launch.name", "a name has at most 200 bytes of text and no control characters",
                       "名称最多 200 字节文本，且不含控制字符");
}

}  // namespace

std::vector<Problem> checkSpec(const RunSpec& spec) {
    Problems problems;
    checkRanges(spec, problems);
    checkModel(spec.model, problems);
    checkExperts(spec, problems);
    if (spec.training.batchSize > 0 && spec.parallel.dataParallelSize > 0 && spec.parallel.microBatchSize >= 0)
        checkTraining(spec, problems);
    checkFp8(spec, problems);
    checkStates(spec, problems);
    checkLaunch(spec.launch, problems);
    return problems.take();
}

bool hasErrors(const std::vector<Problem>& problems) {
    return std::any_of(problems.begin(), problems.end(),
                       [](const Problem& problem) { return problem.severity == Severity::error; });
}

}  // namespace unmask
