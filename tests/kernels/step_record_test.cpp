// SPDX-License-Identifier: Apache-2.0
#include "kernels/step_record/step_record.h"

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {
class Doubles : public Buffer {
 public:
    explicit Doubles(std::vector<double> values) : Buffer(values.size() * sizeof(double)) {
        std::memcpy(host(), values.data(), values.size() * sizeof(double));
        upload();
    }
};
}  // namespace

TEST(StepRecord, AddsTheLossesOfUsedRowsAlone) {
    SKIP_WITHOUT_GPU();
    for (const int64_t rows : {1, 31, 1024, 34081}) {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> uniform(0, 1);
        std::vector<double> losses, weights;
        for (int64_t i = 0; i < rows; ++i) {
            weights.push_back(i % 3 == 1 ? 0 : uniform(random));
            losses.push_back(i % 3 == 1 ? NAN : 10 * uniform(random));  // an unused row may hold anything
        }
        Doubles lossBuffer(losses), weightBuffer(weights), sums({0.5, 7});
        const auto args = [&](auto&& at) { return StepLossArgs{at(lossBuffer), at(weightBuffer), at(sums), rows}; };
        succeeded(addStepLosses(args([](Buffer& b) { return b.device<double>(); }), nullptr));
        ASSERT_TRUE(addStepLossesReference(args([](Buffer& b) { return b.host<double>(); })).ok());
        const auto bytes = sums.download();
        double got[2];
        std::memcpy(got, bytes.data(), sizeof got);
        for (int i = 0; i < 2; ++i)
            EXPECT_NEAR(got[i], sums.host<double>()[i], 1e-12 * std::abs(sums.host<double>()[i])) << rows;
    }
}

TEST(StepRecord, ALossThatIsNotFiniteIsSeen) {
    SKIP_WITHOUT_GPU();
    Doubles losses({1, NAN, 2}), weights({0.5, 0.5, 0.5}), sums({0, 0});
    succeeded(addStepLosses({losses.device<double>(), weights.device<double>(), sums.device<double>(), 3}, nullptr));
    double got;
    std::memcpy(&got, sums.download().data(), sizeof got);
    EXPECT_TRUE(std::isnan(got));
}

TEST(StepRecord, TheRingIsFilledInTurn) {
    SKIP_WITHOUT_GPU();
    constexpr int64_t kEntries = 3;
    Buffer ring(sizeof(StepFigures) * kEntries), counter(sizeof(int64_t)), scalars(sizeof(UpdateScalars));
    Doubles sums({0, 0});
    *counter.host<int64_t>() = 0;
    counter.upload(), ring.upload();
    for (int step = 0; step < 5; ++step) {
        *scalars.host<UpdateScalars>() = {.norm = 10.0 + step, .finite = step != 4 ? 1 : 0};
        sums.host<double>()[0] = 1.0 + step, sums.host<double>()[1] = 100.0 + step;
        scalars.upload(), sums.upload();
        succeeded(closeStep({scalars.device<UpdateScalars>(), sums.device<double>(), ring.device<StepFigures>(),
                             counter.device<int64_t>(), kEntries},
                            nullptr));
        ASSERT_TRUE(closeStepReference({scalars.host<UpdateScalars>(), sums.host<double>(), ring.host<StepFigures>(),
                                        counter.host<int64_t>(), kEntries})
                        .ok());
        EXPECT_EQ(std::memcmp(sums.download().data(), sums.host(), 2 * sizeof(double)), 0);
    }
    EXPECT_EQ(std::memcmp(ring.download().data(), ring.host(), sizeof(StepFigures) * kEntries), 0);
    EXPECT_EQ(std::memcmp(counter.download().data(), counter.host(), sizeof(int64_t)), 0);
    EXPECT_EQ(ring.host<StepFigures>()[1].applied, 0);  // step 4 lies over step 1
    EXPECT_EQ(ring.host<StepFigures>()[0].loss, 4.0);
}

TEST(StepRecord, RefusesARingWithoutEntries) {
    EXPECT_FALSE(closeStep({}, nullptr).ok());
    EXPECT_FALSE(addStepLosses({.rows = -1}, nullptr).ok());
}
