// SPDX-License-Identifier: Apache-2.0
// Time of a whole training step (forward, backward, AdamW) on random tokens.
// step_bench [--layers 4 --width 128 --heads 4 --inner 320 --rows 32 --length 64 --threads 2 --steps 20 --policy keep]
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <map>
#include <random>
#include <string>

#include "engine/base/text.h"
#include "engine/optimizer/optimizer.h"
#include "engine/runtime/chain_runner.h"

namespace {

using namespace unmask;

struct Arguments {
    std::map<std::string, int64_t> values{{"layers", 4},  {"width", 128}, {"heads", 4},  {"inner", 320}, {"rows", 32},
                                          {"length", 64}, {"threads", 2}, {"steps", 20}, {"warm", 3},    {"policy", 0}};
    int64_t operator[](const char* name) const { return values.at(name); }
};

Arguments parse(int argc, char** argv) {
    Arguments arguments;
    for (int i = 1; i + 1 < argc; i += 2) {
        const auto entry = arguments.values.find(std::string(argv[i]).substr(2));
        const auto value = parseInteger(argv[i + 1]);
        if (entry == arguments.values.end() || !value) {
            std::fprintf(stderr, "step_bench: cannot read %s %s\n", argv[i], argv[i + 1]);
            std::exit(2);
        }
        entry->second = *value;
    }
    return arguments;
}

struct Batch {
    StepInput input;
    at::Tensor targets, weights;
};

// A uniform number of masked tokens a row, as the exact-count objective draws it.
Batch randomBatch(int64_t rows, int64_t length, std::mt19937_64& random) {
    std::vector<int32_t> tokens;
    std::vector<int64_t> scored, targets;
    std::vector<double> weights;
    std::uniform_int_distribution<int32_t> token(0, 255);
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t count =
            1 + (row * length + static_cast<int64_t>(random() % static_cast<uint64_t>(length))) / rows;
        std::vector<int64_t> places(static_cast<size_t>(length));
        for (int64_t i = 0; i < length; ++i)
            places[static_cast<size_t>(i)] = i;
        std::shuffle(places.begin(), places.end(), random);
        std::sort(places.begin(), places.begin() + count);
        for (int64_t i = 0; i < length; ++i)
            tokens.push_back(token(random));
        for (int64_t i = 0; i < count; ++i) {
            const int64_t flat = row * length + places[static_cast<size_t>(i)];
            scored.push_back(flat);
            targets.push_back(tokens[static_cast<size_t>(flat)]);
            tokens[static_cast<size_t>(flat)] = 258;
            weights.push_back(static_cast<double>(length) / static_cast<double>(count * rows * length));
        }
    }
    return {{at::tensor(tokens, at::TensorOptions().dtype(at::kInt)), SegmentLayout::wholeRows(rows, length),
             at::tensor(scored, at::TensorOptions().dtype(at::kLong))},
            at::tensor(targets, at::TensorOptions().dtype(at::kLong)),
            at::tensor(weights, at::TensorOptions().dtype(at::kDouble))};
}

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments = parse(argc, argv);
    at::set_num_threads(static_cast<int>(arguments["threads"]));
    ModelConfig config;
    config.layers = arguments["layers"];
    config.width = arguments["width"];
    config.heads = arguments["heads"];
    config.feedForwardWidth = arguments["inner"];
    config.sequenceLength = arguments["length"];
    config.vocabularySize = 384;
    Transformer model(config, at::kFloat);
    model.initialise(42);
    OptimizerConfig settings;
    const auto optimizer = makeOptimizer(settings, model.slabs());
    ChainRunner runner(model, {.rows = arguments["rows"],
                               .length = arguments["length"],
                               .policy = static_cast<BlockPolicy>(arguments["policy"]),
                               .vocabulary = {259, 258}});
    std::mt19937_64 random(1);
    std::vector<double> seconds;
    std::clock_t processor = 0;  // time on all cores, which other programs cannot take away
    StepLoss loss;
    for (int64_t step = 0; step < arguments["warm"] + arguments["steps"]; ++step) {
        const Batch batch = randomBatch(arguments["rows"], arguments["length"], random);
        const double start = secondsNow();
        const std::clock_t processorStart = std::clock();
        model.zeroGradients();
        loss = runner.forwardBackward(batch.input, batch.targets, batch.weights);
        optimizer->update(model.slabs(), settings, 3e-4);
        if (step < arguments["warm"])
            continue;
        seconds.push_back(secondsNow() - start);
        processor += std::clock() - processorStart;
    }
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<int64_t>(seconds.size() / 2), seconds.end());
    const double median = seconds[seconds.size() / 2];
    const double best = *std::min_element(seconds.begin(), seconds.end());
    const auto tokens = static_cast<double>(arguments["rows"] * arguments["length"]);
    const double processorSeconds =
        static_cast<double>(processor) / CLOCKS_PER_SEC / static_cast<double>(arguments["steps"]);
    std::printf("%.2f ms a step (fastest %.2f, processor time %.2f), %.0f tokens/s, loss %.4f, arena %s\n",
                median * 1e3, best * 1e3, processorSeconds * 1e3, tokens / median, loss.loss,
                formatBytes(static_cast<double>(runner.arenaBytes())).c_str());
    return 0;
}
