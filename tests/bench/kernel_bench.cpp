// SPDX-License-Identifier: Apache-2.0
// Microseconds of each kernel at the shapes of the presets (65,536 tokens), beside the bytes it has to move at a given
// bandwidth. One JSON object a line: op, preset, microseconds, budget_microseconds, ratio.
//   kernel_bench [bytes per second, default 3.7e12] [only ops with this in their name]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels/activation/activation.h"
#include "kernels/adamw/adamw.h"
#include "kernels/clear/clear.h"
#include "kernels/mask_noise/mask_noise.h"
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"
#include "kernels/residual_norm/residual_norm.h"
#include "kernels/rotary/rotary.h"
#include "kernels/rows/rows.h"
#include "kernels/step_record/step_record.h"

using namespace unmask::kernels;

namespace {

constexpr int64_t kTokens = 65536;
constexpr int kLength = 1024, kVocabulary = 50304;
constexpr DType kType = DType::bfloat16;

struct Preset {
    const char* name;
    int layers, C, heads, F;
    int64_t parameters;
};
constexpr Preset kPresets[] = {{"light", 6, 512, 8, 1408, 70785536},
                               {"base", 12, 768, 12, 2048, 162220800},
                               {"enhanced", 24, 1024, 16, 2816, 411354112}};

double g_bandwidth = 3.7e12;
std::string g_only;

void* memory(size_t bytes) {
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        std::fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        std::exit(1);
    }
    // Values near 1 of either sign, in bf16 as in float: zeros can run faster than real data.
    static const std::vector<uint16_t> pattern = [] {
        std::vector<uint16_t> values(size_t{8} << 20);
        std::mt19937 random(1);
        for (uint16_t& value : values)
            value = static_cast<uint16_t>(0x3F00u + (random() & 0x80FFu));
        return values;
    }();
    const size_t piece = pattern.size() * sizeof(uint16_t);
    for (size_t at = 0; at < bytes; at += piece)
        cudaMemcpy(static_cast<char*>(p) + at, pattern.data(), std::min(piece, bytes - at), cudaMemcpyHostToDevice);
    return p;
}

// Queued eight times in a graph, as a training step has it, so that gaps between launches of a call count and the cost
// of launching from the host does not.
void measure(const std::string& op, const Preset& preset, double bytes, const std::function<Status(Stream)>& launch) {
    if (op.find(g_only) == std::string::npos)
        return;
    constexpr int kCalls = 8;
    const auto require = [&](bool condition, const char* what) {
        if (!condition) {
            std::fprintf(stderr, "%s failed: %s\n", op.c_str(), what);
            std::exit(1);
        }
    };
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t calls;
    cudaEvent_t begin, end;
    cudaStreamCreate(&stream), cudaEventCreate(&begin), cudaEventCreate(&end);
    const Status first = launch(stream);
    require(first.ok(), first.message);
    require(cudaStreamSynchronize(stream) == cudaSuccess, "device error");
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < kCalls; ++i)
        require(launch(stream).ok(), "capture");
    require(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "capture");
    require(cudaGraphInstantiate(&calls, graph, 0) == cudaSuccess, "graph");
    std::vector<float> times;
    for (int i = 0; i < 25; ++i) {
        cudaEventRecord(begin, stream);
        cudaGraphLaunch(calls, stream);
        cudaEventRecord(end, stream);
        require(cudaEventSynchronize(end) == cudaSuccess, "device error");
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (i >= 5)
            times.push_back(ms / kCalls);
    }
    cudaGraphExecDestroy(calls), cudaGraphDestroy(graph);
    cudaEventDestroy(begin), cudaEventDestroy(end), cudaStreamDestroy(stream);
    std::sort(times.begin(), times.end());
    const double us = times[times.size() / 2] * 1e3, budget = bytes / g_bandwidth * 1e6;
    std::printf("{\"op\":\"%s\",\"preset\":\"%s\",\"microseconds\":%.1f,\"budget_microseconds\":%.1f,\"ratio\":%.2f}\n",
                op.c_str(), preset.name, us, budget, us / budget);
    std::fflush(stdout);
}

void benchPreset(const Preset& p) {
    const auto N = static_cast<double>(kTokens);
    const size_t row = 2 * static_cast<size_t>(p.C), all = static_cast<size_t>(kTokens) * row;
    void* const x = memory(all);
    void* const delta = memory(all);
    void* const y = memory(all);
    void* const weight = memory(row);
    auto* const rstd = static_cast<float*>(memory(4 * static_cast<size_t>(kTokens)));
    auto* const dw = static_cast<float*>(memory(4 * static_cast<size_t>(p.C)));
    auto* const scratch = static_cast<float*>(memory(4 * static_cast<size_t>(residualNormScratch(p.C))));
    measure("residual_norm_forward", p, 8 * N * p.C, [&](Stream stream) {
        return residualNormForward({x, delta, weight, nullptr, x, y, rstd, nullptr, kTokens, p.C, 1e-5f, kType},
                                   stream);
    });
    ResidualNormBackwardArgs back{.gradientY = y,
                                  .sum = x,
                                  .weight = weight,
                                  .rstd = rstd,
                                  .gradient = delta,
                                  .weightGradient = dw,
                                  .scratch = scratch,
                                  .rows = kTokens,
                                  .C = p.C,
                                  .dtype = kType,
                                  .gradientDtype = kType};
    measure("residual_norm_backward", p, 8 * N * p.C,
            [&](Stream stream) { return residualNormBackward(back, stream); });
    back.y = y;
    measure("residual_norm_backward_and_y", p, 10 * N * p.C,
            [&](Stream stream) { return residualNormBackward(back, stream); });

    void* const qkv = memory(3 * all);
    auto* const positions = static_cast<int32_t*>(memory(4 * static_cast<size_t>(kTokens)));
    cudaMemset(positions, 0, 4 * static_cast<size_t>(kTokens));
    auto* const table = static_cast<float*>(memory(4 * kLength * 64));
    measure("rotary_queries_and_keys", p, 8 * N * p.C, [&](Stream stream) {
        return rotary({qkv, positions, table, kTokens, 3 * p.C, 2 * p.heads, p.C / p.heads, false, kType}, stream);
    });
    auto* const headRstd = static_cast<float*>(memory(4 * static_cast<size_t>(kTokens) * static_cast<size_t>(p.heads)));
    measure("head_norm_and_rotary_forward", p, 6 * N * p.C, [&](Stream stream) {
        return headNormForward(
            {qkv, weight, positions, table, x, headRstd, kTokens, 3 * p.C, p.heads, p.C / p.heads, 1e-5f, kType},
            stream);
    });
    auto* const headScratch = static_cast<float*>(memory(4 * static_cast<size_t>(headNormScratch(p.C / p.heads))));
    measure("head_norm_and_rotary_backward", p, 6 * N * p.C, [&](Stream stream) {
        return headNormBackward({qkv, weight, positions, table, x, headRstd, dw, headScratch, kTokens, 3 * p.C, p.heads,
                                 p.C / p.heads, kType, kType},
                                stream);
    });
    cudaFree(qkv), cudaFree(headRstd), cudaFree(headScratch);

    void* const inner = memory(static_cast<size_t>(kTokens) * 4 * static_cast<size_t>(p.F));
    void* const product = memory(static_cast<size_t>(kTokens) * 2 * static_cast<size_t>(p.F));
    measure("swiglu_forward", p, 6 * N * p.F, [&](Stream stream) {
        return swigluForward({inner, product, kTokens, p.F, kType}, stream);
    });
    measure("swiglu_backward", p, 10 * N * p.F, [&](Stream stream) {
        return swigluBackward({product, inner, nullptr, kTokens, p.F, kType}, stream);
    });
    measure("swiglu_backward_and_product", p, 12 * N * p.F, [&](Stream stream) {
        return swigluBackward({product, inner, product, kTokens, p.F, kType}, stream);
    });
    cudaFree(inner), cudaFree(product);

    std::vector<int32_t> tokens(kTokens), rows(kTokens / 2);
    for (int64_t i = 0; i < kTokens; ++i)
        tokens[static_cast<size_t>(i)] =
            i % 2 == 0 ? kVocabulary - 1 : static_cast<int32_t>(i * 2654435761u % kVocabulary);
    for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = static_cast<int32_t>(2 * i);
    auto* const ids = static_cast<int32_t*>(memory(4 * tokens.size()));
    auto* const scored = static_cast<int32_t*>(memory(4 * rows.size()));
    cudaMemcpy(ids, tokens.data(), 4 * tokens.size(), cudaMemcpyHostToDevice);
    cudaMemcpy(scored, rows.data(), 4 * rows.size(), cudaMemcpyHostToDevice);
    void* const embedding = memory(static_cast<size_t>(kVocabulary) * row);
    measure("embedding_forward", p, 4 * N * p.C, [&](Stream stream) {
        return gatherRows({embedding, ids, x, kTokens, kVocabulary, p.C, kType}, stream);
    });
    const size_t collectedBytes = embeddingBackwardScratch(kTokens, kVocabulary, p.C);
    void* const collected = memory(collectedBytes);
    measure("embedding_backward", p, 4 * N * p.C, [&](Stream stream) {
        return embeddingBackward(
            {ids, x, embedding, kTokens, kVocabulary, p.C, collected, collectedBytes, kType, kType}, stream);
    });
    measure("gather_scored_rows", p, 2 * N * p.C, [&](Stream stream) {
        return gatherRows({x, scored, y, kTokens / 2, kTokens, p.C, kType}, stream);
    });
    for (void* each : {x, delta, y, weight, static_cast<void*>(rstd), static_cast<void*>(dw),
                       static_cast<void*>(scratch), embedding, collected})
        cudaFree(each);
}

// All parameters in one slab a layer, as a model has them.
void benchUpdate(const Preset& p) {
    const int64_t count = p.parameters / (p.layers + 2) / 8 * 8;
    const auto n = static_cast<size_t>(count);
    std::vector<AdamWSlab> slabs, halves;
    std::vector<NormSlab> gradients;
    std::vector<void*> blocks;
    const auto keep = [&](size_t bytes) { return blocks.emplace_back(memory(bytes)); };
    for (int i = 0; i < p.layers + 2; ++i) {
        void *const w = keep(2 * n), *const g = keep(2 * n), *const m = keep(4 * n), *const v = keep(4 * n);
        slabs.push_back({w, static_cast<float*>(keep(4 * n)), g, m, v, count, count});
        halves.push_back({w, nullptr, g, m, v, count, count});
        gradients.push_back({g, count});
    }
    const int slabCount = p.layers + 2;
    const double all = static_cast<double>(count) * slabCount;
    const UpdateScalars value{.learningRate = 1e-4f,
                              .biasCorrection1 = 0.1f,
                              .biasCorrection2 = 0.05f,
                              .update = 1,
                              .norm = 1,
                              .gradientFactor = 1,
                              .finite = 1,
                              .gradientScale = 1};
    auto* const scalars = static_cast<UpdateScalars*>(keep(sizeof value));
    cudaMemcpy(scalars, &value, sizeof value, cudaMemcpyHostToDevice);
    auto* const partials = static_cast<double*>(keep(8 * static_cast<size_t>(normPartials(slabCount))));
    AdamWArgs args{slabs.data(), slabCount, scalars, 0.9f, 0.95f, 1e-8f, 0.1f, kType, kType, DType::float32, 42, 9};
    measure("adamw", p, 28 * all, [&](Stream stream) { return adamw(args, stream); });
    args.slabs = halves.data(), args.momentDtype = kType;
    measure("adamw_stochastic_rounding", p, 14 * all, [&](Stream stream) { return adamw(args, stream); });
    measure("gradient_norm", p, 2 * all, [&](Stream stream) {
        return gradientNorm({gradients.data(), slabCount, partials, nullptr, 1.0f, scalars, kType}, stream);
    });
    std::vector<MemoryPiece> pieces;
    for (const NormSlab& each : gradients)
        pieces.push_back({const_cast<void*>(each.gradients), 2 * n});
    measure("clear_gradients", p, 2 * all,
            [&](Stream stream) { return clearMemory(pieces.data(), slabCount, stream); });
    for (void* each : blocks)
        cudaFree(each);
}

void benchHead(int V) {
    const Preset name{V == kVocabulary ? "V50304" : "V126464", 0, 0, 0, 0, 0};
    const int64_t rows = 34080;  // 0.52 of the tokens
    void* const logits = memory(static_cast<size_t>(rows) * 2 * static_cast<size_t>(V));
    auto* const targets = static_cast<int64_t*>(memory(8 * static_cast<size_t>(rows)));
    cudaMemset(targets, 0, 8 * static_cast<size_t>(rows));
    std::vector<double> ones(static_cast<size_t>(rows), 1e-5);
    auto* const weights = static_cast<double*>(memory(8 * static_cast<size_t>(rows)));
    cudaMemcpy(weights, ones.data(), 8 * ones.size(), cudaMemcpyHostToDevice);
    auto* const losses = static_cast<double*>(memory(8 * static_cast<size_t>(rows)));
    measure("masked_cross_entropy", name, 4.0 * V * static_cast<double>(rows), [&](Stream stream) {
        return maskedCrossEntropy({logits, targets, weights, losses, rows, V, V - 46, V - 47, kType}, stream);
    });
    cudaFree(logits);
}

void benchNoise() {
    std::vector<MaskSegment> segments;
    for (int s = 0; s < 64; ++s)
        segments.push_back({s, 0, s * kLength, kLength, 16 * s + 8, s * 520, 0, 1.0});
    auto* const list = static_cast<MaskSegment*>(memory(segments.size() * sizeof(MaskSegment)));
    cudaMemcpy(list, segments.data(), segments.size() * sizeof(MaskSegment), cudaMemcpyHostToDevice);
    auto* const tokens = static_cast<int32_t*>(memory(4 * kTokens));
    auto* const noisy = static_cast<int32_t*>(memory(4 * kTokens));
    auto* const rows = static_cast<int32_t*>(memory(4 * kTokens));
    auto* const targets = static_cast<int64_t*>(memory(8 * kTokens));
    auto* const weights = static_cast<double*>(memory(8 * kTokens));
    measure("mask_noise", {"any", 0, 0, 0, 0, 0}, 18.0 * kTokens, [&](Stream stream) {
        return maskNoise({tokens, list, noisy, rows, targets, weights, kTokens, 64, 34080, 42, 3, kVocabulary - 1},
                         stream);
    });
    auto* const sums = static_cast<double*>(memory(16));
    measure("step_losses", {"any", 0, 0, 0, 0, 0}, 16.0 * 34080, [&](Stream stream) {
        return addStepLosses({weights, weights, sums, 34080}, stream);
    });
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1)
        g_bandwidth = std::atof(arguments[1]);
    if (count > 2)
        g_only = arguments[2];
    for (const Preset& preset : kPresets) {
        benchPreset(preset);
        benchUpdate(preset);
    }
    benchHead(kVocabulary);
    benchHead(126464);
    benchNoise();
    return 0;
}
