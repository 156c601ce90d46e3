// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/gpu_staging.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/runtime/segment_bounds.h"

namespace unmask {

using W = WorkBuffer;

namespace {

constexpr size_t kHostBuffers = 3;

bool wholeRows(const SegmentLayout& layout) {
    return static_cast<int64_t>(layout.segments.size()) == layout.rows &&
           std::all_of(layout.segments.begin(), layout.segments.end(),
                       [&](const Segment& segment) { return segment.length == layout.length; });
}

// Rows of no sample, added so that the batch has its planned size: whole segments that nothing is scored in.
std::vector<Segment> withEmptyRows(const SegmentLayout& layout, int64_t rows) {
    std::vector<Segment> segments = layout.segments;
    for (int64_t row = layout.rows; row < rows; ++row)
        segments.push_back({row * layout.length, layout.length});
    return segments;
}

}  // namespace

GpuStaging::GpuStaging(const StepBuffers& buffers, const StepShape& shape)
    : m_shape(shape), m_work(buffers.work(shape.tokens(), shape.headRows())), m_device(buffers.staging()) {
    for (size_t i = 0; i < kHostBuffers; ++i)
        m_ring.push_back({pinnedBytes(m_device.numel()), GpuEvent()});
    for (HostBuffer& buffer : m_ring)
        buffer.bytes.zero_();
}

template <class T>
T* GpuStaging::host(WorkBuffer which) {
    const auto offset = static_cast<const uint8_t*>(m_work[which].const_data_ptr()) -
                        static_cast<const uint8_t*>(m_device.const_data_ptr());
    return reinterpret_cast<T*>(m_ring[m_next].bytes.data_ptr<uint8_t>() + offset);
}

void GpuStaging::fillRows(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights) {
    const int64_t n = input.segments.tokens();
    const int64_t r = input.scoredRows.numel();
    int32_t* tokens = host<int32_t>(W::tokens);
    if (input.tokens.scalar_type() == at::kInt)
        std::memcpy(tokens, input.tokens.const_data_ptr(), static_cast<size_t>(n) * sizeof(int32_t));
    else
        std::copy_n(input.tokens.const_data_ptr<int64_t>(), n, tokens);
    std::fill(tokens + n, tokens + m_shape.tokens(), 0);

    const int64_t* rows = input.scoredRows.const_data_ptr<int64_t>();
    const int64_t capacity = m_shape.headRows();
    const auto fill = [&](auto* to, const auto* from, auto unused) {
        if (from == nullptr)
            std::fill(to, to + r, decltype(unused){0});
        else
            std::copy_n(from, r, to);
        std::fill(to + r, to + capacity, unused);
    };
    fill(host<int32_t>(W::scoredRows), rows, int32_t{-1});
    fill(host<int64_t>(W::targets), targets.defined() ? targets.const_data_ptr<int64_t>() : nullptr, int64_t{-1});
    fill(host<double>(W::rowWeights), weights.defined() ? weights.const_data_ptr<double>() : nullptr, 0.0);
}

StagedLayout GpuStaging::fillSegments(const StepInput& input) {
    const bool dense = input.segments.length == m_shape.length && wholeRows(input.segments);
    const std::vector<Segment> segments = dense ? withEmptyRows(input.segments, m_shape.rows) : input.segments.segments;
    const auto count = static_cast<int64_t>(segments.size());
    const auto padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(count, 1))));
    const StagedLayout layout{dense ? count : std::min(padded, m_shape.tokens()), dense};

    int32_t* positions = host<int32_t>(W::positions);
    int32_t* all = host<int32_t>(W::segmentBounds);
    int32_t* scored = all + 4 * layout.segments;
    const int64_t* rows = input.scoredRows.const_data_ptr<int64_t>();
    if (!dense)
        std::fill(positions, positions + m_shape.tokens(), 0);
    for (const Segment& segment : segments)
        for (int64_t i = 0; i < segment.length; ++i)
            positions[segment.begin + i] = static_cast<int32_t>(i);
    writeSegmentBounds(segments, {rows, static_cast<size_t>(input.scoredRows.numel())}, all, scored);
    all += 4 * count;
    scored += 4 * count;
    // Empty segments lie where the last one ends, so that bounds ascend.
    const auto endOfTokens =
        segments.empty() ? 0 : static_cast<int32_t>(segments.back().begin + segments.back().length);
    const auto endOfScored = static_cast<int32_t>(input.scoredRows.numel());
    for (int64_t i = count; i < layout.segments; ++i) {
        for (int part = 0; part < 4; ++part)
            *all++ = endOfTokens;
        for (const int32_t value : {endOfScored, endOfScored, endOfTokens, endOfTokens})
            *scored++ = value;
    }
    int32_t* scoredPositions = host<int32_t>(W::scoredPositions);
    for (int64_t i = 0; i < input.scoredRows.numel(); ++i)
        scoredPositions[i] = positions[rows[i]];
    std::fill(scoredPositions + input.scoredRows.numel(), scoredPositions + m_shape.headRows(), 0);
    return layout;
}

StagedLayout GpuStaging::stage(const StepInput& input, const at::Tensor& targets, const at::Tensor& weights) {
    HostBuffer& buffer = m_ring[m_next];
    buffer.copied.wait();
    fillRows(input, targets, weights);
    const StagedLayout layout = fillSegments(input);
    const auto boundsBegin = static_cast<const uint8_t*>(m_work[W::segmentBounds].const_data_ptr()) -
                             static_cast<const uint8_t*>(m_device.const_data_ptr());
    const int64_t used = boundsBegin + 2 * 4 * layout.segments * static_cast<int64_t>(sizeof(int32_t));
    copyAsync(buffer.bytes.narrow(0, 0, used), m_device.narrow(0, 0, used));
    buffer.copied.record();
    m_next = (m_next + 1) % m_ring.size();
    return layout;
}

StepContext GpuStaging::context(const StagedLayout& layout) const {
    StepContext context;
    context.work = m_work;
    context.scoredRows = m_work[W::scoredRows];
    context.bounds = m_work[W::segmentBounds].narrow(0, 0, layout.segments);
    context.scoredBounds = m_work[W::segmentBounds].narrow(0, layout.segments, layout.segments);
    context.longest = m_shape.length;
    context.dense = layout.dense;
    return context;
}

}  // namespace unmask
