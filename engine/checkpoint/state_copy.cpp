// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/state_copy.h"

#include <ATen/ops/empty.h>

#include <array>
#include <map>
#include <utility>

namespace unmask {
namespace {

constexpr std::array<std::pair<at::ScalarType, TensorType>, 11> kTypes{{{at::kBool, TensorType::boolean},
                                                                        {at::kByte, TensorType::uint8},
                                                                        {at::kChar, TensorType::int8},
                                                                        {at::kShort, TensorType::int16},
                                                                        {at::kInt, TensorType::int32},
                                                                        {at::kLong, TensorType::int64},
                                                                        {at::kHalf, TensorType::float16},
                                                                        {at::kBFloat16, TensorType::bfloat16},
                                                                        {at::kFloat, TensorType::float32},
                                                                        {at::kDouble, TensorType::float64},
                                                                        {at::kFloat8_e4m3fn, TensorType::float8e4m3}}};

std::string shapeText(at::IntArrayRef shape) {
    std::string text = "[";
    for (size_t i = 0; i < shape.size(); ++i)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

void fillBuffers(const std::vector<NamedTensor>& from, std::vector<NamedTensor>& buffers) {
    buffers.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
        NamedTensor& buffer = buffers[i];
        const at::Tensor& source = from[i].tensor;
        buffer.name = from[i].name;
        if (!buffer.tensor.defined() || buffer.tensor.scalar_type() != source.scalar_type() ||
            buffer.tensor.sizes() != source.sizes())
            buffer.tensor = at::empty(source.sizes(), at::TensorOptions().dtype(source.scalar_type()).device(at::kCPU));
        buffer.tensor.copy_(source.detach());  // device sync
    }
}

HostPart partOf(const char* file, const std::vector<NamedTensor>& buffers) {
    HostPart part{file, {}};
    for (const NamedTensor& buffer : buffers)
        part.tensors.push_back(
            {buffer.name, tensorTypeOf(buffer.tensor), buffer.tensor.sizes().vec(),
             std::shared_ptr<void>(std::make_shared<at::Tensor>(buffer.tensor), buffer.tensor.data_ptr())});
    return part;
}

using Pairs = std::vector<std::pair<const at::Tensor*, at::Tensor>>;

// Every target has its source and every source its target.
void matchTensors(const std::vector<NamedTensor>& loaded, const std::vector<NamedTensor>& target,
                  const std::string& folder, Pairs& pairs) {
    std::map<std::string, const at::Tensor*> byName;
    for (const NamedTensor& tensor : loaded)
        byName[tensor.name] = &tensor.tensor;
    const auto refuse = [&](const std::string& what) {
        return Error(ErrorCode::badInput, "[checkpoint] " + folder + " does not fit this model: " + what);
    };
    for (const NamedTensor& wanted : target) {
        const auto found = byName.find(wanted.name);
        if (found == byName.end())
            throw refuse("it has no tensor " + wanted.name);
        const at::Tensor& have = *found->second;
        if (have.sizes() != wanted.tensor.sizes())
            throw refuse(wanted.name + " is " + shapeText(have.sizes()) + ", the model needs " +
                         shapeText(wanted.tensor.sizes()));
        // 16-bit values become floats without a loss: a run with 16-bit state may go on, or be sampled from, on a CPU.
        const bool widened = c10::isFloatingType(have.scalar_type()) &&
                             c10::isFloatingType(wanted.tensor.scalar_type()) &&
                             c10::elementSize(have.scalar_type()) < c10::elementSize(wanted.tensor.scalar_type());
        if (have.scalar_type() != wanted.tensor.scalar_type() && !widened)
            throw refuse(wanted.name + " is " + c10::toString(have.scalar_type()) + ", the model needs " +
                         c10::toString(wanted.tensor.scalar_type()));
        pairs.emplace_back(&have, wanted.tensor);
        byName.erase(found);
    }
    if (!byName.empty())
        throw refuse("the model has no tensor " + byName.begin()->first);
}

void copyPairs(const Pairs& pairs) {
    for (const auto& [from, to] : pairs)
        to.detach().copy_(*from);
}

}  // namespace

TensorType tensorTypeOf(const at::Tensor& tensor) {
    for (const auto& [scalar, type] : kTypes)
        if (scalar == tensor.scalar_type())
            return type;
    throw Error(ErrorCode::internal, std::string("[checkpoint] tensors of type ") +
                                         c10::toString(tensor.scalar_type()) + " cannot be saved");
}

at::Tensor emptyHostTensor(const TensorInfo& info) {
    for (const auto& [scalar, type] : kTypes)
        if (type == info.type)
            return at::empty(info.shape, at::TensorOptions().dtype(scalar).device(at::kCPU));
    throw Error(ErrorCode::badInput, "[checkpoint] tensor " + info.name + " has the type " +
                                         std::string(tensorTypeWord(info.type)) + ", which cannot be loaded");
}

const std::vector<HostPart>& HostState::copy(const TrainingStateView& view) {
    m_buffers.resize(2);
    fillBuffers(view.weights, m_buffers[0]);
    fillBuffers(view.optimizer, m_buffers[1]);
    m_parts = {partOf(kWeightsFile, m_buffers[0]), partOf(kOptimizerFile, m_buffers[1])};
    return m_parts;
}

void restoreState(const LoadedCheckpoint& loaded, const TrainingStateView& target) {
    Pairs pairs;
    matchTensors(loaded.weights, target.weights, loaded.folder, pairs);
    matchTensors(loaded.optimizer, target.optimizer, loaded.folder, pairs);
    copyPairs(pairs);
}

void restoreWeights(const LoadedCheckpoint& loaded, const std::vector<NamedTensor>& target) {
    Pairs pairs;
    matchTensors(loaded.weights, target, loaded.folder, pairs);
    copyPairs(pairs);
}

}  // namespace unmask
