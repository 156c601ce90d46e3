// SPDX-License-Identifier: Apache-2.0
// Which samples make the k-th global batch: a pure function of (seed, k), so the cursor of a run is k alone.
// The samples of a split are packed once into rows of `sequenceLength` (packer.h); each epoch visits every row once in
// a new order (algorithms.md section 2: an order of seed and epoch alone, cut into global batches).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/base/noise_keys.h"
#include "engine/data/batch.h"
#include "engine/data/packer.h"
#include "engine/data/sample_index.h"

namespace unmask {

struct SamplerOptions {
    uint64_t seed = 42;
    int64_t batchRows = 64;
    double variableLengthFraction = 0.01;  // training only
    int64_t maxSamples = 0;                // validation only; 0 takes all
};

class Sampler {
 public:
    static constexpr int32_t kValidationVisit = 0xFFFF;

    // `index` must outlive the sampler.
    static Sampler training(const SampleIndex& index, const SamplerOptions& options);
    // Fixed order, whole samples. Batch k belongs to draw k / batchesPerEpoch() and has visit 0xFFFF - draw.
    static Sampler validation(const SampleIndex& index, const SamplerOptions& options);

    GlobalBatch batch(int64_t k) const;  // any k >= 0, from any thread
    int64_t batchesPerEpoch() const;     // the same for every epoch; 0 when the split is empty
    int64_t sampleCount() const { return static_cast<int64_t>(m_rows->samples.size()); }
    int64_t rowCount() const { return m_rows->rowCount(); }
    int64_t tokenCount() const { return m_tokens; }  // of one epoch, before cuts
    const SampleIndex& index() const { return m_index; }

 private:
    enum class Split { training, validation };
    Sampler(const SampleIndex& index, const SamplerOptions& options, Split split);

    using Order = std::shared_ptr<const std::vector<uint32_t>>;
    Order rowOrder(int64_t epoch) const;
    int32_t cutLength(int64_t sample, int32_t length, int32_t visit) const;

    const SampleIndex& m_index;
    NoiseKeys m_keys;
    SamplerOptions m_options;
    Split m_split;
    std::shared_ptr<const PackedRows> m_rows;
    int64_t m_tokens = 0;

    struct Cache;
    std::shared_ptr<Cache> m_cache;  // orders of the epochs last asked for
};

}  // namespace unmask
