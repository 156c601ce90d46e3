// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/spec_json.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/durable_file.h"
#include "engine/protocol/presets.h"

using namespace unmask;

namespace {
std::string complaint(std::string_view json) {
    const auto spec = specFromJson(parseJson(json).orThrow());
    return spec.ok() ? "" : spec.error().what();
}
bool hasProblem(const RunSpec& spec, std::string_view path) {
    for (const auto& problem : checkSpec(spec))
        if (problem.path == path)
            return !problem.en.empty() && !problem.zh.empty();
    return false;
}
}  // namespace

TEST(SpecJson, EveryPresetMakesARoundTrip) {
    for (const auto& preset : allPresets())
        EXPECT_EQ(specFromJson(specToJson(preset.spec)).orThrow(), preset.spec);
}

TEST(SpecJson, LaterValuesLieOnTopOfEarlierOnes) {
    RunSpec base;
    base.training.seed = 7;
    const auto spec = specFromJson(parseJson(R"({"training":{"steps":9}})").orThrow(), base).orThrow();
    EXPECT_EQ(spec.training.seed, 7);
    EXPECT_EQ(spec.training.steps, 9);
}

TEST(SpecJson, NamesEveryMistakeAtOnce) {
    const std::string text = complaint(R"({"training":{"stesp":5,"seed":"x"},"modle":{}})");
    EXPECT_NE(text.find("did you mean training.steps"), std::string::npos) << text;
    EXPECT_NE(text.find("training.seed is \"x\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean model"), std::string::npos) << text;
}

TEST(SpecJson, ARunFileThatIsNoneSaysSo) {
    const auto file = std::filesystem::temp_directory_path() / ("unmask-spec-" + std::to_string(::getpid()));
    replaceFile(file, "{\"training\":", Durability::news);
    EXPECT_NE(std::string(readRunFile(file).error().what()).find("is not a run file"), std::string::npos);
    EXPECT_FALSE(readRunFile("/nowhere/run.json").ok());
    std::filesystem::remove(file);
}

TEST(SpecJson, ARunFileOfANewerVersionIsRefusedAndAGivenNameStaysBehind) {
    const auto file = std::filesystem::temp_directory_path() / ("unmask-spec-" + std::to_string(::getpid()));
    replaceFile(file, R"({"format_version":99,"spec":{}})", Durability::news);
    EXPECT_NE(std::string(readRunFile(file).error().what()).find("newer version (format 99"), std::string::npos);
    replaceFile(file, R"({"id":"a-1","format_version":1,"spec":{"launch":{"name":"a-1"}}})", Durability::news);
    EXPECT_EQ(readRunFile(file).orThrow().launch.name, "");
    replaceFile(file, R"({"id":"a-1","format_version":1,"spec":{"launch":{"name":"mine"}}})", Durability::news);
    EXPECT_EQ(readRunFile(file).orThrow().launch.name, "mine");
    replaceFile(file, R"({"training":{"stesp":5}})", Durability::news);
    EXPECT_EQ(std::string(readRunFile(file).error().what()).rfind('['), 0u) << "one component, at the front";
    std::filesystem::remove(file);
}

TEST(SpecCheck, FindsRulesBetweenFields) {
    RunSpec spec = presetSpec("light").orThrow();
    EXPECT_TRUE(checkSpec(spec).empty());
    spec.model.heads = 7;
    EXPECT_TRUE(hasProblem(spec, "model.heads"));
    spec = {};
    spec.parallel.microBatchSize = 7;
    EXPECT_TRUE(hasProblem(spec, "parallel.micro_batch_size"));
    spec = {};
    spec.model.keyValueHeads = 3;
    EXPECT_TRUE(hasProblem(spec, "model.key_value_heads"));
    spec = {};
    spec.training.device = DeviceChoice::cpu;
    spec.training.precision = Precision::bf16;
    EXPECT_TRUE(hasProblem(spec, "training.precision"));
    spec = {};
    spec.training.steps = 0;
    EXPECT_TRUE(hasProblem(spec, "training.steps"));
    spec = {};
    spec.launch.name = "two\nlines";
    EXPECT_TRUE(hasProblem(spec, "launch.name"));
}
