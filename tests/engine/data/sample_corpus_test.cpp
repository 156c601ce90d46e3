// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sample_corpus.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/base/text.h"
#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

TEST(SampleCorpus, IsFoundAndIsText) {
    for (const std::filesystem::path& file : sampleCorpusFiles()) {
        const std::string text = test::readFile(file);
        EXPECT_GT(text.size(), size_t{50000}) << file;
        EXPECT_FALSE(firstInvalidUtf8(text)) << file;
        EXPECT_EQ(text.find('\r'), std::string::npos) << file;
    }
}

TEST(SampleCorpus, ResourcesOfOnesOwnComeFirst) {
    const test::TempFolder folder;
    std::filesystem::create_directory(folder.path() / "corpus");
    folder.write("corpus/english.txt", "mine");
    folder.write("corpus/chinese.txt", "mine");
    ::setenv("UNMASK_RESOURCES", folder.path().c_str(), 1);
    const auto files = sampleCorpusFiles();
    ::unsetenv("UNMASK_RESOURCES");
    ASSERT_EQ(files.size(), 2u);
    EXPECT_EQ(files[0], folder.path() / "corpus" / "english.txt");
}

}  // namespace
}  // namespace unmask
