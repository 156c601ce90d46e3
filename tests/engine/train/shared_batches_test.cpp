// SPDX-License-Identifier: Apache-2.0
// Copies of a model that share each batch must learn what one device learns: losses, gradient norms, validation,
// weights and moments, for every stage of sharing, and through checkpoints from any number of copies to any other.
#include <ATen/ops/abs.h>
#include <ATen/ops/max.h>
#include <ATen/ops/sub.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "engine/train/assemble_run.h"
#include "engine/train/train_step.h"
#include "tests/engine/parallel/rank_threads.h"
#include "tests/golden/training_harness.h"

namespace unmask::test {
namespace {

constexpr int64_t kSteps = 5;

struct Layout {
    int64_t copies = 1;
    int64_t zeroStage = 0;
    int64_t microRows = 0;
    Checkpointing recomputation = Checkpointing::none;
};

struct Course {
    std::vector<double> losses, norms, figures;
    double validation = 0;
    std::map<std::string, at::Tensor> state;  // weights and moments, whole
    int64_t updates = 0;
    LoadedCheckpoint saved() const {
        LoadedCheckpoint checkpoint;
        for (const auto& [name, tensor] : state)
            (name.starts_with("adam") ? checkpoint.optimizer : checkpoint.weights).push_back({name, tensor});
        return checkpoint;
    }
};

class SharedBatchesTest : public testing::Test {
 protected:
    SharedBatchesTest() {
        m_spec = tinySpec();
        m_spec.model.layers = 3;
        m_spec.training.precision = Precision::fp64;
        m_spec.training.batchSize = 16;
        m_spec.data.files = {writeTinyData(m_data.path()).string()};
        m_imported = importData(m_spec, {}, {.storesFolder = m_data.path() / "stores"});
    }

    RunSpec specOf(const Layout& layout) const {
        RunSpec spec = m_spec;
        spec.parallel.dataParallelSize = layout.copies;
        spec.parallel.zeroStage = layout.zeroStage;
        spec.parallel.microBatchSize = layout.microRows;
        spec.parallel.activationCheckpointing = layout.recomputation;
        return spec;
    }

    // Trains steps [from, from + kSteps); the leading rank's view.
    Course train(const Layout& layout, int64_t from = 0, const Course* before = nullptr) {
        if (layout.copies == 1)
            return trainRank(specOf(layout), nullptr, from, before);
        Course leading;
        const auto failures = onRankThreads(static_cast<int>(layout.copies), [&](int rank, const MeetingPlace& place) {
            const RunSpec spec = specOf(layout);
            RankTeam team({place, static_cast<int>(layout.copies), rank}, spec.parallel, 60, "test");
            Course course = trainRank(spec, &team, from, before);
            team.gatherHere();
            if (rank == 0)
                leading = std::move(course);
        });
        EXPECT_EQ(failures, std::vector<std::string>(failures.size()));
        return leading;
    }

    Course trainRank(const RunSpec& spec, RankTeam* team, int64_t from, const Course* before) const {
        const auto run = assembleRun(spec, m_imported, team);
        if (before) {
            restoreInto(*run, before->saved());
            run->optimizer->setUpdates(before->updates);
        } else {
            initialise(*run);
        }
        HostTrainStep step({*run->objective, *run->model, *run->runner, *run->optimizer, run->replicas.get()});
        Course course;
        for (int64_t k = from; k < from + kSteps; ++k) {
            step.queue(loadBatch(*run->data.training, k, spec.effectiveMicroBatch(), run->tokenizer->padding(),
                                 rowShare(team)),
                       spec.optimizer, 3e-3);
            const StepFigures figures = step.finished(true).at(0).figures;
            course.losses.push_back(figures.loss);
            course.norms.push_back(figures.gradNorm);
            course.figures.push_back(static_cast<double>(figures.masked + 7 * figures.scored) +
                                     figures.crossEntropySum);
        }
        course.validation = run->validationBound->run(*run->runner).nats;
        const TrainingStateView state = stateOf(*run);
        for (const auto* part : {&state.weights, &state.optimizer})
            for (const NamedTensor& each : *part)
                course.state[each.name] = each.tensor.clone();
        course.updates = run->optimizer->updates();
        return course;
    }

    static void expectEqual(const Course& one, const Course& other, double tolerance, const std::string& what) {
        const auto near = [&](const std::vector<double>& a, const std::vector<double>& b, const char* name) {
            ASSERT_EQ(a.size(), b.size());
            for (size_t i = 0; i < a.size(); ++i)
                EXPECT_NEAR(b[i] / a[i], 1, tolerance) << what << ": " << name << " of step " << i;
        };
        near(one.losses, other.losses, "loss");
        near(one.norms, other.norms, "gradient norm");
        near(one.figures, other.figures, "figures");
        EXPECT_NEAR(other.validation / one.validation, 1, tolerance) << what;
        ASSERT_EQ(one.state.size(), other.state.size()) << what;
        for (const auto& [name, tensor] : one.state) {
            const auto found = other.state.find(name);
            ASSERT_NE(found, other.state.end()) << what << ": " << name;
            const double size = tensor.abs().max().item<double>();
            EXPECT_LE(at::sub(found->second, tensor).abs().max().item<double>(), size * tolerance * 1e3 + 1e-300)
                << what << ": " << name;
        }
    }

    TempFolder m_data;
    RunSpec m_spec;
    ImportedData m_imported;
};

std::string wordsOf(const Layout& layout) {
    return std::to_string(layout.copies) + " copies, ZeRO " + std::to_string(layout.zeroStage) + ", micro-batches of " +
           std::to_string(layout.microRows);
}

TEST_F(SharedBatchesTest, EveryStageAndNumberOfCopiesLearnsWhatOneDeviceLearns) {
    const Course alone = train({});
    for (const int64_t copies : {2, 4, 8})
        for (const int64_t stage : {0, 1, 2, 3})
            expectEqual(alone, train({copies, stage}), 1e-12, wordsOf({copies, stage}));
}

// 3 copies of a batch of 16 rows: shares of 6, 6 and 4 rows.
TEST_F(SharedBatchesTest, SharesMayBeUneven) {
    const Course alone = train({});
    for (const int64_t stage : {0, 3})
        expectEqual(alone, train({3, stage, 4}), 1e-12, wordsOf({3, stage, 4}));
}

TEST_F(SharedBatchesTest, MicroBatchesAndRecomputationChangeNothing) {
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({2, stage, 2, Checkpointing::full}), 1e-12, wordsOf({2, stage, 2}));
    expectEqual(alone, train({4, 2, 1, Checkpointing::selective}), 1e-12, wordsOf({4, 2, 1}));
}

TEST_F(SharedBatchesTest, FloatsAgreeToFiveDigits) {
    m_spec.training.precision = Precision::fp32;
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({4, stage}), 1e-5, wordsOf({4, stage}));
}

TEST_F(SharedBatchesTest, ATiedHeadSharesItsMatrixWithTheEmbedding) {
    m_spec.model.tiedHead = true;
    const Course alone = train({});
    for (const int64_t stage : {0, 1, 2, 3})
        expectEqual(alone, train({2, stage}), 1e-12, wordsOf({2, stage}));
}

TEST_F(SharedBatchesTest, AStateGoesOnInAnyOtherLayout) {
    const Course first = train({});
    const Course whole = train({}, kSteps, &first);
    const std::vector<Layout> layouts{{1, 0}, {2, 0}, {2, 1}, {4, 2}, {8, 3}};
    for (const Layout& from : layouts) {
        const Course begun = train(from);
        for (const Layout& to : layouts)
            expectEqual(whole, train(to, kSteps, &begun), 1e-11, wordsOf(from) + " to " + wordsOf(to));
    }
}

TEST_F(SharedBatchesTest, EachCopyKeepsItsPartOfTheOptimizersState) {
    RunSpec spec = specOf({4, 1});
    std::mutex mutex;
    int64_t held = 0, slabs = 0;
    const auto failures = onRankThreads(4, [&](int rank, const MeetingPlace& place) {
        RankTeam team({place, 4, rank}, spec.parallel, 60, "test");
        const auto run = assembleRun(spec, m_imported, &team);
        const std::lock_guard lock(mutex);
        for (const at::Tensor& m : run->optimizer->states().front().slabs)
            held += m.numel();
        slabs = 0;
        for (const Slab& slab : run->model->slabs())
            slabs += slab.values.numel();
    });
    EXPECT_EQ(failures, std::vector<std::string>(4));
    EXPECT_EQ(held, slabs) << "all parts together are the state, once";
}

}  // namespace
}  // namespace unmask::test
