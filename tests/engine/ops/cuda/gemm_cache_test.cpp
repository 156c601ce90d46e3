// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/gemm_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace unmask::cuda {
namespace {

class GemmCacheTest : public testing::Test {
 protected:
    void SetUp() override {
        char name[] = "/tmp/unmask-gemm-XXXXXX";
        m_folder = mkdtemp(name);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    std::filesystem::path file() const { return m_folder / "deep" / "gemm.json"; }
    std::filesystem::path m_folder;
};

TEST_F(GemmCacheTest, WhatWasAddedIsFoundByTheNext) {
    {
        GemmCache cache(file());
        EXPECT_FALSE(cache.find("a"));
        cache.add("a", "01ff");
        cache.add("b", "02");
    }
    const GemmCache next(file());
    EXPECT_EQ(next.find("a"), "01ff");
    EXPECT_EQ(next.find("b"), "02");
}

TEST_F(GemmCacheTest, DamagedFileIsAnEmptyOne) {
    std::filesystem::create_directories(file().parent_path());
    for (const char* text : {"", "{", "[1]", "{\"a\":7}"}) {
        std::ofstream(file()) << text;
        GemmCache cache(file());
        EXPECT_FALSE(cache.find("a")) << text;
        cache.add("a", "1");
        EXPECT_EQ(GemmCache(file()).find("a"), "1") << text;
    }
}

TEST_F(GemmCacheTest, FolderThatCannotBeWrittenIsNoError) {
    std::ofstream(m_folder / "deep") << "a file where the folder should be";
    GemmCache cache(file());
    cache.add("a", "1");
    EXPECT_EQ(cache.find("a"), "1");
}

}  // namespace
}  // namespace unmask::cuda
