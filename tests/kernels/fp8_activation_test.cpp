// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp8_quantise/fp8_activation.h"

#include "kernels/activation/activation.h"
#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {

struct Shape {
    int64_t rows;
    int F;
};
constexpr Shape kShapes[] = {{16, 16}, {128, 64}, {144, 208}, {1024, 1408}};

// One direction of one activation: inner, its product's gradient and the codes of what comes of them.
struct Sides {
    Shape shape;
    DType type;
    bool gated, back;
    int columns;
    Values inner, gradient;
    Buffer row, transposed, scale;

    Sides(const Shape& given, DType of, bool isGated, bool isBack)
        : shape(given),
          type(of),
          gated(isGated),
          back(isBack),
          columns(back && gated ? 2 * given.F : given.F),
          inner(given.rows * given.F * (gated ? 2 : 1), of, 5, 3),
          gradient(given.rows * given.F, of, 6),
          row(static_cast<size_t>(given.rows * columns)),
          transposed(static_cast<size_t>(given.rows * columns)),
          scale(sizeof(Fp8Scale)) {
        *scale.host<Fp8Scale>() = {.dequantise = 0, .amax = 1.3f, .seen = 0.5f, .unused = 0};
        scale.upload();
    }
    Fp8ActivationArgs args(bool device) {
        return {.inner = device ? inner.device() : inner.host(),
                .gradientProduct = device ? gradient.device() : gradient.host(),
                .row = device ? row.device<uint8_t>() : row.host<uint8_t>(),
                .transposed = device ? transposed.device<uint8_t>() : transposed.host<uint8_t>(),
                .scale = device ? scale.device<Fp8Scale>() : scale.host<Fp8Scale>(),
                .rows = shape.rows,
                .F = shape.F,
                .dtype = type};
    }
    Status run() {
        if (back)
            return gated ? fp8SwigluBackward(args(true), nullptr) : fp8GeluBackward(args(true), nullptr);
        return gated ? fp8SwigluForward(args(true), nullptr) : fp8GeluForward(args(true), nullptr);
    }
    Status runReference() {
        if (back)
            return gated ? fp8SwigluBackwardReference(args(false)) : fp8GeluBackwardReference(args(false));
        return gated ? fp8SwigluForwardReference(args(false)) : fp8GeluForwardReference(args(false));
    }
    // The same on the device in two passes; inner becomes its gradient on the way back.
    void runInTurn(Buffer& rowInTurn, Buffer& transposedInTurn, Buffer& scaleInTurn) {
        Values product(shape.rows * shape.F, type, 1);
        const ActivationArgs forward{inner.device(), product.device(), shape.rows, shape.F, type};
        const ActivationBackwardArgs backward{gradient.device(), inner.device(), nullptr, shape.rows, shape.F, type};
        if (back)
            succeeded(gated ? swigluBackward(backward, nullptr) : geluBackward(backward, nullptr));
        else
            succeeded(gated ? swigluForward(forward, nullptr) : geluForward(forward, nullptr));
        succeeded(fp8Quantise({.x = back ? inner.device() : product.device(),
                               .row = rowInTurn.device<uint8_t>(),
                               .transposed = transposedInTurn.device<uint8_t>(),
                               .scale = scaleInTurn.device<Fp8Scale>(),
                               .rows = shape.rows,
                               .stride = columns,
                               .columns = columns,
                               .format = Fp8Format::e4m3,
                               .dtype = type},
                              nullptr));
    }
};

template <class Check>
void forEachCase(Check check) {
    for (const DType type : kBothTypes)
        for (const bool gated : {true, false})
            for (const bool back : {false, true})
                for (const Shape& shape : kShapes) {
                    SCOPED_TRACE(nameOf(type) + (gated ? " swiglu " : " gelu ") + (back ? "back " : "") +
                                 std::to_string(shape.rows) + "×" + std::to_string(shape.F));
                    Sides sides(shape, type, gated, back);
                    check(sides);
                }
}

}  // namespace

TEST(Fp8Activation, CodesAreThoseOfTheTwoPasses) {
    SKIP_WITHOUT_GPU();
    forEachCase([](Sides& sides) {
        Buffer row(static_cast<size_t>(sides.shape.rows * sides.columns)),
            transposed(static_cast<size_t>(sides.shape.rows * sides.columns)), scale(sizeof(Fp8Scale));
        *scale.host<Fp8Scale>() = *sides.scale.host<Fp8Scale>();
        scale.upload();
        succeeded(sides.run());
        sides.runInTurn(row, transposed, scale);
        EXPECT_EQ(sides.row.download(), row.download()) << "rows";
        EXPECT_EQ(sides.transposed.download(), transposed.download()) << "transposed";
        EXPECT_EQ(sides.scale.download(), scale.download()) << "what was seen";
    });
}

// The reference computes in double; where that rounds the other way, the code beside it comes out.
TEST(Fp8Activation, CodesAreThoseOfTheReferenceOrBesideThem) {
    SKIP_WITHOUT_GPU();
    forEachCase([](Sides& sides) {
        succeeded(sides.run());
        ASSERT_TRUE(sides.runReference().ok());
        const auto got = sides.row.download();
        size_t beside = 0;
        for (size_t i = 0; i < got.size(); ++i) {
            const int expected = sides.row.host<uint8_t>()[i];
            if (got[i] == expected)
                continue;
            ++beside;
            ASSERT_TRUE(std::abs(int{got[i]} - expected) == 1 || (got[i] & 0x7F) + (expected & 0x7F) <= 1) << i;
        }
        EXPECT_LE(beside, got.size() / 100 + 1);
    });
}

TEST(Fp8Activation, EitherLayoutAloneIsTheSame) {
    SKIP_WITHOUT_GPU();
    Sides both({144, 208}, DType::bfloat16, true, true), alone({144, 208}, DType::bfloat16, true, true);
    succeeded(both.run());
    Fp8ActivationArgs args = alone.args(true);
    args.transposed = nullptr;
    succeeded(fp8SwigluBackward(args, nullptr));
    args = alone.args(true);
    args.row = nullptr;
    succeeded(fp8SwigluBackward(args, nullptr));
    EXPECT_EQ(alone.row.download(), both.row.download());
    EXPECT_EQ(alone.transposed.download(), both.transposed.download());
}

TEST(Fp8Activation, RefusesWhatItCannotTake) {
    Fp8Scale scale{};
    EXPECT_FALSE(fp8SwigluForward({.scale = &scale, .rows = 24, .F = 16}, nullptr).ok());
    EXPECT_FALSE(fp8GeluForward({.scale = &scale, .rows = 16, .F = 24}, nullptr).ok());
    EXPECT_FALSE(fp8SwigluForward({.rows = 16, .F = 16}, nullptr).ok()) << "no scale";
    EXPECT_FALSE(fp8GeluBackward({.scale = &scale, .rows = 16, .F = 16}, nullptr).ok()) << "no gradient";
}
