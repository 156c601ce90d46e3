// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_memory.h"

#include <algorithm>
#include <array>

#include "engine/planner/layer_memory.h"
#include "engine/planner/model_part.h"
#include "engine/planner/pipeline_schedule.h"

namespace unmask {

namespace {

constexpr int64_t kProgramBytes = 150LL << 20;     // LibTorch and its heaps: 125 MiB measured, and the loader
constexpr int64_t kGpuProgramBytes = 900LL << 20;  // context, kernels of the libraries, workspace of the products
constexpr int64_t kCollectiveBytes = 300LL << 20;  // channels of a GPU's communicators
constexpr double kMostBytes = 1e18;
constexpr int64_t kScratchBytes = 64LL << 20;
constexpr int64_t kPartMultiple = 16;  // elements
constexpr int64_t kWindows = 2;        // blocks take turns in so many places (ZeRO 2 and 3)
constexpr int64_t kSteadyRounds = 4;   // after so many rounds of micro-batches a pipeline holds what it will ever hold

struct StateBytes {
    int64_t weight, gradient, optimizer;  // a parameter
};

StateBytes stateBytes(const RunSpec& spec) {
    switch (spec.training.precision) {
        case Precision::fp64:
            return {8, 8, 16};
        case Precision::fp32:
            return {4, 4, 8};
        case Precision::bf16:
        case Precision::fp16:
        case Precision::fp8:
            if (spec.optimizer.statePrecision == StatePrecision::bf16)
                return {2, 2, 4};  // bf16 moments alone
            return {2, 2, 12};     // fp32 master and moments
    }
    return {4, 4, 8};
}

int64_t copies(const RunSpec& spec) {
    return std::max<int64_t>(1, spec.parallel.dataParallelSize);
}

int64_t microBatches(const RunSpec& spec) {
    return std::max<int64_t>(1,
                             spec.training.batchSize / std::max<int64_t>(1, spec.effectiveMicroBatch() * copies(spec)));
}

bool accumulates(const RunSpec& spec) {
    return spec.effectiveMicroBatch() * copies(spec) < spec.training.batchSize;
}

// What no rule has checked yet must not divide by nothing.
int64_t tensorParts(const RunSpec& spec, const ModelConfig& model) {
    return std::clamp<int64_t>(spec.parallel.tensorParallelSize, 1, model.effectiveKeyValueHeads());
}

StepShape stepShape(const RunSpec& spec, const ModelConfig& model, const PlanTarget& target) {
    StepShape shape;
    shape.rows = std::max<int64_t>(1, spec.effectiveMicroBatch());
    shape.length = std::max<int64_t>(1, model.sequenceLength / std::max<int64_t>(1, spec.parallel.contextParallelSize));
    shape.threads = std::max<int64_t>(1, target.threads);
    shape.elementBytes = stateBytes(spec).weight;
    shape.gpu = target.gpu;
    shape.fp8 = spec.training.precision == Precision::fp8;
    shape.tensorParts = tensorParts(spec, model);
    shape.splitBackward = spec.parallel.pipelineStages > 1 && spec.parallel.schedule == PipelineSchedule::zeroBubble;
    if (target.gpu)
        shape.scoredRows = scoredCapacity(shape.rows, shape.length);
    return shape;
}

// Elements of a slab on one tensor part, those of experts apart.
struct SlabElements {
    int64_t shared = 0;
    int64_t experts = 0;
    int64_t all() const { return shared + experts; }
};

bool isExpert(const std::string& name) {
    return name.find(".experts.") != std::string::npos;
}

// Copies cut slabs into even parts that begin at whole cache lines.
int64_t padded(int64_t elements, int64_t parts) {
    const int64_t multiple = kPartMultiple * parts;
    return parts == 1 ? elements : (elements + multiple - 1) / multiple * multiple;
}

std::vector<SlabElements> slabElements(const RunSpec& spec, const ModelConfig& model) {
    std::vector<SlabElements> all;
    ModelPart part;
    part.tensorParts = tensorParts(spec, model);
    for (const PartSlab& slab : partSlabs(model, part)) {
        SlabElements elements;
        for (const ParameterShape& parameter : slab.shape.parameters)
            if (isExpert(parameter.name))
                elements.experts += parameter.elements();
        elements.shared = padded(slab.shape.elements - elements.experts, copies(spec));
        elements.experts /= std::max<int64_t>(1, spec.parallel.expertParallelSize);
        all.push_back(elements);
    }
    return all;
}

// Streams between the products of a block, which sequence parallel shares among the tensor parts.
bool isStream(BlockBuffer buffer) {
    using B = BlockBuffer;
    return buffer == B::input || buffer == B::normed1 || buffer == B::middle || buffer == B::normed2;
}

class Activations {
 public:
    Activations(const RunSpec& spec, const ModelConfig& model, const StepShape& shape)
        : m_policy(blockPolicy(spec.parallel.activationCheckpointing)),
          m_model(model),
          m_fp8(shape.fp8),
          m_streamParts(spec.parallel.sequenceParallel ? shape.tensorParts : 1),
          m_buffers{blockBuffers(model, shape, false, BlockKind::dense),
                    blockBuffers(model, shape, false, BlockKind::sparse),
                    blockBuffers(model, shape, true, blockKind(model, model.layers - 1))} {}

    int64_t kept(int64_t layer) const {
        const std::vector<BufferSize>& buffers = of(layer);
        int64_t bytes = 0;
        for (size_t i = 0; i < buffers.size(); ++i)
            bytes += keeps(i) ? bytesOf(buffers, i) : 0;
        return bytes;
    }
    // One set for all these blocks, for what is not kept.
    int64_t working(const std::vector<int64_t>& layers) const {
        int64_t bytes = 0;
        for (size_t i = 0; i < m_buffers.front().size(); ++i) {
            int64_t most = 0;
            for (const int64_t layer : layers)
                most = std::max(most, bytesOf(of(layer), i));
            bytes += keeps(i) ? 0 : most;
        }
        return bytes;
    }

 private:
    const std::vector<BufferSize>& of(int64_t layer) const {
        if (layer + 1 == m_model.layers)
            return m_buffers[2];
        return m_buffers[m_model.isSparse(layer) ? 1 : 0];
    }
    bool keeps(size_t i) const { return isKept(m_policy, static_cast<BlockBuffer>(i), m_fp8); }
    int64_t bytesOf(const std::vector<BufferSize>& buffers, size_t i) const {
        return buffers[i].bytes() / (isStream(static_cast<BlockBuffer>(i)) ? m_streamParts : 1);
    }

    BlockPolicy m_policy;
    const ModelConfig& m_model;
    bool m_fp8;
    int64_t m_streamParts;
    std::array<std::vector<BufferSize>, 3> m_buffers;  // dense, sparse, the last block
};

// Most bytes that the stage's blocks keep at once, over the order in which it works.
int64_t mostKept(const StageOperations& operations, const std::vector<int64_t>& keptOfChunk) {
    int64_t held = 0;
    int64_t most = 0;
    for (const PipelineOperation& operation : operations) {
        const int64_t bytes = keptOfChunk[static_cast<size_t>(operation.chunk)];
        if (operation.work == PipelineWork::forward)
            most = std::max(most, held += bytes);
        else if (operation.work != PipelineWork::inputBackward)
            held -= bytes;
    }
    return most;
}

// The same pipeline with no more micro-batches than it takes to be full.
PipelineShape shortened(const RunSpec& spec) {
    PipelineShape shape = pipelineShape(spec.parallel, microBatches(spec));
    if (shape.stages == 1)
        return {PipelineSchedule::oneForwardOneBackward, 1, 1, 1};
    if (shape.schedule == PipelineSchedule::gpipe)
        return shape;
    shape.microBatches = std::min(shape.microBatches, kSteadyRounds * shape.stages);
    if (shape.schedule == PipelineSchedule::interleaved)  // a multiple, also where the rule is broken
        shape.microBatches = std::max<int64_t>(1, shape.microBatches / shape.stages) * shape.stages;
    return shape;
}

// What streams between devices need; slabs are counted with the state.
int64_t streamBytes(const RunSpec& spec, const ModelConfig& model, const StepShape& shape, bool gpu) {
    const ParallelConfig& parallel = spec.parallel;
    if (parallel.worldSize() == 1)
        return 0;
    const int64_t stream = shape.tokens() * model.width * shape.elementBytes;
    int64_t bytes = gpu ? kCollectiveBytes : 0;
    if (parallel.pipelineStages > 1)
        bytes += 4 * stream;  // hidden states and gradients, coming and going
    if (parallel.sequenceParallel && parallel.tensorParallelSize > 1)
        bytes += 2 * stream;
    if (parallel.contextParallelSize > 1)  // keys, values and their gradients of whole rows
        bytes +=
            4 * shape.rows * model.sequenceLength * (model.keyValueWidth() / shape.tensorParts) * shape.elementBytes;
    if (parallel.expertParallelSize > 1)
        bytes += 2 * stream * model.expertsPerToken;
    return bytes;
}

// Float gradients of the queries while attention goes back, outside the arena, and what cuDNN works in.
int64_t gpuScratchBytes(const ModelConfig& model, const StepShape& shape) {
    return shape.tokens() * model.width / shape.tensorParts * 4 + kScratchBytes;
}

// What a rank holds of the slabs of its stage, as engine/parallel/replica_traffic shares them: optimizer state from
// stage 1 on, gradients of blocks from 2, values of blocks from 3. Embedding and head stay whole.
class StateParts {
 public:
    StateParts(const RunSpec& spec, bool gpu) : m_gpu(gpu), m_bytes(stateBytes(spec)), m_zero(spec.parallel.zeroStage) {
        if (gpu && accumulates(spec))
            m_bytes.gradient = std::max<int64_t>(m_bytes.gradient, 4);  // sums over micro-batches are kept in float
        m_copies = copies(spec);
        m_expertCopies = std::max<int64_t>(1, m_copies / std::max<int64_t>(1, spec.parallel.expertParallelSize));
        m_shares = m_zero > 0 && m_copies > 1;
    }

    void addEnd(const SlabElements& slab) {
        m_ends += slab.all();
        add(slab, false);
    }
    void addBlock(const SlabElements& slab) {
        m_largest = std::max(m_largest, slab.all());
        m_largestPart = std::max(m_largestPart, partOf(slab));
        ++m_blocks;
        add(slab, m_shares);
    }
    void putInto(MemoryBytes& memory) const {
        memory = m_sum;
        if (!m_shares)
            return;
        memory.communication += m_gpu ? 0 : glooElements() * m_bytes.gradient;
        if (m_zero < 2)
            return;
        // Where blocks take turns; fewer blocks than turns would gain nothing.
        const int64_t windows = m_blocks >= kWindows ? kWindows * m_largest : m_whole;
        memory.communication += (windows + kWindows * m_largestPart) * m_bytes.gradient;
        memory.communication += m_zero >= 3 ? windows * m_bytes.weight : 0;
    }

 private:
    // c10d's Gloo copies a slab before it sums and scatters it, and again while it gathers it. Of whole slabs all are
    // under way at the end of a step; of blocks that take turns two, and with ZeRO 3 one more that is gathered.
    int64_t glooElements() const {
        const int64_t blocks = std::min(m_blocks, m_zero >= 3 ? kWindows + 1 : kWindows);
        return m_zero == 1 ? m_whole + m_ends : m_ends + blocks * m_largest;
    }
    int64_t partOf(const SlabElements& slab) const { return slab.shared / m_copies + slab.experts / m_expertCopies; }
    void add(const SlabElements& slab, bool shared) {
        const int64_t part = partOf(slab);
        m_whole += shared ? slab.all() : 0;
        m_sum.weights += (shared && m_zero >= 3 ? part : slab.all()) * m_bytes.weight;
        m_sum.gradients += (shared && m_zero >= 2 ? 0 : slab.all()) * m_bytes.gradient;
        m_sum.gradients += m_shares ? part * m_bytes.gradient : 0;  // of what this rank updates
        m_sum.optimizer += (m_shares ? part : slab.all()) * m_bytes.optimizer;
    }

    bool m_gpu;
    StateBytes m_bytes;
    int64_t m_zero;
    int64_t m_copies = 1;
    int64_t m_expertCopies = 1;
    bool m_shares = false;
    int64_t m_blocks = 0;
    int64_t m_whole = 0;  // of shared blocks
    int64_t m_ends = 0;   // of embedding and head
    int64_t m_largest = 0;
    int64_t m_largestPart = 0;
    MemoryBytes m_sum;
};

// Works out stage after stage of one layout.
class Stages {
 public:
    Stages(const RunSpec& spec, const PlanTarget& target)
        : m_spec(spec),
          m_gpu(target.gpu),
          m_model(resolvedModel(spec)),
          m_pipeline(shortened(spec)),
          m_slabs(slabElements(spec, m_model)),
          m_shape(stepShape(spec, m_model, target)),
          m_activations(spec, m_model, m_shape) {
        if (m_pipeline.stages > 1)
            m_operations = pipelineOperations(m_pipeline);
    }

    std::vector<StageMemory> all() {
        std::vector<StageMemory> stages;
        for (int64_t stage = 0; stage < m_pipeline.stages; ++stage)
            stages.push_back(one(stage));
        return stages;
    }

 private:
    StageMemory one(int64_t s) {
        StageMemory stage;
        const bool last = s + 1 == m_pipeline.stages;
        StateParts state(m_spec, m_gpu);
        std::vector<int64_t> keptOfChunk;
        for (int64_t chunk = 0; chunk < m_pipeline.chunks; ++chunk) {
            int64_t kept = 0;
            for (const int64_t layer : layersOfPiece(m_model.layers, m_pipeline, m_pipeline.pieceOf(s, chunk))) {
                stage.layers.push_back(layer);
                state.addBlock(m_slabs[static_cast<size_t>(layer + 1)]);
                kept += m_activations.kept(layer);
            }
            keptOfChunk.push_back(kept);
        }
        if (s == 0 || (last && m_model.tiedHead))
            state.addEnd(m_slabs.front());
        if (last)
            state.addEnd(m_slabs.back());
        state.putInto(stage.bytes);
        addStep(s, keptOfChunk, stage);
        return stage;
    }

    void addStep(int64_t s, const std::vector<int64_t>& keptOfChunk, StageMemory& stage) {
        MemoryBytes& bytes = stage.bytes;
        m_shape.blocks = static_cast<int64_t>(stage.layers.size());
        m_shape.lastBlock = s + 1 == m_pipeline.stages;
        m_shape.sparseBlocks = std::count_if(stage.layers.begin(), stage.layers.end(),
                                             [this](int64_t layer) { return m_model.isSparse(layer); });
        const StepMemory step = stepMemory(m_model, m_shape, blockPolicy(m_spec.parallel.activationCheckpointing));
        bytes.activations =
            m_activations.working(stage.layers) +
            (m_operations.empty() ? keptOfChunk.front() : mostKept(m_operations[static_cast<size_t>(s)], keptOfChunk));
        bytes.logits = m_shape.lastBlock ? step.logits : 0;
        bytes.buffers = step.buffers + (m_gpu ? gpuScratchBytes(m_model, m_shape) : 0);
        bytes.communication += streamBytes(m_spec, m_model, m_shape, m_gpu);
        bytes.overhead = m_gpu ? kGpuProgramBytes : kProgramBytes;
    }

    const RunSpec& m_spec;
    bool m_gpu;
    ModelConfig m_model;
    PipelineShape m_pipeline;
    std::vector<SlabElements> m_slabs;
    StepShape m_shape;
    Activations m_activations;
    std::vector<StageOperations> m_operations;  // empty without a pipeline
};

}  // namespace

int64_t weightElementBytes(const RunSpec& spec) {
    return stateBytes(spec).weight;
}

int64_t stateElementBytes(const RunSpec& spec) {
    const StateBytes state = stateBytes(spec);
    return state.weight + state.gradient + state.optimizer;
}

bool beyondCounting(const RunSpec& spec) {
    const auto tokens =
        static_cast<double>(spec.effectiveMicroBatch()) * static_cast<double>(spec.model.sequenceLength);
    const double width =
        16.0 * static_cast<double>(spec.model.width) + 4.0 * static_cast<double>(spec.model.feedForwardWidth);
    return tokens * width * 8.0 * static_cast<double>(spec.model.layers) > kMostBytes;
}

std::vector<StageMemory> layoutMemory(const RunSpec& spec, const PlanTarget& target) {
    return Stages(spec, target).all();
}

}  // namespace unmask
