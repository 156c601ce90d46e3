// SPDX-License-Identifier: Apache-2.0
#include "kernels/fp8_quantise/fp8_quantise.h"

#include <limits>

#include "tests/kernels/harness.h"

using namespace unmask::kernels;
using namespace unmask::kernels::testing;

namespace {

constexpr Fp8Format kFormats[] = {Fp8Format::e4m3, Fp8Format::e5m2};

struct Case {
    int64_t rows;
    int columns, stride;
};

// Device and reference side by side on one tensor.
struct Sides {
    Case shape;
    Values x;
    Buffer row, transposed, scale;

    Sides(const Case& given, DType type)
        : shape(given),
          x(given.rows * given.stride, type, 7, 3),
          row(static_cast<size_t>(given.rows * given.columns)),
          transposed(static_cast<size_t>(given.rows * given.columns)),
          scale(sizeof(Fp8Scale)) {
        setScale({.dequantise = 0, .amax = 0, .seen = 0, .unused = 0});
    }
    void setScale(const Fp8Scale& to) {
        *scale.host<Fp8Scale>() = to;
        scale.upload();
    }
    Fp8QuantiseArgs args(bool device, Fp8Format format, DType type) {
        return {.x = device ? x.device() : x.host(),
                .row = device ? row.device<uint8_t>() : row.host<uint8_t>(),
                .transposed = device ? transposed.device<uint8_t>() : transposed.host<uint8_t>(),
                .scale = device ? scale.device<Fp8Scale>() : scale.host<Fp8Scale>(),
                .rows = shape.rows,
                .stride = shape.stride,
                .columns = shape.columns,
                .format = format,
                .dtype = type};
    }
    void compareCodes(Buffer& buffer, const char* what) {
        const auto got = buffer.download();
        for (size_t i = 0; i < got.size(); ++i)
            ASSERT_EQ(int{got[i]}, int{buffer.host<uint8_t>()[i]}) << what << " at " << i;
    }
    void compareScales() {
        Fp8Scale got;
        const auto bytes = scale.download();
        std::memcpy(&got, bytes.data(), sizeof got);
        EXPECT_FLOAT_EQ(got.dequantise, scale.host<Fp8Scale>()->dequantise);
        EXPECT_EQ(got.amax, scale.host<Fp8Scale>()->amax);
        EXPECT_EQ(got.seen, scale.host<Fp8Scale>()->seen);
    }
};

}  // namespace

TEST(Fp8, CodesAreTheNearestValues) {
    for (const Fp8Format format : kFormats)
        for (int code = 0; code < 256; ++code) {
            const double value = fp8Value(static_cast<uint8_t>(code), format);
            if (std::isfinite(value)) {
                EXPECT_EQ(int{fp8Code(value, format)}, code);
            }
        }
    EXPECT_EQ(fp8Value(0x7E, Fp8Format::e4m3), 448);
    EXPECT_EQ(fp8Value(0x7B, Fp8Format::e5m2), 57344);
    EXPECT_EQ(fp8Value(0x38, Fp8Format::e4m3), 1);
    EXPECT_EQ(fp8Value(fp8Code(1e9, Fp8Format::e4m3), Fp8Format::e4m3), 448);
    EXPECT_EQ(fp8Value(fp8Code(1.0625, Fp8Format::e4m3), Fp8Format::e4m3), 1) << "a tie goes to the even code";
    EXPECT_TRUE(std::isnan(fp8Value(fp8Code(NAN, Fp8Format::e5m2), Fp8Format::e5m2)));
}

TEST(Fp8, QuantisesAndTransposesAsTheReferenceDoes) {
    SKIP_WITHOUT_GPU();
    for (const DType type : kBothTypes)
        for (const Fp8Format format : kFormats)
            for (const Case& c : {Case{16, 16, 16}, {128, 64, 64}, {144, 80, 96}, {1024, 768, 2304}}) {
                SCOPED_TRACE(nameOf(type) + " " + std::to_string(c.rows) + "×" + std::to_string(c.columns));
                Sides sides(c, type);
                sides.setScale({.dequantise = 0, .amax = 1.3f, .seen = 0.5f, .unused = 0});
                succeeded(fp8Quantise(sides.args(true, format, type), nullptr));
                ASSERT_TRUE(fp8QuantiseReference(sides.args(false, format, type)).ok());
                sides.compareCodes(sides.row, "rows");
                sides.compareCodes(sides.transposed, "transposed");
                sides.compareScales();
            }
}

TEST(Fp8, EitherLayoutAloneIsTheSame) {
    SKIP_WITHOUT_GPU();
    Sides sides({144, 80, 80}, DType::bfloat16);
    ASSERT_TRUE(fp8QuantiseReference(sides.args(false, Fp8Format::e4m3, DType::bfloat16)).ok());
    Fp8QuantiseArgs args = sides.args(true, Fp8Format::e4m3, DType::bfloat16);
    args.transposed = nullptr;
    succeeded(fp8Quantise(args, nullptr));
    args = sides.args(true, Fp8Format::e4m3, DType::bfloat16);
    args.row = nullptr;
    succeeded(fp8Quantise(args, nullptr));
    sides.compareCodes(sides.row, "rows");
    sides.compareCodes(sides.transposed, "transposed");
}

TEST(Fp8, WhatIsNotFiniteBecomesNaNAndLeavesTheScaleAlone) {
    SKIP_WITHOUT_GPU();
    Sides sides({16, 16, 16}, DType::bfloat16);
    setValue(sides.x.host(), 3, DType::bfloat16, std::numeric_limits<double>::infinity());
    setValue(sides.x.host(), 17, DType::bfloat16, NAN);
    setValue(sides.x.host(), 40, DType::bfloat16, 1e30);
    sides.x.upload();
    sides.setScale({.dequantise = 0, .amax = 2, .seen = 0, .unused = 0});
    succeeded(fp8Quantise(sides.args(true, Fp8Format::e4m3, DType::bfloat16), nullptr));
    const auto row = sides.row.download();
    EXPECT_TRUE(std::isnan(fp8Value(row[3], Fp8Format::e4m3)));
    EXPECT_TRUE(std::isnan(fp8Value(row[17], Fp8Format::e4m3)));
    EXPECT_EQ(fp8Value(row[40], Fp8Format::e4m3), 448) << "too large is cut off";
    ASSERT_TRUE(fp8QuantiseReference(sides.args(false, Fp8Format::e4m3, DType::bfloat16)).ok());
    sides.compareScales();
}

TEST(Fp8, MeasuresTheLargestValue) {
    SKIP_WITHOUT_GPU();
    for (const Case& c : {Case{16, 16, 16}, {144, 80, 96}, {4096, 512, 512}}) {
        Sides sides(c, DType::bfloat16);
        sides.setScale({.dequantise = 0, .amax = 99, .seen = 0, .unused = 0});
        succeeded(fp8Measure(sides.args(true, Fp8Format::e4m3, DType::bfloat16), nullptr));
        ASSERT_TRUE(fp8MeasureReference(sides.args(false, Fp8Format::e4m3, DType::bfloat16)).ok());
        sides.compareScales();
    }
}

TEST(Fp8, ScalesFollowWhatWasSeen) {
    SKIP_WITHOUT_GPU();
    constexpr int kCount = 200;
    Buffer scales(kCount * sizeof(Fp8Scale));
    for (int i = 0; i < kCount; ++i)
        scales.host<Fp8Scale>()[i] = {
            .dequantise = 1, .amax = 5, .seen = i % 3 == 0 ? 0.0f : static_cast<float>(i % 10), .unused = 0};
    scales.upload();
    succeeded(fp8Roll(scales.device<Fp8Scale>(), kCount, nullptr));
    ASSERT_TRUE(fp8RollReference(scales.host<Fp8Scale>(), kCount).ok());
    const auto got = scales.download();
    EXPECT_EQ(std::memcmp(got.data(), scales.host(), got.size()), 0);
    EXPECT_EQ(scales.host<Fp8Scale>()[0].amax, 5) << "not met in this step";
    EXPECT_EQ(scales.host<Fp8Scale>()[1].amax, 4.5f) << "a spike is forgotten slowly";
    EXPECT_EQ(scales.host<Fp8Scale>()[8].amax, 8);
}

TEST(Fp8, RefusesShapesThatProductsCannotTake) {
    Fp8Scale scale{};
    EXPECT_FALSE(fp8Quantise({.scale = &scale, .rows = 24, .stride = 16, .columns = 16}, nullptr).ok());
    EXPECT_FALSE(fp8Quantise({.scale = &scale, .rows = 16, .stride = 24, .columns = 24}, nullptr).ok());
    EXPECT_FALSE(fp8Measure({.rows = 16, .stride = 16, .columns = 16}, nullptr).ok());
}
