// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/layout_time.h"

#include <algorithm>
#include <vector>

#include "engine/planner/layer_memory.h"
#include "engine/planner/layout_memory.h"
#include "engine/planner/model_shape.h"
#include "engine/planner/pipeline_timeline.h"
#include "engine/planner/step_time.h"

namespace unmask {

namespace {

constexpr double kOverlap = 0.8;         // of a backward pass, which a GPU's collectives can hide behind
constexpr double kBlockSeconds = 20e-6;  // a GPU's launches of a block, one direction, however small it is
constexpr int64_t kSteadyRounds = 4;     // of micro-batches are simulated, the rest repeats

double asDouble(int64_t value) {
    return static_cast<double>(value);
}

// Seconds and bytes of what one piece of the pipeline sends for one micro-batch, besides hidden states.
struct PieceTalk {
    double forward = 0;
    double backward = 0;
    LayoutTraffic traffic;
};

class Estimate {
 public:
    Estimate(const RunSpec& spec, const MachineSet& machines, double flopsPerSecond)
        : m_spec(spec),
          m_parallel(spec.parallel),
          m_model(resolvedModel(spec)),
          m_counts(countParameters(m_model)),
          m_machines(machines),
          m_policy(blockPolicy(spec.parallel.activationCheckpointing)),
          m_flopsPerSecond(flopsPerSecond),
          m_rows(std::max<int64_t>(1, spec.effectiveMicroBatch())),
          m_tokens(asDouble(m_rows * m_model.sequenceLength) / asDouble(m_parallel.contextParallelSize)),
          m_elementBytes(asDouble(weightElementBytes(spec))) {
        m_pipeline = pipelineShape(
            m_parallel, spec.training.batchSize / std::max<int64_t>(1, m_rows * m_parallel.dataParallelSize));
        m_pipeline.microBatches = std::max<int64_t>(1, m_pipeline.microBatches);
        if (m_pipeline.stages == 1)
            m_pipeline = {PipelineSchedule::oneForwardOneBackward, 1, m_pipeline.microBatches, 1};
    }

    LayoutTime run() {
        const PipelineShape simulated = shortened();
        PipelineSeconds seconds;
        seconds.transfer = transferSeconds();
        std::vector<PieceTalk> talks;
        for (int64_t piece = 0; piece < m_pipeline.pieces(); ++piece) {
            const PieceTalk talk = talkOf(piece);
            PieceSeconds work = computeOf(piece);
            work.forward += talk.forward;
            work.inputBackward += talk.backward;
            seconds.pieces.push_back(work);
            talks.push_back(talk);
        }
        const PipelineTimeline timeline = pipelineTimeline(simulated, pipelineOperations(simulated), seconds).orThrow();
        return summed(timeline, simulated, talks, seconds);
    }

 private:
    PipelineShape shortened() const {
        PipelineShape shape = m_pipeline;
        if (shape.microBatches > kSteadyRounds * shape.stages)
            shape.microBatches = kSteadyRounds * shape.stages;
        return shape;
    }

    PieceSeconds computeOf(int64_t piece) const {
        PieceSeconds seconds{0, 0, 0};
        const double perFlop = m_tokens / (m_flopsPerSecond * asDouble(m_parallel.tensorParallelSize));
        const double floor = m_machines.gpu ? kBlockSeconds : 0;
        const auto add = [&](const PartFlops& flops) {
            seconds.forward += std::max(floor, flops.forward * perFlop);
            seconds.inputBackward += std::max(floor, flops.inputBackward * perFlop);
            seconds.weightBackward += std::max(floor, flops.weightBackward * perFlop);
        };
        for (const int64_t layer : layersOfPiece(m_model.layers, m_pipeline, piece))
            add(blockFlopsPerToken(m_model, m_policy, layer));
        if (piece + 1 == m_pipeline.pieces())
            add(headFlopsPerToken(m_model));
        return seconds;
    }

    double streamBytes() const { return m_tokens * asDouble(m_model.width) * m_elementBytes; }

    double transferSeconds() const {
        if (m_pipeline.stages == 1)
            return 0;
        const LinkSpeed& link = m_machines.linkOf(m_parallel.worldSize() / m_pipeline.stages, m_pipeline.stages);
        return link.seconds + streamBytes() / link.bytesPerSecond;
    }

    PieceTalk talkOf(int64_t piece) const {
        PieceTalk talk;
        for (const int64_t layer : layersOfPiece(m_model.layers, m_pipeline, piece)) {
            addTensor(talk, 2);
            addContext(talk);
            if (m_model.isSparse(layer))
                addExperts(talk);
        }
        if (piece == 0 || piece + 1 == m_pipeline.pieces())
            addTensor(talk, 0.5);  // embedding forward, head backward
        return talk;
    }

    // `sums` over the tensor parts forward and as many backward; recomputing does the forward ones again.
    void addTensor(PieceTalk& talk, double sums) const {
        const int64_t size = m_parallel.tensorParallelSize;
        if (size == 1)
            return;
        const double one = m_machines.seconds(Collective::sum, streamBytes(), 1, size);
        const double again = m_policy == BlockPolicy::recompute ? 2 : 1;
        talk.forward += sums * one;
        talk.backward += sums * again * one;
        talk.traffic.tensor += sums * (1 + again) * 2 * asDouble(size - 1) / asDouble(size) * streamBytes();
    }

    // Keys and values of whole rows are gathered forward and backward, their gradients summed back.
    void addContext(PieceTalk& talk) const {
        const int64_t size = m_parallel.contextParallelSize;
        if (size == 1)
            return;
        const double bytes = asDouble(m_rows * m_model.sequenceLength) * 2 * asDouble(m_model.keyValueWidth()) *
                             m_elementBytes / asDouble(m_parallel.tensorParallelSize);
        const int64_t stride = m_parallel.tensorParallelSize;
        const double gather = m_machines.seconds(Collective::gather, bytes, stride, size);
        talk.forward += gather;
        talk.backward += gather + m_machines.seconds(Collective::sumAndScatter, bytes, stride, size);
        talk.traffic.context += 3 * bytes * asDouble(size - 1) / asDouble(size);
    }

    // Tokens travel to their experts and back.
    void addExperts(PieceTalk& talk) const {
        const int64_t size = m_parallel.expertParallelSize;
        if (size == 1)
            return;
        const double bytes = streamBytes() * asDouble(m_model.expertsPerToken);
        const int64_t stride = m_parallel.tensorParallelSize * m_parallel.contextParallelSize;
        const double one = m_machines.seconds(Collective::gather, bytes, stride, size);
        talk.forward += 2 * one;
        talk.backward += 2 * one;
        talk.traffic.expert += 4 * bytes * asDouble(size - 1) / asDouble(size);
    }

    // Parameters of the slabs that a rank of the stage works with; ZeRO does not change that.
    struct StageSlabs {
        double blocks = 0;  // how many
        double block = 0;   // parameters of one
        double embedding = 0, head = 0;
        double all() const { return blocks * block + embedding + head; }
    };
    StageSlabs slabsOf(int64_t stage) const {
        const double parts = asDouble(m_parallel.tensorParallelSize);
        StageSlabs slabs;
        slabs.blocks = asDouble(m_model.layers) / asDouble(m_pipeline.stages);
        slabs.block = asDouble(m_counts.total - m_counts.embedding - m_counts.head) / asDouble(m_model.layers) / parts;
        slabs.embedding = stage == 0 ? asDouble(m_counts.embedding) / parts : 0;
        slabs.head = stage + 1 == m_pipeline.stages ? asDouble(m_counts.head) / parts : 0;
        return slabs;
    }

    struct DataTalk {
        double exposed = 0;
        double bytes = 0;
    };
    // As engine/parallel/replica_traffic does it, a call a slab. Gradients are summed behind the last backward pass,
    // with ZeRO-2 and 3 those of blocks behind each; ZeRO-1 and 2 gather the new weights, ZeRO-3 gathers those of a
    // block before each pass, behind the block before. Embedding and head stay whole.
    DataTalk dataTalk(int64_t stage, double backward, double pass) const {
        const int64_t size = m_parallel.dataParallelSize * m_parallel.contextParallelSize;
        if (size == 1)
            return {};
        const StageSlabs slabs = slabsOf(stage);
        const auto ofBlocks = [&](Collective call) { return slabs.blocks * secondsOf(call, slabs.block, size); };
        const auto ofEnds = [&](Collective call) {
            return secondsOf(call, slabs.embedding, size) + secondsOf(call, slabs.head, size);
        };
        const double micro = asDouble(m_pipeline.microBatches);
        const double hidden = m_machines.gpu ? kOverlap : 0;  // on a CPU talking takes the cores that compute
        const double least = secondsOf(Collective::sumAndScatter, slabs.block, size);  // nothing follows the last one
        const auto behind = [&](double talk, double work) { return std::max(least, talk - hidden * work); };
        const double blockBytes = slabs.blocks * slabs.block * m_elementBytes;
        const double endBytes = (slabs.embedding + slabs.head) * m_elementBytes;
        const double sent = asDouble(size - 1) / asDouble(size);
        const double scatter = ofBlocks(Collective::sumAndScatter);
        const double gather = ofBlocks(Collective::gather);
        const double endsScatter = ofEnds(Collective::sumAndScatter);
        const double endsGather = ofEnds(Collective::gather);
        switch (m_parallel.zeroStage) {
            case 0:
                return {behind(ofBlocks(Collective::sum) + ofEnds(Collective::sum), backward),
                        2 * sent * (blockBytes + endBytes)};
            case 1:
                return {behind(scatter + endsScatter, backward) + gather + endsGather,
                        2 * sent * (blockBytes + endBytes)};
            case 2:
                return {micro * behind(scatter, backward) + endsScatter + gather + endsGather,
                        sent * ((micro + 1) * blockBytes + 2 * endBytes)};
            default:
                return {micro * behind(2 * gather + scatter, pass) + endsScatter + endsGather,
                        sent * (3 * micro * blockBytes + 2 * endBytes)};
        }
    }
    double secondsOf(Collective call, double parameters, int64_t size) const {
        if (parameters <= 0)
            return 0;
        return m_machines.seconds(call, parameters * m_elementBytes, m_parallel.tensorParallelSize, size);
    }

    LayoutTime summed(const PipelineTimeline& timeline, const PipelineShape& simulated,
                      const std::vector<PieceTalk>& talks, const PipelineSeconds& seconds) const {
        const double micro = asDouble(m_pipeline.microBatches);
        LayoutTime longest;
        double busiest = 0;
        for (int64_t stage = 0; stage < m_pipeline.stages; ++stage) {
            LayoutTime time;
            double talking = 0;
            double work = 0;
            double backward = 0;
            for (int64_t chunk = 0; chunk < m_pipeline.chunks; ++chunk) {
                const auto piece = static_cast<size_t>(m_pipeline.pieceOf(stage, chunk));
                const PieceSeconds& all = seconds.pieces[piece];
                talking += talks[piece].forward + talks[piece].backward;
                work += all.forward + all.inputBackward + all.weightBackward;
                backward += all.inputBackward + all.weightBackward;
                time.traffic.tensor += micro * talks[piece].traffic.tensor;
                time.traffic.context += micro * talks[piece].traffic.context;
                time.traffic.expert += micro * talks[piece].traffic.expert;
            }
            const DataTalk data = dataTalk(stage, backward, work);
            time.traffic.data = data.bytes;
            time.traffic.pipeline = sentAlong(stage) * micro;
            time.compute = micro * (work - talking);
            time.communication = micro * talking + data.exposed;
            const double shards = m_parallel.zeroStage > 0 ? asDouble(m_parallel.dataParallelSize) : 1;
            time.update = updateSeconds(m_spec, slabsOf(stage).all() / shards,
                                        m_machines.bandwidthOfRank(m_parallel.worldSize()), m_machines.gpu);
            busiest = std::max(busiest, micro * work);
            if (time.total() > longest.total())
                longest = time;
        }
        // What is not simulated repeats the steady state, in which the busiest stage never waits.
        const double repeated = (micro - asDouble(simulated.microBatches)) * busiest / micro;
        if (m_pipeline.stages > 1)
            longest.bubble = std::max(0.0, timeline.seconds + repeated - busiest);
        return longest;
    }

    // Bytes of hidden states and gradients that a stage passes on for a micro-batch.
    double sentAlong(int64_t stage) const {
        double sent = 0;
        for (int64_t chunk = 0; chunk < m_pipeline.chunks; ++chunk) {
            const int64_t piece = m_pipeline.pieceOf(stage, chunk);
            const bool forward = piece + 1 < m_pipeline.pieces() && m_pipeline.stages > 1;
            const bool backward = piece > 0 && m_pipeline.stages > 1;
            sent += ((forward ? 1 : 0) + (backward ? 1 : 0)) * streamBytes();
        }
        return sent;
    }

    const RunSpec& m_spec;
    const ParallelConfig& m_parallel;
    ModelConfig m_model;
    ParameterCounts m_counts;
    const MachineSet& m_machines;
    BlockPolicy m_policy;
    double m_flopsPerSecond;
    int64_t m_rows;
    double m_tokens;  // of a micro-batch on one rank
    double m_elementBytes;
    PipelineShape m_pipeline;
};

}  // namespace

std::optional<LayoutTime> layoutTime(const RunSpec& spec, const MachineSet& machines) {
    const auto stated = machines.flopsOfRank(spec.parallel.worldSize());
    if (!stated)
        return std::nullopt;
    const double rate = stepFlopsPerSecond(spec, resolvedModel(spec), *stated, machines.gpu);
    return Estimate(spec, machines, rate).run();
}

}  // namespace unmask
