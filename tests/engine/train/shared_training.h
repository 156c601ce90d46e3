// SPDX-License-Identifier: Apache-2.0
// A training by several ranks as threads of the test's process, in any layout, and what must be equal between two:
// losses, gradient norms, validation, weights and moments.
#pragma once

#include <ATen/ops/abs.h>
#include <ATen/ops/max.h>
#include <ATen/ops/sub.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/train/assemble_run.h"
#include "engine/train/train_step.h"
#include "engine/train/whole_state.h"
#include "tests/engine/parallel/rank_threads.h"
#include "tests/golden/training_harness.h"

namespace unmask::test {

constexpr int64_t kSteps = 5;

struct Layout {
    int64_t copies = 1;
    int64_t zeroStage = 0;
    int64_t microRows = 0;
    Checkpointing recomputation = Checkpointing::none;
    int64_t tensorParts = 1;
    int64_t stages = 1;
    PipelineSchedule schedule = PipelineSchedule::oneForwardOneBackward;
    int64_t chunks = 1;

    int64_t ranks() const { return copies * tensorParts * stages; }
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

class SharedTraining : public testing::Test {
 protected:
    SharedTraining() {
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
        spec.parallel.tensorParallelSize = layout.tensorParts;
        spec.parallel.pipelineStages = layout.stages;
        spec.parallel.schedule = layout.schedule;
        spec.parallel.virtualStages = layout.chunks;
        spec.parallel.microBatchSize = layout.microRows;
        spec.parallel.activationCheckpointing = layout.recomputation;
        return spec;
    }

    // Trains steps [from, from + kSteps); the leading rank's view.
    Course train(const Layout& layout, int64_t from = 0, const Course* before = nullptr) {
        if (layout.ranks() == 1)
            return trainRank(specOf(layout), nullptr, from, before);
        Course leading;
        const int ranks = static_cast<int>(layout.ranks());
        const auto failures = onRankThreads(ranks, [&](int rank, const MeetingPlace& place) {
            const RunSpec spec = specOf(layout);
            RankTeam team({place, ranks, rank}, spec.parallel, 60, "test");
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
        HostTrainStep step({*run->objective, *run->model, *run->runner, *run->optimizer, run->replicas.get(),
                            run->sharers.get(), run->stages.get()});
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

inline std::string wordsOf(const Layout& layout) {
    return std::to_string(layout.copies) + " copies, ZeRO " + std::to_string(layout.zeroStage) + ", micro-batches of " +
           std::to_string(layout.microRows) + ", " + std::to_string(layout.tensorParts) + " devices a layer, " +
           std::to_string(layout.stages) + " stages of " + std::to_string(layout.chunks) + " by " +
           std::string(wordOf(layout.schedule));
}

}  // namespace unmask::test
