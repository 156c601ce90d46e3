// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/attention_plan.h"

#define CUDNN_FRONTEND_SKIP_JSON_LIB
#include <cudnn_frontend.h>

#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include "engine/base/error.h"
#include "engine/ops/cuda/launch.h"

namespace unmask::cuda {

namespace fe = cudnn_frontend;
using Tensor = std::shared_ptr<fe::graph::Tensor_attributes>;

namespace {

enum Uid : int64_t {
    kQuery = 1,
    kKey,
    kValue,
    kOut,
    kLogSumExp,
    kGradientOut,
    kGradientQuery,
    kGradientKey,
    kGradientValue,
    kQueryLengths,
    kKeyLengths,
    kQueryOffsets,
    kKeyOffsets,
    kOutOffsets,
    kLogSumExpOffsets,
    kGradientQueryOffsets,
    kGradientKeyOffsets,
};

void require(fe::error_t result) {
    if (result.is_bad())
        throw Error{ErrorCode::internal, "[attention] cuDNN: " + result.get_message()};
}

cudnnHandle_t handle() {
    static const cudnnHandle_t made = [] {
        cudnnHandle_t created = nullptr;
        if (cudnnCreate(&created) != CUDNN_STATUS_SUCCESS)
            throw Error{ErrorCode::hardware, "[attention] cuDNN cannot be started"};
        return created;
    }();
    return made;
}

fe::DataType_t storageOf(const AttentionKey& key) {
    return key.dtype == kernels::DType::float16 ? fe::DataType_t::HALF : fe::DataType_t::BFLOAT16;
}

// The tensors of a graph, each (segments, heads, longest, width) in memory order (token, head, width).
class GraphTensors {
 public:
    GraphTensors(fe::graph::Graph& graph, const AttentionKey& key) : m_graph(graph), m_key(key) {
        if (!key.ragged)
            return;
        m_queryLengths = table("query_lengths", kQueryLengths, key.segments);
        m_keyLengths = table("key_lengths", kKeyLengths, key.segments);
        m_queryOffsets = table("query_offsets", kQueryOffsets, key.segments + 1);
        m_keyOffsets = table("key_offsets", kKeyOffsets, key.segments + 1);
        m_outOffsets = table("out_offsets", kOutOffsets, key.segments + 1);
        m_sumOffsets = table("log_sum_exp_offsets", kLogSumExpOffsets, key.segments + 1);
        if (!key.backward())
            return;
        m_gradientQueryOffsets = table("gradient_query_offsets", kGradientQueryOffsets, key.segments + 1);
        m_gradientKeyOffsets = table("gradient_key_offsets", kGradientKeyOffsets, key.segments + 1);
    }

    Tensor query() { return m_graph.tensor(head("query", kQuery, m_key.heads, m_key.queryStride, m_queryOffsets)); }
    Tensor key() { return m_graph.tensor(head("key", kKey, m_key.groups, m_key.keyStride, m_keyOffsets)); }
    Tensor value() { return m_graph.tensor(head("value", kValue, m_key.groups, m_key.keyStride, m_keyOffsets)); }
    Tensor out() { return m_graph.tensor(head("out", kOut, m_key.heads, m_key.outStride, m_outOffsets)); }
    Tensor gradientOut() {
        return m_graph.tensor(head("gradient_out", kGradientOut, m_key.heads, m_key.outStride, m_outOffsets));
    }
    Tensor logSumExp() { return m_graph.tensor(sums()); }

    void setOut(const Tensor& t) { set(t, head("out", kOut, m_key.heads, m_key.outStride, m_outOffsets)); }
    void setLogSumExp(const Tensor& t) { set(t, sums()); }
    void setGradients(const Tensor& query, const Tensor& key, const Tensor& value) {
        set(query,
            head("gradient_query", kGradientQuery, m_key.heads, m_key.gradientQueryStride, m_gradientQueryOffsets));
        set(key, head("gradient_key", kGradientKey, m_key.groups, m_key.gradientKeyStride, m_gradientKeyOffsets));
        set(value, head("gradient_value", kGradientValue, m_key.groups, m_key.gradientKeyStride, m_gradientKeyOffsets));
    }
    template <class Attributes>
    void setLengths(Attributes& attributes) {
        if (m_key.ragged)
            attributes.set_padding_mask(true).set_seq_len_q(m_queryLengths).set_seq_len_kv(m_keyLengths);
    }

 private:
    using Description = fe::graph::Tensor_attributes;

    Tensor table(const char* name, int64_t uid, int64_t entries) {
        return m_graph.tensor(Description()
                                  .set_name(name)
                                  .set_uid(uid)
                                  .set_dim({entries, 1, 1, 1})
                                  .set_stride({1, 1, 1, 1})
                                  .set_data_type(fe::DataType_t::INT32));
    }
    Description head(const char* name, int64_t uid, int64_t heads, int64_t stride, const Tensor& offsets) {
        Description tensor;
        tensor.set_name(name)
            .set_uid(uid)
            .set_dim({m_key.segments, heads, m_key.longest, m_key.headWidth})
            .set_stride({m_key.longest * stride, m_key.headWidth, stride, 1})
            .set_data_type(storageOf(m_key));
        if (offsets)
            tensor.set_ragged_offset(offsets);
        return tensor;
    }
    // Dense: (segment, head, token), as cuDNN packs it. Ragged: (token, head).
    Description sums() {
        Description tensor;
        tensor.set_name("log_sum_exp")
            .set_uid(kLogSumExp)
            .set_dim({m_key.segments, m_key.heads, m_key.longest, 1})
            .set_data_type(fe::DataType_t::FLOAT);
        if (m_sumOffsets)
            tensor.set_stride({m_key.heads * m_key.longest, 1, m_key.heads, 1}).set_ragged_offset(m_sumOffsets);
        else
            tensor.set_stride({m_key.heads * m_key.longest, m_key.longest, 1, 1});
        return tensor;
    }
    static void set(const Tensor& made, Description wanted) {
        made->set_output(true)
            .set_name(wanted.get_name())
            .set_uid(wanted.get_uid())
            .set_dim(wanted.get_dim())
            .set_stride(wanted.get_stride())
            .set_data_type(wanted.get_data_type());
        if (const Tensor offsets = wanted.get_ragged_offset())
            made->set_ragged_offset(offsets);
    }

    fe::graph::Graph& m_graph;
    const AttentionKey& m_key;
    Tensor m_queryLengths, m_keyLengths, m_queryOffsets, m_keyOffsets, m_outOffsets, m_sumOffsets,
        m_gradientQueryOffsets, m_gradientKeyOffsets;
};

void describeForward(fe::graph::Graph& graph, const AttentionKey& key, float scale) {
    GraphTensors tensors(graph, key);
    fe::graph::SDPA_attributes attributes;
    attributes.set_name("attention").set_generate_stats(true).set_attn_scale(scale);
    tensors.setLengths(attributes);
    auto [out, sums] = graph.sdpa(tensors.query(), tensors.key(), tensors.value(), attributes);
    tensors.setOut(out);
    tensors.setLogSumExp(sums);
}

void describeBackward(fe::graph::Graph& graph, const AttentionKey& key, float scale) {
    GraphTensors tensors(graph, key);
    fe::graph::SDPA_backward_attributes attributes;
    attributes.set_name("attention_backward").set_attn_scale(scale).set_deterministic_algorithm(key.deterministic);
    tensors.setLengths(attributes);
    auto [query, keys, values] = graph.sdpa_backward(tensors.query(), tensors.key(), tensors.value(), tensors.out(),
                                                     tensors.gradientOut(), tensors.logSumExp(), attributes);
    tensors.setGradients(query, keys, values);
}

}  // namespace

struct AttentionPlan::State {
    AttentionKey key;
    fe::graph::Graph graph;
};

AttentionPlan::AttentionPlan(std::unique_ptr<State> state) : m_state(std::move(state)) {}
AttentionPlan::~AttentionPlan() = default;

bool AttentionPlan::takes(int64_t headWidth) {
    return headWidth % 8 == 0 && headWidth <= 128;
}

const AttentionPlan& AttentionPlan::get(const AttentionKey& key) {
    static std::map<AttentionKey, std::unique_ptr<AttentionPlan>> plans;
    if (const auto found = plans.find(key); found != plans.end())
        return *found->second;
    auto state = std::make_unique<State>();
    state->key = key;
    fe::graph::Graph& graph = state->graph;
    graph.set_io_data_type(storageOf(key))
        .set_intermediate_data_type(fe::DataType_t::FLOAT)
        .set_compute_data_type(fe::DataType_t::FLOAT);
    const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(key.headWidth)));
    if (key.backward())
        describeBackward(graph, key, scale);
    else
        describeForward(graph, key, scale);
    require(graph.validate());
    require(graph.build_operation_graph(handle()));
    // Timing all of cuDNN's plans found none faster than its first choice (H200, heads of 64) and cost a second a
    // start.
    require(graph.create_execution_plans({fe::HeurMode_t::A}));
    require(graph.check_support());
    require(graph.build_plans(handle(), fe::BuildPlanPolicy_t::HEURISTICS_CHOICE));
    return *plans.emplace(key, new AttentionPlan(std::move(state))).first->second;
}

int64_t AttentionPlan::workspaceBytes() const {
    return m_state->graph.get_workspace_size();
}

void AttentionPlan::run(const AttentionPointers& p, void* workspace) const {
    const auto constant = [](const float* pointer) { return const_cast<float*>(pointer); };
    std::unordered_map<int64_t, void*> pack{
        {kQuery, p.query}, {kKey, p.key}, {kValue, p.value}, {kOut, p.out}, {kLogSumExp, constant(p.logSumExp)}};
    if (m_state->key.backward())
        pack.insert({{kGradientOut, p.gradientOut},
                     {kGradientQuery, p.gradientQuery},
                     {kGradientKey, p.gradientKey},
                     {kGradientValue, p.gradientValue}});
    if (m_state->key.ragged) {
        const kernels::SegmentTables& t = p.tables;
        pack.insert({{kQueryLengths, t.queryLengths},
                     {kKeyLengths, t.keyLengths},
                     {kQueryOffsets, t.query},
                     {kKeyOffsets, t.key},
                     {kOutOffsets, t.out},
                     {kLogSumExpOffsets, t.logSumExp}});
        if (m_state->key.backward())
            pack.insert({{kGradientQueryOffsets, t.gradientQuery}, {kGradientKeyOffsets, t.gradientKey}});
    }
    cudnnSetStream(handle(), currentStream());
    require(m_state->graph.execute(handle(), pack, workspace));
}

}  // namespace unmask::cuda
