// SPDX-License-Identifier: Apache-2.0
// How fast files become a store (bytes of the file a second, hashing included) and a step number becomes a batch.
#include <benchmark/benchmark.h>

#include "engine/data/batch_loader.h"
#include "engine/data/json_record.h"
#include "engine/data/utf8_checker.h"
#include "tests/engine/data/store_fixture.h"

namespace unmask {
namespace {

constexpr size_t kFileBytes = size_t{64} << 20;

std::string prose(size_t bytes) {
    std::string text;
    while (text.size() < bytes)
        text += "The clock in the lane had been wrong for so long that people had grown fond of it. 钟慢了十七分钟。 ";
    text.resize(text.find('.', bytes - 200) + 1);
    return text;
}

std::string records(size_t bytes, const char* between) {
    std::string all;
    for (size_t i = 0; all.size() < bytes; ++i)
        all += (i > 0 ? between : "") + Json{{"id", i}, {"text", prose(500 + i * 97 % 3000)}, {"url", "x"}}.dump();
    return all;
}

void importFile(benchmark::State& state, const std::string& name, const std::string& content) {
    const test::TempFolder folder;
    DataConfig data;
    data.files = {folder.write(name, content).string()};
    for (auto _ : state) {
        state.PauseTiming();
        std::filesystem::remove_all(folder.path() / "stores");
        state.ResumeTiming();
        benchmark::DoNotOptimize(prepareStore(data, {}, {}, {.storesFolder = folder.path() / "stores"}));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(content.size()));
}

void importText(benchmark::State& state) {
    importFile(state, "a.txt", prose(kFileBytes));
}
void importJsonLines(benchmark::State& state) {
    importFile(state, "a.jsonl", records(kFileBytes, "\n"));
}
void importJsonArray(benchmark::State& state) {
    importFile(state, "a.json", "[" + records(kFileBytes, ",\n") + "]");
}
BENCHMARK(importText)->Unit(benchmark::kMillisecond);
BENCHMARK(importJsonLines)->Unit(benchmark::kMillisecond);
BENCHMARK(importJsonArray)->Unit(benchmark::kMillisecond);

// A second start with the same data: what remains is hashing the file.
void reuseStore(benchmark::State& state) {
    const test::TempFolder folder;
    DataConfig data;
    data.files = {folder.write("a.txt", prose(kFileBytes)).string()};
    prepareStore(data, {}, {}, {.storesFolder = folder.path() / "stores"});
    for (auto _ : state)
        benchmark::DoNotOptimize(prepareStore(data, {}, {}, {.storesFolder = folder.path() / "stores"}));
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kFileBytes));
}
BENCHMARK(reuseStore)->Unit(benchmark::kMillisecond);

void checkUtf8(benchmark::State& state) {
    const std::string text = prose(size_t{1} << 20);
    for (auto _ : state) {
        Utf8Checker checker;
        benchmark::DoNotOptimize(checker.feed(text));
    }
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(checkUtf8);

void parseRecord(benchmark::State& state) {
    const std::string record = Json{{"id", 7}, {"text", prose(2000)}, {"url", "x"}}.dump();
    const JsonRecordParser parser("");
    std::string text;
    for (auto _ : state)
        benchmark::DoNotOptimize(parser.parse(record, text));
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(record.size()));
}
BENCHMARK(parseRecord);

// One batch of 64 rows, planned and filled; the argument is sequence_length.
void loadOneBatch(benchmark::State& state) {
    const test::TempFolder folder;
    const TokenStore store = test::makeStore(folder, test::mixedLengths(20000));
    const SampleIndex index(store, state.range(0), 0.05);
    const Sampler sampler = Sampler::training(index, {});
    int64_t k = 0;
    for (auto _ : state)
        benchmark::DoNotOptimize(loadBatch(sampler, k++ % sampler.batchesPerEpoch(), 16, 257));
    state.SetItemsProcessed(state.iterations() * 64 * state.range(0));
}
BENCHMARK(loadOneBatch)->Arg(256)->Arg(1024)->Arg(4096)->Unit(benchmark::kMicrosecond);

// Index, packing and order of an epoch; the argument is the number of documents (about one sample each).
void planEpoch(benchmark::State& state) {
    const test::TempFolder folder;
    const TokenStore store = test::makeStore(folder, test::mixedLengths(static_cast<size_t>(state.range(0))));
    for (auto _ : state) {
        const SampleIndex index(store, 1024, 0.05);
        const Sampler sampler = Sampler::training(index, {});
        benchmark::DoNotOptimize(sampler.batch(0));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(planEpoch)->Arg(10000)->Arg(1000000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace unmask
