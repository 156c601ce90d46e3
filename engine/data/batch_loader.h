// SPDX-License-Identifier: Apache-2.0
// Fills batches ahead of the training loop on its own thread, so that a step never waits for data.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/data/batch.h"
#include "engine/data/sampler.h"

namespace unmask {

struct LoadedBatch {
    GlobalBatch plan;
    std::vector<MicroBatch> microBatches;  // in the order of rows
};

// Tokens of rows [firstRow, firstRow + rows) of `plan`; fewer rows where the batch ends.
MicroBatch fillMicroBatch(const GlobalBatch& plan, int64_t firstRow, int64_t rows, const SampleIndex& index,
                          int32_t paddingId);
// The rows of a batch that one of several devices computes: a run of them, as long as everybody's but at the end.
struct RowShare {
    int64_t part = 0;
    int64_t parts = 1;
    int64_t rowsOf(int64_t batchRows) const { return (batchRows + parts - 1) / parts; }
};
// Without a thread: for validation and tests. Every part gets as many micro-batches; some may be without rows.
LoadedBatch loadBatch(const Sampler& sampler, int64_t k, int64_t microRows, int32_t paddingId, RowShare share = {});

struct LoaderOptions {
    int64_t firstStep = 0;  // k of the first batch: 0, or the step a run resumes from
    int64_t microRows = 64;
    int32_t paddingId = 257;
    RowShare share;
    int64_t depth = 3;  // batches held ready: the loader's memory is depth + 1 batches
};

class BatchLoader {
 public:
    // `sampler` must outlive the loader.
    BatchLoader(const Sampler& sampler, const LoaderOptions& options);
    ~BatchLoader();  // ends the thread, whatever it is doing
    BatchLoader(const BatchLoader&) = delete;
    BatchLoader& operator=(const BatchLoader&) = delete;

    LoadedBatch next();     // k = firstStep, firstStep + 1, …; rethrows an Error of the thread
    int64_t waits() const;  // calls of next() that found nothing ready, the first not counted

 private:
    void work();

    const Sampler& m_sampler;
    const LoaderOptions m_options;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<LoadedBatch> m_ready;
    std::exception_ptr m_failure;
    bool m_stop = false;
    int64_t m_taken = 0;
    int64_t m_waits = 0;
    std::thread m_thread;
};

}  // namespace unmask
