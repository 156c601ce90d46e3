// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/mesh.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace unmask {
namespace {

ParallelConfig layout(int64_t pipeline, int64_t data, int64_t context, int64_t tensor) {
    ParallelConfig config;
    config.pipelineStages = pipeline;
    config.dataParallelSize = data;
    config.contextParallelSize = context;
    config.tensorParallelSize = tensor;
    return config;
}

using D = MeshDimension;

TEST(Mesh, TensorRanksAreNeighboursAndStagesFarthestApart) {
    const Mesh mesh(layout(2, 2, 1, 2), 8, 5);
    EXPECT_EQ(mesh.place(D::pipeline), 1);
    EXPECT_EQ(mesh.place(D::data), 0);
    EXPECT_EQ(mesh.place(D::tensor), 1);
    EXPECT_EQ(mesh.group({D::tensor}), (std::vector<int>{4, 5}));
    EXPECT_EQ(mesh.group({D::data}), (std::vector<int>{5, 7}));
    EXPECT_EQ(mesh.group({D::pipeline}), (std::vector<int>{1, 5}));
    EXPECT_EQ(mesh.group({D::data, D::tensor}), (std::vector<int>{4, 5, 6, 7}));
    EXPECT_EQ(mesh.group({}), (std::vector<int>{5}));
    EXPECT_EQ(mesh.describe(), "rank 5 (pipeline 1, data 0, tensor 1)");
}

TEST(Mesh, PlacesAndRanksAreInverse) {
    for (int rank = 0; rank < 24; ++rank) {
        const Mesh mesh(layout(2, 3, 2, 2), 24, rank);
        EXPECT_EQ(mesh.rankAt(mesh.places()), rank);
        for (const D each : kMeshDimensions)
            EXPECT_EQ(static_cast<int>(mesh.group({each}).size()), mesh.size(each));
    }
}

TEST(Mesh, AWorldOfAnotherSizeIsRefused) {
    EXPECT_THROW(Mesh(layout(2, 2, 1, 1), 3, 0), Error);
    EXPECT_THROW(Mesh(layout(2, 2, 1, 1), 4, 4), Error);
}

}  // namespace
}  // namespace unmask
