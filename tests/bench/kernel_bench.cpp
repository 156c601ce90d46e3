// SPDX-License-Identifier: Apache-2.0
// Microseconds of each kernel at the shapes of the presets (65,536 tokens), beside the bytes it has to move at a given
// bandwidth. One JSON object a line: op, preset, microseconds, budget_microseconds, ratio.
//   kernel_bench [bytes per second, default 3.7e12]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "kernels/activation/activation.h"
#include "kernels/adamw/adamw.h"
#include "kernels/mask_noise/mask_noise.h"
#include "kernels/masked_cross_entropy/masked_cross_entropy.h"
#include "kernels/residual_norm/residual_norm.h"
#include "kernels/rotary/rotary.h"
#include "kernels/rows/rows.h"

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

void* memory(size_t bytes) {
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) != cudaSuccess) {
        std::fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        std::exit(1);
    }
    cudaMemset(p, 0, bytes);
    return p;
}

void measure(const std::string& op, const Preset& preset, double bytes, const std::function<Status()>& launch) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin), cudaEventCreate(&end);
    std::vector<float> times;
    for (int i = 0; i < 25; ++i) {
        cudaEventRecord(begin);
        const Status status = launch();
        cudaEventRecord(end);
        if (!status.ok() || cudaEventSynchronize(end) != cudaSuccess) {
            std::fprintf(stderr, "%s failed: %s\n", op.c_str(), status.ok() ? "device error" : status.message);
            std::exit(1);
        }
        float ms = 0;
        cudaEventElapsedTime(&ms, begin, end);
        if (i >= 5)
            times.push_back(ms);
    }
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
    measure("residual_norm_forward", p, 8 * N * p.C, [&] {
        return residualNormForward({x, delta, weight, nullptr, x, y, rstd, nullptr, kTokens, p.C, 1e-5f, kType},
                                   nullptr);
    });
    measure("residual_norm_backward", p, 8 * N * p.C, [&] {
        return residualNormBackward({y, x, weight, rstd, nullptr, delta, dw, nullptr, scratch, kTokens, p.C, kType},
                                    nullptr);
    });

    void* const qkv = memory(3 * all);
    auto* const positions = static_cast<int32_t*>(memory(4 * static_cast<size_t>(kTokens)));
    auto* const table = static_cast<float*>(memory(4 * kLength * 64));
    measure("rotary_queries_and_keys", p, 8 * N * p.C, [&] {
        return rotary({qkv, positions, table, kTokens, 3 * p.C, 2 * p.heads, p.C / p.heads, false, kType}, nullptr);
    });
    cudaFree(qkv);

    void* const inner = memory(static_cast<size_t>(kTokens) * 4 * static_cast<size_t>(p.F));
    void* const product = memory(static_cast<size_t>(kTokens) * 2 * static_cast<size_t>(p.F));
    measure("swiglu_forward", p, 6 * N * p.F, [&] {
        return swigluForward({inner, product, kTokens, p.F, kType}, nullptr);
    });
    measure("swiglu_backward", p, 10 * N * p.F, [&] {
        return swigluBackward({product, inner, nullptr, kTokens, p.F, kType}, nullptr);
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
    measure("embedding_forward", p, 4 * N * p.C, [&] {
        return gatherRows({embedding, ids, x, kTokens, kVocabulary, p.C, kType}, nullptr);
    });
    const size_t sortBytes = embeddingBackwardScratch(kTokens, p.C);
    void* const sorted = memory(sortBytes);
    measure("embedding_backward", p, 4 * N * p.C, [&] {
        return embeddingBackward({ids, x, embedding, kTokens, kVocabulary, p.C, sorted, sortBytes, kType, kType},
                                 nullptr);
    });
    measure("gather_scored_rows", p, 2 * N * p.C, [&] {
        return gatherRows({x, scored, y, kTokens / 2, kTokens, p.C, kType}, nullptr);
    });
    for (void* each : {x, delta, y, weight, static_cast<void*>(rstd), static_cast<void*>(dw),
                       static_cast<void*>(scratch), embedding, sorted})
        cudaFree(each);

    const auto count = p.parameters / 8 * 8;
    void* const w = memory(2 * static_cast<size_t>(count));
    void* const g = memory(2 * static_cast<size_t>(count));
    auto* const master = static_cast<float*>(memory(4 * static_cast<size_t>(count)));
    auto* const m = static_cast<float*>(memory(4 * static_cast<size_t>(count)));
    auto* const v = static_cast<float*>(memory(4 * static_cast<size_t>(count)));
    const UpdateScalars value{1e-4f, 0.1f, 0.05f, 1.0f, 1.0, 1};
    auto* const scalars = static_cast<UpdateScalars*>(memory(sizeof value));
    cudaMemcpy(scalars, &value, sizeof value, cudaMemcpyHostToDevice);
    auto* const partials = static_cast<double*>(memory(8 * static_cast<size_t>(normPartials())));
    measure("adamw", p, 28 * static_cast<double>(count), [&] {
        return adamw({w, master, g, m, v, scalars, count, count, 0.9f, 0.95f, 1e-8f, 0.1f, kType, kType}, nullptr);
    });
    measure("gradient_norm", p, 2 * static_cast<double>(count), [&] {
        const Status status = gradientSquares({g, count, partials, kType}, nullptr);
        return status.ok() ? finishNorm(partials, normPartials(), 1.0f, scalars, nullptr) : status;
    });
    for (void* each : {w, g, static_cast<void*>(master), static_cast<void*>(m), static_cast<void*>(v)})
        cudaFree(each);
}

void benchHead(int V) {
    const Preset name{V == kVocabulary ? "V50304" : "V126464", 0, 0, 0, 0, 0};
    const int64_t rows = 34080;  // 0.52 of the tokens
    void* const logits = memory(static_cast<size_t>(rows) * 2 * static_cast<size_t>(V));
    auto* const targets = static_cast<int64_t*>(memory(8 * static_cast<size_t>(rows)));
    std::vector<double> ones(static_cast<size_t>(rows), 1e-5);
    auto* const weights = static_cast<double*>(memory(8 * static_cast<size_t>(rows)));
    cudaMemcpy(weights, ones.data(), 8 * ones.size(), cudaMemcpyHostToDevice);
    auto* const losses = static_cast<double*>(memory(8 * static_cast<size_t>(rows)));
    measure("masked_cross_entropy", name, 4.0 * V * static_cast<double>(rows), [&] {
        return maskedCrossEntropy({logits, targets, weights, losses, rows, V, V - 46, V - 47, kType}, nullptr);
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
    measure("mask_noise", {"any", 0, 0, 0, 0, 0}, 18.0 * kTokens, [&] {
        return maskNoise({tokens, list, noisy, rows, targets, weights, kTokens, 64, 34080, 42, 3, kVocabulary - 1},
                         nullptr);
    });
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1)
        g_bandwidth = std::atof(arguments[1]);
    for (const Preset& preset : kPresets)
        benchPreset(preset);
    benchHead(kVocabulary);
    benchHead(126464);
    benchNoise();
    return 0;
}
