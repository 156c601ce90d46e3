// SPDX-License-Identifier: Apache-2.0
// Whole trainings on a GPU beside the same on the CPU: equal data and masks, losses within stated tolerances, and a
// resume that carries over from one device to the other.
#include "engine/train/gpu_train_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/journal/event_reader.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

class GpuTrainingTest : public testing::Test {
 protected:
    void SetUp() override {
        if (const std::string problem = gpuProblem(); !problem.empty())
            GTEST_SKIP() << problem;
        test::writeTinyData(m_data.path());
    }
    static RunFolder emptyRun(const test::TempFolder& folder) {
        const RunFolder run{folder.path()};
        std::filesystem::create_directories(run.checkpoints());
        std::filesystem::create_directories(run.samples());
        return run;
    }
    RunSpec spec(DeviceChoice device, Precision precision) const {
        RunSpec spec = test::tinySpec();
        spec.training.device = device;
        spec.training.precision = precision;
        spec.training.steps = 40;
        return spec;
    }
    std::vector<double> losses(const RunFolder& folder) const {
        std::vector<double> all;
        EventReader reader(folder);
        for (auto lines = reader.readLines(); !lines.empty(); lines = reader.readLines())
            for (const auto& line : lines)
                if (auto record = decodeRecord(line.bytes); record.ok())
                    if (const auto* metrics = std::get_if<MetricsEvent>(&record.value().event))
                        if (const auto found = metrics->values.find("train/loss"); found != metrics->values.end())
                            all.push_back(found->second);
        return all;
    }
    std::vector<double> train(const RunSpec& spec) {
        const test::TempFolder folder;
        prepareDevice(spec);
        test::Training training(spec, emptyRun(folder), m_data.path());
        EXPECT_EQ(training.run().code, ErrorCode::finished);
        return losses(RunFolder{folder.path()});
    }
    static void expectNear(const std::vector<double>& have, const std::vector<double>& want, double tolerance) {
        ASSERT_EQ(have.size(), want.size());
        for (size_t i = 0; i < want.size(); ++i)
            EXPECT_NEAR(have[i], want[i], tolerance * want[i]) << "step " << i + 1;
    }
    test::TempFolder m_data;
};

TEST_F(GpuTrainingTest, FloatLossesAreTheCpus) {
    expectNear(train(spec(DeviceChoice::cuda, Precision::fp32)), train(spec(DeviceChoice::cpu, Precision::fp32)), 1e-4);
}

TEST_F(GpuTrainingTest, Bfloat16StaysNearFloat) {
    expectNear(train(spec(DeviceChoice::cuda, Precision::bf16)), train(spec(DeviceChoice::cpu, Precision::fp32)), 1e-2);
}

TEST_F(GpuTrainingTest, Fp8StaysNearFloat) {
    openGpu();
    if (!gpuMultipliesFp8())
        GTEST_SKIP() << "this GPU has no 8-bit products";
    expectNear(train(spec(DeviceChoice::cuda, Precision::fp8)), train(spec(DeviceChoice::cpu, Precision::fp32)), 3e-2);
    RunSpec same = spec(DeviceChoice::cuda, Precision::fp8);
    same.training.deterministic = true;
    EXPECT_EQ(train(same), train(same));
}

// The scale begins so high that the first updates overflow; they are held back without a fault, and the curve follows.
TEST_F(GpuTrainingTest, HalfFindsItsLossScale) {
    RunSpec half = spec(DeviceChoice::cuda, Precision::fp16);
    half.training.lossScale = 16777216;
    const std::vector<double> all = train(half);
    ASSERT_EQ(all.size(), 40u);
    const std::vector<double> want = train(spec(DeviceChoice::cpu, Precision::fp32));
    EXPECT_NEAR(all.front(), want.front(), 1e-2 * want.front());
    EXPECT_LT(all.back(), 0.8 * all.front());  // some updates fewer than the CPU made
    half.training.lossScale = 1024;
    expectNear(train(half), want, 1e-2);
}

TEST_F(GpuTrainingTest, SixteenBitStateStaysNear) {
    RunSpec compact = spec(DeviceChoice::cuda, Precision::bf16);
    compact.optimizer.statePrecision = StatePrecision::bf16;
    expectNear(train(compact), train(spec(DeviceChoice::cpu, Precision::fp32)), 2e-2);
}

// Every operation can be lifted to float; with all of them the curve is nearer to the CPU's than bf16 alone.
TEST_F(GpuTrainingTest, OperationsCanBeExact) {
    const std::vector<double> want = train(spec(DeviceChoice::cpu, Precision::fp32));
    for (const char* names : {"products", "attention", "norm", "activation", "rotary", "head",
                              "products, attention, norm, activation, rotary, head"}) {
        RunSpec exact = spec(DeviceChoice::cuda, Precision::bf16);
        exact.training.exactOps = names;
        SCOPED_TRACE(names);
        expectNear(train(exact), want, 1e-2);
    }
}

TEST_F(GpuTrainingTest, MicroBatchesAddUpToTheBatch) {
    RunSpec parts = spec(DeviceChoice::cuda, Precision::fp32);
    parts.parallel.microBatchSize = 2;
    expectNear(train(parts), train(spec(DeviceChoice::cuda, Precision::fp32)), 1e-4);
}

TEST_F(GpuTrainingTest, DeterministicRunsRepeatBitForBit) {
    RunSpec same = spec(DeviceChoice::cuda, Precision::bf16);
    same.training.deterministic = true;
    EXPECT_EQ(train(same), train(same));
}

// A passing fault costs one update; the weights stay finite and the run goes on.
TEST_F(GpuTrainingTest, NonFiniteLossIsHeldBack) {
    const test::TempFolder folder;
    const RunSpec bf16 = spec(DeviceChoice::cuda, Precision::bf16);
    prepareDevice(bf16);
    test::Training training(bf16, emptyRun(folder), m_data.path(), [](int64_t k, test::Training& run) {
        if (k == 5)
            run.breakNextBatch();
    });
    EXPECT_EQ(training.run().code, ErrorCode::finished);
    const std::vector<double> all = losses(RunFolder{folder.path()});
    ASSERT_EQ(all.size(), 40u);
    EXPECT_TRUE(std::isnan(all[5]));
    EXPECT_TRUE(std::isfinite(all[6]));
    EXPECT_LT(all.back(), all.front());
    EXPECT_EQ(training.objects().optimizer->updates(), 39);
}

// Trained on one device up to a checkpoint, and on by the other: the curve goes on where it was.
TEST_F(GpuTrainingTest, CheckpointsChangeTheDevice) {
    for (const auto& [first, second] :
         {std::pair{DeviceChoice::cuda, DeviceChoice::cpu}, std::pair{DeviceChoice::cpu, DeviceChoice::cuda}}) {
        const test::TempFolder folder;
        RunSpec half = spec(first, Precision::fp32);
        half.training.steps = 20;
        half.optimizer.schedule = RateSchedule::constant;
        half.optimizer.warmupFraction = 0;
        RunSpec whole = half;
        whole.training.steps = 40;
        whole.training.device = DeviceChoice::cpu;
        const std::vector<double> want = train(whole);
        prepareDevice(half);
        {
            test::Training training(half, emptyRun(folder), m_data.path());
            EXPECT_EQ(training.run().code, ErrorCode::finished);
        }
        RunSpec rest = whole;
        rest.training.device = second;
        prepareDevice(rest);
        {
            test::Training training(rest, RunFolder{folder.path()}, m_data.path(), {}, true);
            EXPECT_EQ(training.run().code, ErrorCode::finished);
        }
        expectNear(losses(RunFolder{folder.path()}), want, 1e-4);
    }
}

}  // namespace
}  // namespace unmask
