// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_sampler.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "engine/tokenizer/byte_tokenizer.h"
#include "tests/engine/train/run_journal.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

TEST(RunSampler, TextEndsWhereTheDocumentEndsAndIsValidUtf8) {
    const ByteTokenizer tokenizer;
    SampleResult result;
    result.tokens = tokenizer.encode("prompt: caf\xC3\xA9");
    result.tokens.push_back(0xC3);  // half a character
    result.tokens.push_back(ByteTokenizer::kEndOfDocument);
    result.tokens.push_back('x');
    const std::string text = writtenText(result, 8, tokenizer);
    EXPECT_TRUE(text.starts_with("caf\xC3\xA9"));
    EXPECT_EQ(text.find('x'), std::string::npos);
    EXPECT_FALSE(firstInvalidUtf8(text).has_value());
}

TEST(RunSampler, WritesEventAndFileEvenWhereAFullDiskTakesTheFile) {
    RunSpec spec = test::tinySpec();
    spec.sampling = {.prompt = "so ", .length = 12, .denoisingSteps = 6, .blockSize = 4};
    AssembledModel made = assembleModel(spec, ModelUse::inference);
    made.model->initialise(1);
    const test::TempRun run(spec);
    auto journal = EventWriter::open(run.folder(), 1);
    TrainingClock clock;
    Recorder recorder(journal, clock);
    RunSampler sampler(made, run.folder(), recorder);
    sampler.run(3);
    std::filesystem::remove_all(run.folder().samples());
    sampler.run(4);
    const auto samples = test::eventsOf<SampleEvent>(run);
    ASSERT_EQ(samples.size(), 2u);
    EXPECT_EQ(samples[0].prompt, "so ");
    EXPECT_EQ(test::eventsOf<WarningEvent>(run).size(), 1u);
}

}  // namespace
}  // namespace unmask
