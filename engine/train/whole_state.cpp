// SPDX-License-Identifier: Apache-2.0
#include "engine/train/whole_state.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros_like.h>

#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace unmask {

std::vector<NamedTensor> weightsOf(const Transformer& model) {
    std::vector<NamedTensor> weights;
    for (const NamedParameter& parameter : model.namedParameters())
        weights.push_back({parameter.name, parameter.exact});
    return weights;
}

namespace {

using SlabTensor = std::function<at::Tensor(size_t slab)>;
using ParameterTensor = std::function<at::Tensor(const NamedParameter& parameter, at::Tensor slice)>;

// Named slices of tensors that are as long as their slabs, each asked for once, in the order of the slabs. `complete`
// makes of a slice what is named.
std::vector<NamedTensor> slices(const Transformer& model, const std::string& prefix, const SlabTensor& tensorOf,
                                const ParameterTensor& complete = {}) {
    std::vector<NamedTensor> named;
    at::Tensor whole;
    int64_t slab = -1;
    for (const NamedParameter& parameter : model.namedParameters()) {
        if (parameter.slab != slab)
            whole = tensorOf(static_cast<size_t>(slab = parameter.slab));
        if (!whole.defined())
            continue;
        at::Tensor slice = whole.narrow(0, parameter.offset, parameter.value.numel()).view(parameter.value.sizes());
        if (complete)
            slice = complete(parameter, std::move(slice));
        if (slice.defined())
            named.push_back({prefix + parameter.name, std::move(slice)});
    }
    return named;
}

void append(std::vector<NamedTensor>& to, std::vector<NamedTensor> more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
}

// Each stage's tensors with those of the stages behind on the first one, in the whole model's order; nothing on others.
std::vector<NamedTensor> gatherStages(AssembledRun& run, std::vector<NamedTensor> own, const std::string& prefix) {
    Communicator& group = run.stages->group();
    const bool tied = !run.model->part().embedding && run.model->config().tiedHead;
    if (group.rank() > 0) {
        int tag = 0;
        for (const NamedTensor& each : own)
            if (!tied || each.name != prefix + "embedding.weight")  // the first stage has it as well
                group.send(each.tensor.contiguous(), 0, tag++);
        return {};
    }
    std::map<std::string, at::Tensor> byName;
    for (NamedTensor& each : own)
        byName[each.name] = std::move(each.tensor);
    const at::TensorOptions options = byName.begin()->second.options();
    for (int stage = 1; stage < group.size(); ++stage) {
        int tag = 0;
        for (const PartSlab& slab : partSlabs(run.model->config(), stagePart(run.spec, stage)))
            for (const ParameterShape& shape : slab.shape.parameters) {
                if (slab.shape.name == "embedding")
                    continue;
                const at::Tensor tensor = at::empty(
                    shape.columns == 0 ? std::vector{shape.rows} : std::vector{shape.rows, shape.columns}, options);
                group.receive(tensor, stage, tag++);
                byName[prefix + shape.name] = tensor;
            }
    }
    std::vector<NamedTensor> all;
    for (const SlabShape& slab : slabShapes(run.model->config()))
        for (const ParameterShape& shape : slab.parameters)
            all.push_back({prefix + shape.name, byName.at(prefix + shape.name)});
    return all;
}

// What this rank adds to a whole state under `prefix`; all of it on the leading rank.
std::vector<NamedTensor> wholeTensors(AssembledRun& run, const std::string& prefix, const SlabTensor& tensorOf) {
    LayerSharers* const sharers = run.sharers.get();
    const bool ofLeadersCopy = !run.team || run.team->mesh().place(MeshDimension::data) == 0;
    ParameterTensor complete;
    if (sharers)
        complete = [&](const NamedParameter& parameter, const at::Tensor& slice) {
            at::Tensor whole = sharers->whole(parameter.slice, slice);
            return sharers->part() == 0 ? std::move(whole) : at::Tensor{};
        };
    std::vector<NamedTensor> named = slices(
        *run.model, prefix,
        [&](size_t slab) {
            at::Tensor whole = tensorOf(slab);
            return ofLeadersCopy ? std::move(whole) : at::Tensor{};
        },
        complete);
    return run.stages && !named.empty() ? gatherStages(run, std::move(named), prefix) : named;
}

}  // namespace

TrainingStateView stateOf(AssembledRun& run) {
    ReplicaTraffic* const replicas = run.replicas.get();
    TrainingStateView view;
    view.weights = wholeTensors(run, "", [&](size_t slab) {
        const Slab& own = run.model->slabs()[slab];
        if (replicas)
            return replicas->wholeValues(slab);
        return own.masters.defined() ? own.masters : own.values;
    });
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer, wholeTensors(run, state.name + ".", [&](size_t slab) {
                   const at::Tensor& own = state.slabs[slab];
                   return replicas && replicas->shares() ? replicas->whole(slab, own) : own;
               }));
    return view;
}

namespace {

// What this rank holds of a state that copies do not share; views.
TrainingStateView ownState(AssembledRun& run) {
    TrainingStateView view;
    view.weights = weightsOf(*run.model);
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer, slices(*run.model, state.name + ".", [&](size_t slab) { return state.slabs[slab]; }));
    return view;
}

// The checkpoint as a device with a part of the model would have written it; views.
LoadedCheckpoint partOf(const LoadedCheckpoint& checkpoint, const AssembledRun& run) {
    std::vector<std::string> prefixes{""};
    for (const OptimizerState& state : run.optimizer->states())
        prefixes.push_back(state.name + ".");
    std::map<std::string, const ParameterSlice*> held;
    std::set<std::string> elsewhere;
    for (const std::string& prefix : prefixes) {
        for (const NamedParameter& parameter : run.model->namedParameters())
            held[prefix + parameter.name] = &parameter.slice;
        for (const SlabShape& slab : slabShapes(run.model->config()))
            for (const ParameterShape& shape : slab.parameters)
                if (!held.contains(prefix + shape.name))
                    elsewhere.insert(prefix + shape.name);
    }
    LoadedCheckpoint part = checkpoint;
    for (std::vector<NamedTensor>* tensors : {&part.weights, &part.optimizer}) {
        std::erase_if(*tensors, [&](const NamedTensor& each) { return elsewhere.contains(each.name); });
        for (NamedTensor& each : *tensors) {
            const auto found = held.find(each.name);
            if (found == held.end())
                continue;  // restoreState says so
            const ParameterSlice& slice = *found->second;
            const std::vector<int64_t> shape =
                slice.columns == 0 ? std::vector{slice.rows} : std::vector{slice.rows, slice.columns};
            if (each.tensor.sizes() != at::IntArrayRef(shape))
                throw Error{ErrorCode::badInput, "[train] " + checkpoint.folder +
                                                     " does not fit this model: " + each.name + " has another shape"};
            each.tensor = sliceOf(each.tensor, slice, run.model->part().tensorParts);
        }
    }
    return part;
}

}  // namespace

void restoreInto(AssembledRun& run, const LoadedCheckpoint& saved) {
    ReplicaTraffic* const replicas = run.replicas.get();
    const bool holdsAll = !run.sharers && !run.stages;
    const LoadedCheckpoint checkpoint = holdsAll ? saved : partOf(saved, run);
    if (!replicas || !replicas->shares())
        return restoreState(checkpoint, ownState(run));
    // All of it once on every rank, then each keeps its part.
    std::vector<std::pair<at::Tensor, std::function<void(const at::Tensor&)>>> wholes;
    const auto blank = [&](size_t slab, std::function<void(const at::Tensor&)> keep) {
        const at::Tensor& like = run.model->slabs()[slab].values;
        return wholes.emplace_back(at::zeros_like(like), std::move(keep)).first;
    };
    TrainingStateView view;
    view.weights = slices(*run.model, "", [&](size_t slab) {
        return blank(slab, [=](const at::Tensor& whole) { replicas->setValues(slab, whole); });
    });
    for (const OptimizerState& state : run.optimizer->states())
        append(view.optimizer, slices(*run.model, state.name + ".", [&](size_t slab) {
                   return blank(slab, [=, own = state.slabs[slab]](const at::Tensor& whole) {
                       own.copy_(replicas->partOf(whole));
                   });
               }));
    restoreState(checkpoint, view);
    for (const auto& [whole, keep] : wholes)
        keep(whole);
}

}  // namespace unmask
