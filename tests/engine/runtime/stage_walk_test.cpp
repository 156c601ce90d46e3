// SPDX-License-Identifier: Apache-2.0
// Two stages as threads that hand streams and gradients to each other through memory.
#include "engine/runtime/stage_walk.h"

#include <gtest/gtest.h>

#include <ATen/ops/zeros.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "engine/base/error.h"
#include "engine/runtime/chain_runner.h"
#include "tests/engine/runtime/packed_batch.h"

namespace unmask {
namespace {

ModelConfig smallConfig() {
    ModelConfig config;
    config.layers = 4;
    config.width = 16;
    config.heads = 2;
    config.feedForwardWidth = 24;
    config.vocabularySize = 128;
    return config;
}

// What the stages of one pipeline have said to each other.
class Post {
 public:
    void put(const std::string& key, const at::Tensor& values) {
        const std::lock_guard lock(m_mutex);
        m_letters[key] = values.clone();
        m_changed.notify_all();
    }
    at::Tensor take(const std::string& key) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_letters.contains(key); });
        return m_letters.extract(key).mapped();
    }

 private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::map<std::string, at::Tensor> m_letters;
};

class PostLinks final : public StageLinks {
 public:
    PostLinks(Post& post, int64_t stage) : m_post(post), m_stage(stage) {}
    void send(const at::Tensor& values, int64_t to, int64_t tag) override { m_post.put(key(m_stage, to, tag), values); }
    void receive(const at::Tensor& values, int64_t from, int64_t tag) override {
        values.copy_(m_post.take(key(from, m_stage, tag)));
    }
    void finishSends() override {}
    void shareLast(const at::Tensor&) override {}

 private:
    static std::string key(int64_t from, int64_t to, int64_t tag) {
        return std::to_string(from) + " " + std::to_string(to) + " " + std::to_string(tag);
    }
    Post& m_post;
    int64_t m_stage;
};

TEST(StageWalk, HoldsAsManySetsAsTheScheduleNeeds) {
    const PipelineShape gpipe{PipelineSchedule::gpipe, 2, 8, 1};
    EXPECT_EQ(stageSets(gpipe, 0), 8);
    const PipelineShape oneByOne{PipelineSchedule::oneForwardOneBackward, 4, 8, 1};
    EXPECT_EQ(stageSets(oneByOne, 0), 4);
    EXPECT_EQ(stageSets(oneByOne, 3), 1);
    const PipelineShape uneven{PipelineSchedule::interleaved, 2, 3, 2};
    EXPECT_GE(stageSets(uneven, 0), 2) << "3 micro-batches count as 4";
}

std::map<std::string, at::Tensor> gradientsOf(const Transformer& model) {
    std::map<std::string, at::Tensor> gradients;
    for (const NamedParameter& parameter : model.namedParameters())
        gradients[parameter.name] = parameter.gradient;
    return gradients;
}

class StageSchedules : public testing::TestWithParam<PipelineSchedule> {};

// Five micro-batches, one of which scores nothing.
TEST_P(StageSchedules, GradientsAreThoseOfTheWholeChain) {
    at::manual_seed(31);
    std::vector<StageBatch> batches;
    for (const std::vector<int64_t>& rows : std::vector<std::vector<int64_t>>{{1, 4, 9}, {2}, {}, {0, 5, 20}, {7}}) {
        const reference::Batch batch = reference::packedBatch(rows);
        batches.push_back({batch.input, batch.targets, batch.weights});
    }
    const ModelStorage storage{.type = at::kDouble, .gradientType = at::kDouble};
    Transformer whole(smallConfig(), storage);
    whole.initialise(7);
    const SegmentLayout& layout = batches.front().input.segments;
    RunnerOptions options{.rows = layout.rows, .length = layout.length};
    ChainRunner runner(whole, options);
    double loss = 0;
    for (const StageBatch& batch : batches)
        if (batch.scores())
            loss += runner.forwardBackward(batch.input, batch.targets, batch.weights).loss;
    const auto expected = gradientsOf(whole);

    const bool cutUp = GetParam() == PipelineSchedule::interleaved;
    options.pipeline = PipelineShape{GetParam(), 2, 5, cutUp ? 2 : 1};
    Post post;
    const auto runStage = [&](int64_t stage) {
        ModelStorage own = storage;
        own.part = {
            .layers = cutUp ? std::vector<int64_t>{stage, stage + 2} : std::vector<int64_t>{2 * stage, 2 * stage + 1},
            .embedding = stage == 0,
            .head = stage == 1};
        Transformer model(smallConfig(), own);
        model.initialise(7);
        RunnerOptions ownOptions = options;
        ownOptions.stage = stage;
        ChainRunner ownRunner(model, ownOptions);
        PostLinks links(post, stage);
        ownRunner.linkStages(&links);
        double sum = 0;
        for (const StepLoss& each : ownRunner.forwardBackward(batches))
            sum += each.loss;
        EXPECT_NEAR(sum, stage == 1 ? loss : 0, 1e-12);
        for (const auto& [name, gradient] : gradientsOf(model))
            EXPECT_LT((gradient - expected.at(name)).abs().max().item<double>(), 1e-13) << name;
    };
    std::thread first([&] { runStage(0); });
    runStage(1);
    first.join();
}

INSTANTIATE_TEST_SUITE_P(All, StageSchedules,
                         testing::Values(PipelineSchedule::gpipe, PipelineSchedule::oneForwardOneBackward,
                                         PipelineSchedule::interleaved, PipelineSchedule::zeroBubble));

TEST(StageWalk, ALoneStageIsRefused) {
    ModelStorage storage{.type = at::kDouble, .gradientType = at::kDouble};
    storage.part = {.layers = {0, 1}, .head = false};
    Transformer model(smallConfig(), storage);
    ChainRunner runner(
        model, {.rows = 1, .length = 8, .pipeline = PipelineShape{PipelineSchedule::oneForwardOneBackward, 2, 1, 1}});
    EXPECT_THROW(runner.rowLosses({.tokens = at::zeros({8}, at::kInt),
                                   .segments = SegmentLayout::wholeRows(1, 8),
                                   .scoredRows = at::zeros({1}, at::kLong)},
                                  at::zeros({1}, at::kLong)),
                 Error);
}

}  // namespace
}  // namespace unmask
