// SPDX-License-Identifier: Apache-2.0
// 16-bit types go through cuDNN, everything it does not take through the plain kernel.
#include "kernels/attention/attention.h"

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/ops/cuda/attention_plan.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/cuda/launch.h"
#include "engine/ops/device_options.h"

namespace unmask::cuda {

namespace {

constexpr size_t kTableAlignment = 256;

size_t aligned(size_t bytes) {
    return (bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment;
}

bool throughCudnn(const AttentionArgs& args) {
    return args.query.scalar_type() != at::kFloat && AttentionPlan::takes(args.headWidth);
}

AttentionKey planKey(const AttentionArgs& args) {
    return {.segments = args.bounds.size(0),
            .longest = args.longest,
            .heads = args.query.size(1) / args.headWidth,
            .groups = args.key.size(1) / args.headWidth,
            .headWidth = args.headWidth,
            .queryStride = args.query.stride(0),
            .keyStride = args.key.stride(0),
            .outStride = args.out.stride(0),
            .dtype = dtypeOf(args.query),
            .ragged = !args.dense,
            .deterministic = deviceOptions().deterministic};
}

void requireOffsetsFit(const AttentionArgs& args) {
    const int64_t widest = std::max({args.query.stride(0) * args.query.size(0), args.key.stride(0) * args.key.size(0)});
    if (widest > std::numeric_limits<int32_t>::max())
        throw Error{ErrorCode::badInput,
                    "[attention] the micro-batch is too large for packed documents; make it smaller"};
}

// Tables of the segments at the front of the scratch memory, then what the plan works in.
struct Workspace {
    kernels::SegmentTables tables{};
    void* plan = nullptr;
};

Workspace workspaceFor(const AttentionKey& key, int64_t planBytes, const at::Tensor& bounds) {
    const size_t entries = aligned(static_cast<size_t>(key.segments + 1) * sizeof(int32_t));
    const size_t tables = key.ragged ? 8 * entries : 0;
    auto* base = static_cast<uint8_t*>(scratch(tables + static_cast<size_t>(planBytes)));
    Workspace workspace;
    workspace.plan = base + tables;
    if (!key.ragged)
        return workspace;
    const auto table = [&](size_t number) { return reinterpret_cast<int32_t*>(base + number * entries); };
    workspace.tables = {table(0), table(1), table(2), table(3), table(4), table(5), nullptr, nullptr};
    if (key.backward())
        workspace.tables.gradientQuery = table(6), workspace.tables.gradientKey = table(7);
    check(kernels::segmentTables({.bounds = bounds.const_data_ptr<int32_t>(),
                                  .segments = static_cast<int>(key.segments),
                                  .queryStride = static_cast<int>(key.queryStride),
                                  .keyStride = static_cast<int>(key.keyStride),
                                  .outStride = static_cast<int>(key.outStride),
                                  .logSumExpStride = static_cast<int>(key.heads),
                                  .gradientQueryStride = static_cast<int>(key.gradientQueryStride),
                                  .gradientKeyStride = static_cast<int>(key.gradientKeyStride),
                                  .tables = workspace.tables},
                                 currentStream()));
    return workspace;
}

AttentionPointers pointersOf(const AttentionArgs& args) {
    return {.query = args.query.data_ptr(),
            .key = args.key.data_ptr(),
            .value = args.value.data_ptr(),
            .out = args.out.data_ptr(),
            .logSumExp = args.logSumExp.data_ptr<float>()};
}

kernels::AttentionArgs plainArgs(const AttentionArgs& args) {
    return {.shape = {.bounds = args.bounds.const_data_ptr<int32_t>(),
                      .segments = static_cast<int>(args.bounds.size(0)),
                      .longest = static_cast<int>(args.longest),
                      .heads = static_cast<int>(args.query.size(1) / args.headWidth),
                      .groups = static_cast<int>(args.key.size(1) / args.headWidth),
                      .D = static_cast<int>(args.headWidth),
                      .scale = static_cast<float>(1 / std::sqrt(static_cast<double>(args.headWidth))),
                      .dtype = dtypeOf(args.query)},
            .query = args.query.const_data_ptr(),
            .key = args.key.const_data_ptr(),
            .value = args.value.const_data_ptr(),
            .out = args.out.data_ptr(),
            .logSumExp = args.logSumExp.data_ptr<float>(),
            .queryStride = args.query.stride(0),
            .keyStride = args.key.stride(0)};
}

}  // namespace

void attentionForward(const AttentionArgs& args) {
    if (!args.dense) {
        requireOffsetsFit(args);
        args.out.zero_();  // rows of no segment
    }
    if (!throughCudnn(args))
        return check(kernels::attentionForward(plainArgs(args), currentStream()));
    const AttentionKey key = planKey(args);
    const AttentionPlan& plan = AttentionPlan::get(key);
    const Workspace workspace = workspaceFor(key, plan.workspaceBytes(), args.bounds);
    AttentionPointers pointers = pointersOf(args);
    pointers.tables = workspace.tables;
    plan.run(pointers, workspace.plan);
}

void attentionBackward(const AttentionBackwardArgs& args) {
    const AttentionArgs& f = args.forward;
    if (!f.dense)
        for (const at::Tensor* gradient : {&args.gradientQuery, &args.gradientKey, &args.gradientValue})
            gradient->zero_();
    if (!throughCudnn(f)) {
        const size_t bytes = static_cast<size_t>(f.logSumExp.numel()) * sizeof(float);
        return check(kernels::attentionBackward({.forward = plainArgs(f),
                                                 .gradientOut = args.gradientOut.const_data_ptr(),
                                                 .gradientQuery = args.gradientQuery.data_ptr(),
                                                 .gradientKey = args.gradientKey.data_ptr(),
                                                 .gradientValue = args.gradientValue.data_ptr(),
                                                 .gradientQueryStride = args.gradientQuery.stride(0),
                                                 .gradientKeyStride = args.gradientKey.stride(0),
                                                 .delta = static_cast<float*>(scratch(bytes))},
                                                currentStream()));
    }
    AttentionKey key = planKey(f);
    key.gradientQueryStride = args.gradientQuery.stride(0);
    key.gradientKeyStride = args.gradientKey.stride(0);
    const AttentionPlan& plan = AttentionPlan::get(key);
    const Workspace workspace = workspaceFor(key, plan.workspaceBytes(), f.bounds);
    AttentionPointers pointers = pointersOf(f);
    pointers.gradientOut = args.gradientOut.data_ptr();
    pointers.gradientQuery = args.gradientQuery.data_ptr();
    pointers.gradientKey = args.gradientKey.data_ptr();
    pointers.gradientValue = args.gradientValue.data_ptr();
    pointers.tables = workspace.tables;
    plan.run(pointers, workspace.plan);
}

}  // namespace unmask::cuda
