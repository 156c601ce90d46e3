// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/pipeline_timeline.h"

#include <algorithm>
#include <optional>
#include <string>

namespace unmask {

namespace {

// Ends of forward and of input gradient, for each piece and micro-batch; empty until they are known.
class Ends {
 public:
    explicit Ends(const PipelineShape& shape) : m_shape(shape) {
        const auto count = static_cast<size_t>(shape.pieces() * shape.microBatches);
        m_forward.resize(count);
        m_backward.resize(count);
        m_weights.resize(count);
    }
    std::optional<double>& of(PipelineWork work, int64_t piece, int64_t microBatch) {
        const auto at = static_cast<size_t>(piece * m_shape.microBatches + microBatch);
        switch (work) {
            case PipelineWork::forward:
                return m_forward[at];
            case PipelineWork::weightBackward:
                return m_weights[at];
            case PipelineWork::backward:
            case PipelineWork::inputBackward:
                break;
        }
        return m_backward[at];
    }

 private:
    const PipelineShape& m_shape;
    std::vector<std::optional<double>> m_forward, m_backward, m_weights;
};

std::string described(int64_t stage, const PipelineOperation& operation) {
    return pipelineWord(operation.work) + " of micro-batch " + std::to_string(operation.microBatch) + ", chunk " +
           std::to_string(operation.chunk) + ", on stage " + std::to_string(stage);
}

Error wrong(const std::string& what) {
    return Error{ErrorCode::internal, "[pipeline] " + what};
}

double durationOf(PipelineWork work, const PieceSeconds& piece) {
    switch (work) {
        case PipelineWork::forward:
            return piece.forward;
        case PipelineWork::backward:
            return piece.inputBackward + piece.weightBackward;
        case PipelineWork::inputBackward:
            return piece.inputBackward;
        case PipelineWork::weightBackward:
            return piece.weightBackward;
    }
    return 0;
}

class Simulation {
 public:
    Simulation(const PipelineShape& shape, const PipelineSeconds& seconds)
        : m_shape(shape), m_seconds(seconds), m_ends(shape) {}

    // False when the input has not arrived. `free` is when the stage has ended what came before.
    std::optional<TimedOperation> start(int64_t stage, const PipelineOperation& operation, double free) {
        const std::optional<double> ready = arrival(m_shape.pieceOf(stage, operation.chunk), operation);
        if (!ready)
            return std::nullopt;
        const int64_t piece = m_shape.pieceOf(stage, operation.chunk);
        const double begin = std::max(free, *ready);
        const double end = begin + durationOf(operation.work, m_seconds.pieces[static_cast<size_t>(piece)]);
        m_ends.of(operation.work, piece, operation.microBatch) = end;
        if (operation.work == PipelineWork::backward)
            m_ends.of(PipelineWork::weightBackward, piece, operation.microBatch) = end;
        return TimedOperation{operation, begin, end};
    }
    bool isDone(int64_t stage, const PipelineOperation& operation) {
        return m_ends.of(operation.work, m_shape.pieceOf(stage, operation.chunk), operation.microBatch).has_value();
    }

 private:
    std::optional<double> arrival(int64_t piece, const PipelineOperation& operation) {
        const int64_t i = operation.microBatch;
        if (operation.work == PipelineWork::weightBackward)
            return m_ends.of(PipelineWork::inputBackward, piece, i);
        if (operation.work == PipelineWork::forward)
            return piece == 0 ? std::optional(0.0) : sent(piece - 1, piece, PipelineWork::forward, i);
        if (!m_ends.of(PipelineWork::forward, piece, i))
            return std::nullopt;
        return piece + 1 == m_shape.pieces() ? m_ends.of(PipelineWork::forward, piece, i)
                                             : sent(piece + 1, piece, PipelineWork::inputBackward, i);
    }
    std::optional<double> sent(int64_t from, int64_t to, PipelineWork work, int64_t microBatch) {
        const std::optional<double> end = m_ends.of(work, from, microBatch);
        if (!end)
            return std::nullopt;
        return *end + (m_shape.stageOf(from) == m_shape.stageOf(to) ? 0 : m_seconds.transfer);
    }

    const PipelineShape& m_shape;
    const PipelineSeconds& m_seconds;
    Ends m_ends;
};

Outcome checkNumbers(const PipelineShape& shape, const std::vector<StageOperations>& lists) {
    if (lists.size() != static_cast<size_t>(shape.stages))
        return wrong(std::to_string(lists.size()) + " lists for " + std::to_string(shape.stages) + " stages");
    for (size_t stage = 0; stage < lists.size(); ++stage)
        for (const PipelineOperation& operation : lists[stage])
            if (operation.microBatch < 0 || operation.microBatch >= shape.microBatches || operation.chunk < 0 ||
                operation.chunk >= shape.chunks)
                return wrong("there is no " + described(static_cast<int64_t>(stage), operation));
    return Nothing{};
}

// Each piece sees each micro-batch forward and backward.
Outcome checkComplete(const PipelineShape& shape, Simulation& simulation) {
    for (int64_t stage = 0; stage < shape.stages; ++stage)
        for (int64_t chunk = 0; chunk < shape.chunks; ++chunk)
            for (int64_t i = 0; i < shape.microBatches; ++i)
                for (const PipelineWork work :
                     {PipelineWork::forward, PipelineWork::inputBackward, PipelineWork::weightBackward})
                    if (!simulation.isDone(stage, {work, i, chunk}))
                        return wrong("missing: " + described(stage, {work, i, chunk}));
    return Nothing{};
}

}  // namespace

double PipelineTimeline::busySeconds(int64_t stage) const {
    double busy = 0;
    for (const TimedOperation& timed : stages[static_cast<size_t>(stage)])
        busy += timed.end - timed.begin;
    return busy;
}

double PipelineTimeline::bubbleSeconds() const {
    double busiest = 0;
    for (size_t stage = 0; stage < stages.size(); ++stage)
        busiest = std::max(busiest, busySeconds(static_cast<int64_t>(stage)));
    return seconds - busiest;
}

Result<PipelineTimeline> pipelineTimeline(const PipelineShape& shape, const std::vector<StageOperations>& lists,
                                          const PipelineSeconds& seconds) {
    if (const Outcome numbers = checkNumbers(shape, lists); !numbers)
        return numbers.error();
    if (seconds.pieces.size() != static_cast<size_t>(shape.pieces()))
        return wrong("durations of " + std::to_string(seconds.pieces.size()) + " pieces for " +
                     std::to_string(shape.pieces()));
    PipelineTimeline timeline;
    timeline.stages.resize(lists.size());
    Simulation simulation(shape, seconds);
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t stage = 0; stage < lists.size(); ++stage) {
            std::vector<TimedOperation>& done = timeline.stages[stage];
            while (done.size() < lists[stage].size()) {
                const PipelineOperation& next = lists[stage][done.size()];
                if (simulation.isDone(static_cast<int64_t>(stage), next))
                    return wrong("twice: " + described(static_cast<int64_t>(stage), next));
                const double free = done.empty() ? 0 : done.back().end;
                const auto timed = simulation.start(static_cast<int64_t>(stage), next, free);
                if (!timed)
                    break;
                done.push_back(*timed);
                timeline.seconds = std::max(timeline.seconds, timed->end);
                moved = true;
            }
        }
    }
    for (size_t stage = 0; stage < lists.size(); ++stage)
        if (const size_t done = timeline.stages[stage].size(); done < lists[stage].size())
            return wrong("deadlock: nothing sends the input of " +
                         described(static_cast<int64_t>(stage), lists[stage][done]));
    if (const Outcome complete = checkComplete(shape, simulation); !complete)
        return complete.error();
    return timeline;
}

double bubbleFormula(const PipelineShape& shape, const PieceSeconds& stage) {
    const double others = static_cast<double>(shape.stages - 1);
    const double all = stage.forward + stage.inputBackward + stage.weightBackward;
    if (shape.schedule == PipelineSchedule::zeroBubble)
        return others * (stage.forward + stage.inputBackward - stage.weightBackward);
    return others * all / static_cast<double>(shape.chunks);
}

}  // namespace unmask
