// SPDX-License-Identifier: Apache-2.0
// `bench`: whole training steps of a preset on made-up text, without journal and files.
#include <ATen/Parallel.h>
#include <torch/headeronly/version.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/objective/registry.h"
#include "engine/ops/device.h"
#include "engine/ops/device_options.h"
#include "engine/ops/op_times.h"
#include "engine/optimizer/learning_rate.h"
#include "engine/planner/hardware.h"
#include "engine/planner/model_shape.h"
#include "engine/protocol/presets.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/version.h"
#include "engine/train/assemble_run.h"
#include "engine/train/train_step.h"
#include "engine/worker/subcommands.h"

namespace unmask::worker {

namespace {

struct BenchOptions {
    std::string preset = "first-steps", precision = "fp32", checkpointing, device = "auto";
    int64_t steps = 20;
    int64_t batch = 0, sequence = 0, threads = 0, microBatch = 0, vocabulary = 0;
    std::vector<std::string> settings;  // NAME=VALUE
    bool json = false, operations = false;
};

constexpr int64_t kWarmUpSteps = 5;
constexpr int64_t kMeasuredSteps = 3;  // with two events round each operation, not captured
constexpr int64_t kBatches = 4;        // made before the clock starts; the real loader is never waited for either

RunSpec benchSpec(const BenchOptions& options) {
    RunSpec spec = presetSpec(options.preset).orThrow();
    const auto set = [&](std::string_view path, const std::string& text) {
        setSettingFromText(spec, path, text).orThrow();
    };
    set("training.precision", options.precision);
    set("training.device", options.device);
    set("training.steps", std::to_string(options.steps + kWarmUpSteps));
    if (options.batch > 0)
        set("training.batch_size", std::to_string(options.batch));
    if (options.sequence > 0)
        set("model.sequence_length", std::to_string(options.sequence));
    if (options.threads > 0)
        set("training.threads", std::to_string(options.threads));
    if (options.microBatch > 0)
        set("parallel.micro_batch_size", std::to_string(options.microBatch));
    if (options.vocabulary > 0) {
        set("model.vocabulary_size", std::to_string(options.vocabulary));
        spec.objective.excludeMaskLogit = false;  // so that all of it is computed
    }
    if (!options.checkpointing.empty())
        set("parallel.activation_checkpointing", options.checkpointing);
    for (const std::string& setting : options.settings) {
        const size_t equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            throw Error{ErrorCode::badInput, "[bench] --set takes NAME=VALUE, not '" + setting + "'"};
        setSettingFromText(spec, std::string_view(setting).substr(0, equals), setting.substr(equals + 1)).orThrow();
    }
    return spec;
}

// Full rows of one sample each, token ids by a fixed rule.
LoadedBatch madeUpBatch(const RunSpec& spec, int64_t step, int64_t vocabulary) {
    LoadedBatch batch;
    const int64_t rows = spec.training.batchSize, length = spec.model.sequenceLength;
    batch.plan = {.step = step, .rows = rows, .length = length};
    for (int64_t row = 0; row < rows; ++row)
        batch.plan.slots.push_back({.slot = row,
                                    .datasetIndex = step * rows + row,
                                    .row = static_cast<int32_t>(row),
                                    .length = static_cast<int32_t>(length)});
    uint64_t state = static_cast<uint64_t>(step) + 1;
    const auto ids = static_cast<uint64_t>(vocabulary < 1024 ? 200 : vocabulary - 1);
    const int64_t microRows = spec.effectiveMicroBatch();
    for (int64_t first = 0; first < rows; first += microRows) {
        MicroBatch micro{.firstRow = first, .rows = std::min(microRows, rows - first), .length = length};
        micro.tokens.resize(static_cast<size_t>(micro.rows * length));
        for (int32_t& token : micro.tokens) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            token = static_cast<int32_t>((state >> 33) % ids);
        }
        for (int64_t row = 0; row < micro.rows; ++row) {
            micro.slots.push_back(batch.plan.slots[static_cast<size_t>(first + row)]);
            micro.slots.back().row = static_cast<int32_t>(row);
        }
        batch.microBatches.push_back(std::move(micro));
    }
    return batch;
}

int64_t peakMemoryBytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stoll(line.substr(6)) * 1024;
    return 0;
}

void describeGpuRun(Json& answer) {
    const GpuInfo gpu = gpuInfo();
    answer["peak_memory_bytes"] = gpu.totalBytes - gpu.freeBytes;  // nothing is given back before the end
    answer["versions"]["driver"] = gpu.driver;
    answer["versions"]["cuda"] = gpu.cuda;
    answer["versions"]["cudnn"] = gpu.cudnn;
}

// Milliseconds and calls a step of each operation, slowest first.
Json operationsOf(const OpTimes& times) {
    Json list = Json::array();
    for (const OpTime& op : times.totals())
        list.push_back({{"name", op.name},
                        {"calls", op.calls / kMeasuredSteps},
                        {"milliseconds", numberToJson(op.seconds * 1e3 / kMeasuredSteps)},
                        {"microseconds_a_call", numberToJson(op.seconds * 1e6 / static_cast<double>(op.calls))}});
    return list;
}

ErrorCode bench(const BenchOptions& options) {
    const auto begin = SteadyClock::now();
    const RunSpec spec = benchSpec(options);
    prepareDevice(spec);
    refuseWhatCannotRun(spec);
    AssembledModel made = assembleModel(spec, ModelUse::training);
    made.model->initialise(static_cast<uint64_t>(spec.training.seed));
    const auto objective =
        makeObjective(spec.objective, NoiseKeys(static_cast<uint64_t>(spec.training.seed)), made.tokenizer->mask());
    const auto optimizer = makeOptimizer(spec.optimizer, made.model->slabs());
    const auto trainStep = makeTrainStep({*objective, *made.model, *made.runner, *optimizer});

    double firstStepSeconds = 0;
    std::vector<StepResult> results;
    const auto collect = [&](bool all) {
        for (StepResult& result : trainStep->finished(all))
            results.push_back(std::move(result));
    };
    const int64_t vocabulary = made.model->config().vocabularySize;
    std::vector<LoadedBatch> batches;
    for (int64_t step = 0; step < kBatches; ++step)
        batches.push_back(madeUpBatch(spec, step, vocabulary));
    for (int64_t step = 0; step < options.steps + kWarmUpSteps; ++step) {
        LoadedBatch& batch = batches[static_cast<size_t>(step % kBatches)];
        batch.plan.step = step;
        trainStep->queue(batch, spec.optimizer, learningRate(spec.optimizer, spec.training.steps, step));
        collect(step == 0);
        if (step == 0)
            firstStepSeconds = secondsSince(begin);
    }
    collect(true);
    const double loss = results.back().figures.loss;
    const size_t timed = results.size();
    Json operations = Json::array();
    if (options.operations && trainsOnGpu(spec)) {
        deviceOptions().graphs = false;
        OpTimes times;
        OpTimes::current() = &times;
        for (int64_t step = 0; step < kMeasuredSteps; ++step)
            trainStep->queue(batches[static_cast<size_t>(step)], spec.optimizer, 0);
        OpTimes::current() = nullptr;
        operations = operationsOf(times);
        collect(true);
    }
    std::vector<double> seconds;
    for (size_t i = kWarmUpSteps; i < timed; ++i)
        seconds.push_back(results[i].figures.seconds);
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const auto tokens = static_cast<double>(spec.training.batchSize * spec.model.sequenceLength);
    const Hardware hardware = detectHardware();
    Json answer{{"preset", options.preset},
                {"precision", options.precision},
                {"parameters", countParameters(made.model->config()).total},
                {"batch", spec.training.batchSize},
                {"micro_batch", spec.effectiveMicroBatch()},
                {"sequence", spec.model.sequenceLength},
                {"steps", options.steps},
                {"settings", options.settings},
                {"vocabulary", vocabulary},
                {"threads", at::get_num_threads()},
                {"tokens_per_second", numberToJson(tokens / median)},
                {"milliseconds",
                 {{"median", numberToJson(median * 1e3)},
                  {"fastest", numberToJson(seconds.front() * 1e3)},
                  {"slowest", numberToJson(seconds.back() * 1e3)}}},
                {"model_flops_per_second", numberToJson(modelFlopsPerToken(made.model->config()) * tokens / median)},
                {"peak_memory_bytes", peakMemoryBytes()},
                {"arena_bytes", made.runner->arenaBytes()},
                {"first_step_seconds", numberToJson(firstStepSeconds)},
                {"operations", std::move(operations)},
                {"last_loss", numberToJson(loss)},
                {"device", describeDevice(spec)},
                {"processor", hardware.processor},
                {"versions", {{"unmask", std::string(codeVersion())}, {"libtorch", TORCH_VERSION}}}};
    if (trainsOnGpu(spec))
        describeGpuRun(answer);
    if (options.json)
        std::cout << dumpLine(answer) << std::endl;
    else
        std::cout << options.preset << " " << options.precision << ": " << formatCount(tokens / median) << " tokens/s, "
                  << formatNumber(std::round(median * 1e4) / 10) << " ms a step" << std::endl;
    return ErrorCode::finished;
}

}  // namespace

void addBench(CLI::App& app, Action& action) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command = app.add_subcommand("bench", "Measure whole training steps");
    command->add_option("--preset", options->preset, "Architecture to measure");
    command->add_option("--precision", options->precision, "fp32, bf16, fp16, fp8 or fp64");
    command->add_option("--steps", options->steps, "Steps that are timed")->check(CLI::Range(1, 1000000));
    command->add_option("--batch", options->batch, "Rows a step");
    command->add_option("--micro-batch", options->microBatch, "Rows computed at once");
    command->add_option("--sequence", options->sequence, "Tokens a row");
    command->add_option("--vocabulary", options->vocabulary, "Rows of the head instead of the tokenizer's");
    command->add_option("--threads", options->threads, "CPU threads");
    command->add_option("--activation-checkpointing", options->checkpointing, "none, selective or full");
    command->add_option("--device", options->device, "auto, cpu or cuda");
    command->add_option("--set", options->settings, "NAME=VALUE of any other setting")
        ->take_all()
        ->allow_extra_args(false);
    command->add_flag("--operations", options->operations, "GPU: time of each operation as well");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace unmask::worker
