// SPDX-License-Identifier: Apache-2.0
#include "kernels/adamw/adamw.h"

#include <memory>

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {

class Scalars : public Buffer {
 public:
    explicit Scalars(UpdateScalars value) : Buffer(sizeof value) {
        std::memcpy(host(), &value, sizeof value);
        upload();
    }
    UpdateScalars now() {
        UpdateScalars value;
        const auto bytes = download();
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
};

enum class Memory { host, device };

// A slab's buffers with a view on either side.
struct SlabBuffers {
    Values weights, master, gradients, m, v;
    int64_t count;
    bool hasMaster;

    SlabBuffers(int64_t n, DType type, DType gradientType, DType momentType, bool withMaster, unsigned seed)
        : weights(n, type, seed),
          master(n, DType::float32, seed),
          gradients(n, gradientType, seed + 1),
          m(n, momentType, seed + 2, 0.1),
          v(n, momentType, seed + 3, 0.1),
          count(n),
          hasMaster(withMaster) {
        for (int64_t i = 0; i < n; ++i)
            setValue(v.host(), i, momentType, std::abs(valueAt(v.host(), i, momentType)));
        v.upload();
    }
    AdamWSlab view(Memory memory) {
        const auto at = [&](Buffer& b) { return memory == Memory::device ? b.device() : b.host(); };
        return {
            at(weights),      hasMaster ? static_cast<float*>(at(master)) : nullptr, at(gradients), at(m), at(v), count,
            count / 2 / 8 * 8};
    }
};

struct Kind {
    DType weights, gradients, moments;
    bool master;
};
constexpr DType kFloat = DType::float32, kHalf = DType::bfloat16;
constexpr Kind kKinds[] = {
    {kFloat, kFloat, kFloat, false}, {kHalf, kHalf, kFloat, true},  {kHalf, kFloat, kFloat, true},
    {kHalf, kHalf, kHalf, true},     {kHalf, kHalf, kHalf, false},  {kHalf, kFloat, kHalf, false},
    {kFloat, kHalf, kHalf, false},   {kHalf, kHalf, kFloat, false}, {DType::float16, DType::float16, kFloat, true}};

AdamWArgs argsOf(const Kind& kind, const std::vector<AdamWSlab>& slabs, const UpdateScalars* scalars) {
    return {.slabs = slabs.data(),
            .slabCount = static_cast<int>(slabs.size()),
            .scalars = scalars,
            .beta1 = 0.9f,
            .beta2 = 0.95f,
            .epsilon = 1e-8f,
            .weightDecay = 0.1f,
            .dtype = kind.weights,
            .gradientDtype = kind.gradients,
            .momentDtype = kind.moments,
            .seed = 0x123456789ABCDEF0u,
            .tag = 9};
}

}  // namespace

// Many slabs of odd sizes, more than one launch holds, in every mixture of types.
TEST(AdamW, MatchesTheReferenceAndHoldsBackWhenToldSo) {
    SKIP_WITHOUT_GPU();
    for (const Kind& kind : kKinds)
        for (const int finite : {1, 0}) {
            SCOPED_TRACE(nameOf(kind.weights) + " " + nameOf(kind.gradients) + " " + nameOf(kind.moments));
            std::vector<std::unique_ptr<SlabBuffers>> buffers;
            for (int i = 0; i < 60; ++i)
                buffers.push_back(std::make_unique<SlabBuffers>(i == 7 ? 100000 : i % 5 * 1000 + 8, kind.weights,
                                                                kind.gradients, kind.moments, kind.master, 10u * i));
            Scalars scalars({.learningRate = 3e-4f,
                             .biasCorrection1 = 1 - 0.9f,
                             .biasCorrection2 = 1 - 0.95f,
                             .update = 12,
                             .norm = 2.0,
                             .gradientFactor = 0.5f,
                             .finite = finite});
            std::vector<AdamWSlab> device, host;
            for (auto& each : buffers) {
                device.push_back(each->view(Memory::device));
                host.push_back(each->view(Memory::host));
            }
            succeeded(adamw(argsOf(kind, device, scalars.device<UpdateScalars>()), nullptr));
            ASSERT_TRUE(adamwReference(argsOf(kind, host, scalars.host<UpdateScalars>())).ok());
            for (auto& each : buffers) {
                each->weights.compare("weights", roundingOf(kind.weights), 1e-7);
                each->master.compare("master", 2e-6, 1e-7);
                each->m.compare("m", kind.moments == kHalf ? roundingOf(kHalf) : 1e-5, 1e-7);
                each->v.compare("v", kind.moments == kHalf ? roundingOf(kHalf) : 1e-5, 1e-8);
            }
        }
}

// Weights without a master copy move by far less than half a step of bf16. On the average they must still move right.
TEST(AdamW, StochasticRoundingLosesNothingOnAverage) {
    SKIP_WITHOUT_GPU();
    constexpr int64_t kCount = 1 << 16;
    constexpr int kSteps = 64;
    const Kind kind{kHalf, kHalf, kFloat, false};
    SlabBuffers buffers(kCount, kHalf, kHalf, kFloat, false, 1);
    buffers.weights.fill(1.0), buffers.gradients.fill(1.0), buffers.m.fill(1.0), buffers.v.fill(1.0);
    const std::vector<AdamWSlab> slabs{buffers.view(Memory::device)};
    for (int step = 1; step <= kSteps; ++step) {
        Scalars scalars({.learningRate = 1e-5f,
                         .biasCorrection1 = 1,
                         .biasCorrection2 = 1,
                         .update = step,
                         .norm = 1,
                         .gradientFactor = 1,
                         .finite = 1});
        AdamWArgs args = argsOf(kind, slabs, scalars.device<UpdateScalars>());
        args.weightDecay = 0;
        succeeded(adamw(args, nullptr));
    }
    const auto bits = buffers.weights.download();
    double sum = 0;
    int64_t moved = 0;
    for (int64_t i = 0; i < kCount; ++i) {
        const double w = valueAt(bits.data(), i, kHalf);
        sum += w;
        moved += w != 1.0 ? 1 : 0;
    }
    // Each step is 1e-5, a spacing of bf16 just below 1 is 2^-8: 2^16 weights leave a deviation of 6e-6.
    EXPECT_NEAR(1 - sum / kCount, kSteps * 1e-5, 4e-5);
    EXPECT_GT(moved, kCount / 10);
}

TEST(GradientNorm, ADynamicScaleFollowsTheGradients) {
    SKIP_WITHOUT_GPU();
    Values gradients(64, DType::float16, 1);
    const NormSlab device{gradients.device(), 64}, host{gradients.host(), 64};
    Buffer partials(sizeof(double) * static_cast<size_t>(normPartials(1)));
    const auto run = [&](UpdateScalars before) {
        Scalars scalars(before);
        NormArgs args{&device,       1, partials.device<double>(), nullptr, 0, scalars.device<UpdateScalars>(),
                      DType::float16};
        succeeded(gradientNorm(args, nullptr));
        args.slabs = &host, args.scalars = scalars.host<UpdateScalars>();
        EXPECT_TRUE(gradientNormReference(args).ok());
        EXPECT_EQ(scalars.now().gradientScale, scalars.host<UpdateScalars>()->gradientScale);
        EXPECT_EQ(scalars.now().goodUpdates, scalars.host<UpdateScalars>()->goodUpdates);
        return scalars.now();
    };
    EXPECT_EQ(run({.dynamicScale = 1, .gradientScale = 8, .goodUpdates = 5}).goodUpdates, 6);
    EXPECT_EQ(run({.dynamicScale = 1, .gradientScale = 8, .goodUpdates = kGoodUpdates - 1}).gradientScale, 16);
    EXPECT_EQ(run({.dynamicScale = 0, .gradientScale = 8, .goodUpdates = kGoodUpdates - 1}).gradientScale, 8);
    setValue(gradients.host(), 9, DType::float16, INFINITY);
    gradients.upload();
    EXPECT_EQ(run({.dynamicScale = 1, .gradientScale = 8, .goodUpdates = 5}).gradientScale, 4);
    EXPECT_EQ(run({.dynamicScale = 1, .gradientScale = 1, .goodUpdates = 5}).gradientScale, 1);
    EXPECT_EQ(run({.dynamicScale = 0, .gradientScale = 8}).gradientScale, 8);
}

TEST(AdamW, RefusesWhatItCannotDo) {
    float one = 0;
    const AdamWSlab odd{.count = 7}, own{.count = 8}, copied{.master = &one, .count = 8};
    EXPECT_FALSE(adamw(argsOf(kKinds[0], {odd}, nullptr), nullptr).ok());
    EXPECT_FALSE(adamw(argsOf(kKinds[0], {copied}, nullptr), nullptr).ok());
    EXPECT_FALSE(adamw(argsOf(kKinds[1], {copied, own}, nullptr), nullptr).ok());
}

TEST(GradientNorm, SumsAllSlabsAndSeesWhatIsNotFinite) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kAllTypes) {
        std::vector<std::unique_ptr<Values>> gradients;
        std::vector<NormSlab> device, host;
        for (int i = 0; i < 61; ++i) {
            const int64_t count = i == 3 ? 1000000 : 8 + i % 7 * 808;
            gradients.push_back(std::make_unique<Values>(count, type, static_cast<unsigned>(i)));
            device.push_back({gradients.back()->device(), count});
            host.push_back({gradients.back()->host(), count});
        }
        Buffer partials(sizeof(double) * static_cast<size_t>(normPartials(61)));
        Buffer loss(sizeof(double));
        const auto run = [&](float clip, float scale, double lossValue) {
            Scalars scalars({.gradientScale = scale});
            *loss.host<double>() = lossValue;
            loss.upload();
            NormArgs args{device.data(),
                          61,
                          partials.device<double>(),
                          loss.device<double>(),
                          clip,
                          scalars.device<UpdateScalars>(),
                          type};
            succeeded(gradientNorm(args, nullptr));
            partials.download();
            args.slabs = host.data(), args.scalars = scalars.host<UpdateScalars>(), args.loss = loss.host<double>();
            EXPECT_TRUE(gradientNormReference(args).ok());
            const UpdateScalars got = scalars.now(), wanted = *scalars.host<UpdateScalars>();
            EXPECT_EQ(got.finite, wanted.finite);
            if (std::isfinite(wanted.norm)) {
                EXPECT_NEAR(got.norm, wanted.norm, 1e-5 * wanted.norm);
                EXPECT_NEAR(got.gradientFactor, wanted.gradientFactor, 1e-5 * wanted.gradientFactor);
            }
            return got;
        };
        EXPECT_LT(run(1.0f, 1.0f, 3).gradientFactor, 0.01f);
        EXPECT_EQ(run(0.0f, 1.0f, 3).gradientFactor, 1.0f);
        EXPECT_EQ(run(0.0f, 4.0f, 3).gradientFactor, 0.25f);
        EXPECT_EQ(run(1.0f, 1024.0f, 3).finite, 1);
        EXPECT_EQ(run(1.0f, 1.0f, NAN).finite, 0);
        setValue(gradients[60]->host(), 5, type, NAN);
        gradients[60]->upload();
        EXPECT_EQ(run(1.0f, 1.0f, 3).finite, 0);
    }
}
