// SPDX-License-Identifier: Apache-2.0
// The bytes that a rank's tensors really take at their peak, counted where they are allocated, against the plan of the
// layout: every stage of sharing, number of copies and recomputation within a tenth.
#include <ATen/Parallel.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "engine/planner/layout_memory.h"
#include "engine/planner/layout_rules.h"
#include "engine/train/assemble_run.h"
#include "engine/train/train_step.h"
#include "tests/engine/parallel/rank_threads.h"
#include "tests/golden/training_harness.h"

namespace unmask::test {
namespace {

// What a rank holds, and held at most.
class CountedBytes {
 public:
    void add(int64_t bytes) {
        const int64_t now = m_now.fetch_add(bytes) + bytes;
        int64_t most = m_most.load();
        while (now > most && !m_most.compare_exchange_weak(most, now)) {
        }
    }
    int64_t most() const { return m_most; }

 private:
    std::atomic<int64_t> m_now{0};
    std::atomic<int64_t> m_most{0};
};

// Goes with a thread's work to the threads that do a part of it.
struct Watched final : c10::DebugInfoBase {
    explicit Watched(std::shared_ptr<CountedBytes> bytes) : counter(std::move(bytes)) {}
    std::shared_ptr<CountedBytes> counter;
};

// Lays what is allocated to the rank whose thread asks, or for which Gloo's thread asks, and takes it off again
// whoever frees it.
class CountingAllocator final : public c10::Allocator {
 public:
    c10::DataPtr allocate(size_t bytes) override {
        c10::DataPtr memory = m_plain->allocate(bytes);
        auto* const watched = static_cast<Watched*>(c10::ThreadLocalDebugInfo::get(c10::DebugInfoKind::TEST_INFO));
        if (!watched)
            return memory;
        const std::shared_ptr<CountedBytes> counter = watched->counter;
        counter->add(static_cast<int64_t>(bytes));
        void* const place = memory.get();
        auto* const held = new Held{std::move(memory), counter, static_cast<int64_t>(bytes)};
        return {place, held, &release, c10::DeviceType::CPU};
    }
    void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
    struct Held {
        c10::DataPtr memory;
        std::shared_ptr<CountedBytes> counter;
        int64_t bytes;
    };
    static void release(void* context) {
        const std::unique_ptr<Held> held(static_cast<Held*>(context));
        held->counter->add(-held->bytes);
    }

    c10::Allocator* const m_plain = c10::GetDefaultCPUAllocator();
};

class RankMemoryTest : public testing::Test {
 protected:
    RankMemoryTest() {
        static CountingAllocator allocator;
        c10::SetCPUAllocator(&allocator, 100);  // stays: whoever is not watched is not counted
        m_spec = tinySpec();
        m_spec.model.layers = 6;
        m_spec.model.width = 64;
        m_spec.model.heads = 4;
        m_spec.model.feedForwardWidth = 192;
        m_spec.training.batchSize = 16;
        m_spec.training.threads = 1;
        m_spec.data.files = {writeTinyData(m_data.path()).string()};
        m_imported = importData(m_spec, {}, {.storesFolder = m_data.path() / "stores"});
    }

    int64_t planned() const {
        const MemoryBytes memory = planMemory(m_spec, {.threads = 1});
        return memory.total() - memory.overhead;
    }

    // Of the rank that took most, over two steps.
    int64_t counted() const {
        const auto copies = static_cast<int>(m_spec.parallel.dataParallelSize);
        if (copies == 1)
            return countedRank(nullptr);
        std::mutex mutex;
        int64_t most = 0;
        const auto failures = onRankThreads(copies, [&](int rank, const MeetingPlace& place) {
            RankTeam team({place, copies, rank}, m_spec.parallel, 60, "test");
            const int64_t bytes = countedRank(&team);
            team.gatherHere();
            const std::lock_guard lock(mutex);
            most = std::max(most, bytes);
        });
        EXPECT_EQ(failures, std::vector<std::string>(failures.size()));
        return most;
    }

    int64_t countedRank(RankTeam* team) const {
        at::set_num_threads(1);
        const auto counter = std::make_shared<CountedBytes>();
        const c10::DebugInfoGuard watched(c10::DebugInfoKind::TEST_INFO, std::make_shared<Watched>(counter));
        const auto run = assembleRun(m_spec, m_imported, team);
        initialise(*run);
        HostTrainStep step({*run->objective, *run->model, *run->runner, *run->optimizer, run->replicas.get()});
        for (int64_t k = 0; k < 2; ++k) {
            step.queue(loadBatch(*run->data.training, k, m_spec.effectiveMicroBatch(), run->tokenizer->padding(),
                                 rowShare(team)),
                       m_spec.optimizer, 1e-3);
            EXPECT_TRUE(step.finished(true).at(0).applied);
        }
        return counter->most();
    }

    void expectPlanned() {
        const auto wanted = static_cast<double>(planned());
        const auto taken = static_cast<double>(counted());
        const std::string words =
            layoutWords(m_spec.parallel).en + ", micro-batches of " + std::to_string(m_spec.effectiveMicroBatch());
        EXPECT_NEAR(taken / wanted, 1, 0.1) << words << ": planned " << wanted << ", counted " << taken;
        RecordProperty(words, std::to_string(taken / wanted));
        if (std::getenv("UNMASK_SHOW_MEMORY"))
            std::cout << words << ": planned " << wanted << ", counted " << taken << ", ratio " << taken / wanted
                      << "\n";
    }

    TempFolder m_data;
    RunSpec m_spec;
    ImportedData m_imported;
};

TEST_F(RankMemoryTest, IsWithinATenthOfThePlanForEveryLayout) {
    for (const int64_t copies : {1, 2, 4, 8})
        for (const int64_t stage : {0, 1, 2, 3})
            for (const Checkpointing recomputation :
                 {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
                if (copies == 1 && stage > 0)
                    continue;
                m_spec.parallel.dataParallelSize = copies;
                m_spec.parallel.zeroStage = stage;
                m_spec.parallel.activationCheckpointing = recomputation;
                expectPlanned();
            }
}

TEST_F(RankMemoryTest, MicroBatchesAndTiedHeadsToo) {
    m_spec.parallel.dataParallelSize = 2;
    m_spec.parallel.microBatchSize = 2;
    m_spec.model.tiedHead = true;
    for (const int64_t stage : {0, 1, 2, 3}) {
        m_spec.parallel.zeroStage = stage;
        expectPlanned();
    }
}

TEST_F(RankMemoryTest, DoublesAreCountedAsDoubles) {
    m_spec.training.precision = Precision::fp64;
    m_spec.parallel.dataParallelSize = 4;
    m_spec.parallel.zeroStage = 3;
    expectPlanned();
}

}  // namespace
}  // namespace unmask::test
