// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sampler.h"

#include <algorithm>
#include <numeric>

#include "engine/base/error.h"

namespace unmask {

namespace {

// Beyond every epoch (visits have 16 bits): the order in which samples of one length are packed.
constexpr uint64_t kPackingOrder = uint64_t{1} << 32;
constexpr size_t kCachedOrders = 3;
constexpr int64_t kVisits = 0x10000;

struct Keyed {
    uint64_t key;
    uint32_t value;
};

// argsort of philox64(SHUFFLE; a, value), ties by value.
void shuffle(const NoiseKeys& keys, uint64_t a, std::vector<uint32_t>& values) {
    std::vector<Keyed> keyed(values.size());
    std::transform(values.begin(), values.end(), keyed.begin(), [&](uint32_t value) {
        return Keyed{keys.bits64(NoiseTag::shuffle, a, value), value};
    });
    std::sort(keyed.begin(), keyed.end(),
              [](const Keyed& x, const Keyed& y) { return x.key != y.key ? x.key < y.key : x.value < y.value; });
    std::transform(keyed.begin(), keyed.end(), values.begin(), [](const Keyed& item) { return item.value; });
}

}  // namespace

struct Sampler::Cache {
    std::mutex mutex;
    std::vector<std::pair<int64_t, Order>> orders;  // newest last
};

Sampler Sampler::training(const SampleIndex& index, const SamplerOptions& options) {
    return {index, options, Split::training};
}

Sampler Sampler::validation(const SampleIndex& index, const SamplerOptions& options) {
    return {index, options, Split::validation};
}

Sampler::Sampler(const SampleIndex& index, const SamplerOptions& options, Split split)
    : m_index(index), m_keys(options.seed), m_options(options), m_split(split), m_cache(std::make_shared<Cache>()) {
    if (options.batchRows < 1)
        throw Error{ErrorCode::badInput, "[sampler] batch_size must be at least 1 row"};
    std::vector<uint32_t> samples = split == Split::training ? index.training() : index.validation();
    if (split == Split::training)
        shuffle(m_keys, kPackingOrder, samples);
    else if (options.maxSamples > 0 && static_cast<int64_t>(samples.size()) > options.maxSamples)
        samples.resize(static_cast<size_t>(options.maxSamples));
    std::vector<int32_t> lengths(samples.size());
    std::transform(samples.begin(), samples.end(), lengths.begin(),
                   [&](uint32_t sample) { return index.place(sample).length; });
    m_tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t{0});
    m_rows = std::make_shared<const PackedRows>(packRows(samples, lengths, index.sequenceLength()));
}

int64_t Sampler::batchesPerEpoch() const {
    return (rowCount() + m_options.batchRows - 1) / m_options.batchRows;
}

Sampler::Order Sampler::rowOrder(int64_t epoch) const {
    {
        const std::lock_guard lock(m_cache->mutex);
        for (const auto& [cached, order] : m_cache->orders)
            if (cached == epoch)
                return order;
    }
    std::vector<uint32_t> rows(static_cast<size_t>(rowCount()));
    std::iota(rows.begin(), rows.end(), 0u);
    if (m_split == Split::training)
        shuffle(m_keys, static_cast<uint64_t>(epoch), rows);
    Order order = std::make_shared<const std::vector<uint32_t>>(std::move(rows));
    const std::lock_guard lock(m_cache->mutex);
    if (m_cache->orders.size() == kCachedOrders)
        m_cache->orders.erase(m_cache->orders.begin());
    m_cache->orders.emplace_back(epoch, order);
    return order;
}

int32_t Sampler::cutLength(int64_t sample, int32_t length, int32_t visit) const {
    if (m_split == Split::validation)
        return length;
    const auto index = static_cast<uint64_t>(sample);
    const auto e = static_cast<uint32_t>(visit);
    const double coin = static_cast<double>(m_keys.bits32(NoiseTag::truncate, index, e, 0)) * 0x1p-32;
    if (coin >= m_options.variableLengthFraction)
        return length;
    const uint64_t place = m_keys.bits32(NoiseTag::truncate, index, e, 1);
    return 1 + static_cast<int32_t>((place * static_cast<uint64_t>(length)) >> 32);  // uniform in 1..length
}

GlobalBatch Sampler::batch(int64_t k) const {
    const int64_t perEpoch = batchesPerEpoch();
    if (k < 0 || perEpoch == 0)
        throw Error{ErrorCode::internal, "[sampler] no batch " + std::to_string(k) + " in a split of " +
                                             std::to_string(sampleCount()) + " samples"};
    GlobalBatch batch;
    batch.step = k;
    batch.epoch = k / perEpoch;
    batch.length = m_index.sequenceLength();
    const int64_t firstRow = (k % perEpoch) * m_options.batchRows;
    batch.rows = std::min(m_options.batchRows, rowCount() - firstRow);
    const int32_t visit = static_cast<int32_t>(m_split == Split::training ? batch.epoch % kVisits
                                                                          : kValidationVisit - batch.epoch % kVisits);
    const Order order = rowOrder(m_split == Split::training ? batch.epoch : 0);
    for (int64_t row = 0; row < batch.rows; ++row) {
        int32_t begin = 0;
        for (const uint32_t sample : m_rows->row((*order)[static_cast<size_t>(firstRow + row)])) {
            const int32_t whole = m_index.place(sample).length;
            const int32_t length = cutLength(sample, whole, visit);
            batch.slots.push_back(
                {static_cast<int64_t>(batch.slots.size()), sample, visit, static_cast<int32_t>(row), begin, length});
            begin += whole;  // a cut sample keeps its place: the rows are the same in every epoch
        }
    }
    return batch;
}

}  // namespace unmask
