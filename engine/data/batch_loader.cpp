// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batch_loader.h"

#include <algorithm>

#include "engine/base/error.h"

namespace unmask {

MicroBatch fillMicroBatch(const GlobalBatch& plan, int64_t firstRow, int64_t rows, const SampleIndex& index,
                          int32_t paddingId) {
    MicroBatch micro;
    micro.firstRow = firstRow;
    micro.rows = std::clamp(plan.rows - firstRow, int64_t{0}, rows);
    micro.length = plan.length;
    micro.tokens.assign(static_cast<size_t>(micro.rows * micro.length), paddingId);
    const auto firstSlot = std::partition_point(plan.slots.begin(), plan.slots.end(),
                                                [&](const SampleSlot& slot) { return slot.row < firstRow; });
    for (auto slot = firstSlot; slot != plan.slots.end() && slot->row < firstRow + micro.rows; ++slot) {
        micro.slots.push_back(*slot);
        micro.slots.back().row = static_cast<int32_t>(slot->row - firstRow);
        int32_t* const out = micro.tokens.data() + (slot->row - firstRow) * micro.length + slot->begin;
        index.store().copy(index.place(slot->datasetIndex).begin, slot->length, out);
    }
    return micro;
}

LoadedBatch loadBatch(const Sampler& sampler, int64_t k, int64_t microRows, int32_t paddingId, RowShare share) {
    LoadedBatch loaded{sampler.batch(k), {}};
    const int64_t rows = share.rowsOf(loaded.plan.rows);
    const int64_t begin = share.part * rows;
    for (int64_t row = 0; row < rows; row += microRows)
        loaded.microBatches.push_back(
            fillMicroBatch(loaded.plan, begin + row, std::min(microRows, rows - row), sampler.index(), paddingId));
    return loaded;
}

BatchLoader::BatchLoader(const Sampler& sampler, const LoaderOptions& options)
    : m_sampler(sampler), m_options(options) {
    if (options.microRows < 1 || options.depth < 1 || options.firstStep < 0)
        throw Error{ErrorCode::internal, "[loader] micro-batch rows and depth must be at least 1, the first step 0"};
    m_thread = std::thread([this] { work(); });
}

BatchLoader::~BatchLoader() {
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void BatchLoader::work() {
    try {
        for (int64_t k = m_options.firstStep;; ++k) {
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock,
                               [this] { return m_stop || static_cast<int64_t>(m_ready.size()) < m_options.depth; });
                if (m_stop)
                    return;
            }
            LoadedBatch loaded = loadBatch(m_sampler, k, m_options.microRows, m_options.paddingId, m_options.share);
            const std::lock_guard lock(m_mutex);
            m_ready.push_back(std::move(loaded));
            m_changed.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failure = std::current_exception();
        m_changed.notify_all();
    }
}

LoadedBatch BatchLoader::next() {
    std::unique_lock lock(m_mutex);
    if (m_ready.empty() && m_taken > 0)
        ++m_waits;
    m_changed.wait(lock, [this] { return !m_ready.empty() || m_failure; });
    if (m_ready.empty())
        std::rethrow_exception(m_failure);
    LoadedBatch loaded = std::move(m_ready.front());
    m_ready.pop_front();
    ++m_taken;
    m_changed.notify_all();
    return loaded;
}

int64_t BatchLoader::waits() const {
    const std::lock_guard lock(m_mutex);
    return m_waits;
}

}  // namespace unmask
