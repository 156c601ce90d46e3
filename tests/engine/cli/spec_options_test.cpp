// SPDX-License-Identifier: Apache-2.0
// Command lines as people type them, to specs.
#include "engine/cli/spec_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "engine/base/error.h"
#include "engine/protocol/presets.h"
#include "engine/protocol/settings.h"
#include "engine/protocol/spec_json.h"
#include "tests/support/temp_run.h"

namespace unmask {
namespace {

using testing::HasSubstr;

SpecArguments parse(std::vector<std::string> words) {
    static std::vector<std::unique_ptr<SpecArguments>> kept;
    auto& arguments = *kept.emplace_back(std::make_unique<SpecArguments>());
    CLI::App app;
    CLI::App* command = app.add_subcommand("train");
    addSpecOptions(*command, arguments);
    words.insert(words.begin(), "train");
    std::reverse(words.begin(), words.end());
    app.parse(words);
    refuseUnknown(*command);
    return arguments;
}

RunSpec specOf(std::vector<std::string> words) {
    return composeNewSpec(parse(std::move(words)));
}

std::string refusalOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::badInput);
        return error.what();
    } catch (const CLI::ParseError& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(SpecOptions, NothingNamedIsFirstSteps) {
    EXPECT_EQ(specOf({}), presetSpec("first-steps").orThrow());
    RunSpec longer = presetSpec("first-steps").orThrow();
    longer.training.steps = 7;
    EXPECT_EQ(specOf({"--steps", "7"}), longer);
}

TEST(SpecOptions, EveryUniqueSettingIsAFlagWithDashesOrUnderscores) {
    SpecArguments arguments;
    CLI::App app;
    addSpecOptions(app, arguments);
    for (const Setting& setting : allSettings()) {
        if (!setting.uniqueName || setting.name == "preset")
            continue;
        std::string dashed = setting.name;
        std::replace(dashed.begin(), dashed.end(), '_', '-');
        EXPECT_NE(app.get_option_no_throw("--" + setting.name), nullptr) << setting.path;
        EXPECT_NE(app.get_option_no_throw("--" + dashed), nullptr) << setting.path;
    }
    EXPECT_EQ(app.get_option_no_throw("--kind"), nullptr) << "three settings are called kind";
}

TEST(SpecOptions, DashesUnderscoresAliasesAndNumbers) {
    EXPECT_EQ(specOf({"--learning-rate", "3e-4"}).optimizer.learningRate, 3e-4);
    EXPECT_EQ(specOf({"--learning_rate=0.5e-3"}).optimizer.learningRate, 5e-4);
    EXPECT_EQ(specOf({"--checkpoint-interval", "10min"}).checkpoint.interval, (Interval{Interval::Unit::seconds, 600}));
    EXPECT_EQ(specOf({"--model-parallel-size", "2"}).parallel.tensorParallelSize, 2);
    EXPECT_EQ(specOf({"--set", "model_parallel_size=2"}).parallel.tensorParallelSize, 2);
    EXPECT_TRUE(specOf({"--qk-norm"}).model.qkNorm);
    EXPECT_FALSE(specOf({"--qk-norm", "false"}).model.qkNorm);
}

TEST(SpecOptions, LaterWins) {
    const test::TempFolder folder;
    const std::string file = (folder.path() / "run file ä.json").string();
    test::writeBytes(file, R"({"training": {"steps": 20, "seed": 5}, "data": {"files": ["/from/file"]}})");
    const RunSpec fromFile = specOf({"--spec", file, "--preset", "light"});
    EXPECT_EQ(fromFile.model.layers, presetSpec("light").orThrow().model.layers) << "the preset is the base";
    EXPECT_EQ(fromFile.training.steps, 20);
    const RunSpec all = specOf({"--set", "steps=1", "--spec", file, "--steps", "2", "--set=training.steps=3", "--data",
                                "/one", "--data", "/two"});
    EXPECT_EQ(all.training.steps, 3) << "settings in the order typed";
    EXPECT_EQ(all.training.seed, 5);
    EXPECT_THAT(all.data.files, testing::ElementsAre("/one", "/two"));
    EXPECT_EQ(specOf({"--set", "steps=3", "--steps", "2"}).training.steps, 2);
}

TEST(SpecOptions, DataFilesBecomeAbsoluteAndKeepCommas) {
    const RunSpec spec = specOf({"--data", "a,b ü 文.txt"});
    ASSERT_EQ(spec.data.files.size(), 1U);
    EXPECT_EQ(spec.data.files[0], (std::filesystem::current_path() / "a,b ü 文.txt").string());
    const RunSpec validated = specOf({"--data", "a.txt", "--validation-files", "sub/../b.txt"});
    EXPECT_EQ(validated.data.validationFiles, std::vector<std::string>{std::filesystem::current_path() / "b.txt"});
    EXPECT_EQ(spec.model, ModelConfig{}) << "with data named, the preset is the user's choice";
}

TEST(SpecOptions, MisspeltNamesGetTheNearest) {
    EXPECT_THAT(refusalOf([] { specOf({"--stpes", "5"}); }), HasSubstr("did you mean --steps?"));
    EXPECT_THAT(refusalOf([] { specOf({"--learning-rat=5"}); }), HasSubstr("--learning-rate?"));
    EXPECT_THAT(refusalOf([] { specOf({"--set", "training.stpes=5"}); }), HasSubstr("training.steps?"));
    EXPECT_THAT(refusalOf([] { specOf({"--preset", "first-step"}); }), HasSubstr("first-steps"));
    EXPECT_THAT(refusalOf([] { specOf({"stray"}); }), HasSubstr("does not know \"stray\""));
    EXPECT_THAT(refusalOf([] { specOf({"--set", "steps"}); }), HasSubstr("NAME=VALUE"));
}

TEST(SpecOptions, WrongValuesNameSettingAndLimit) {
    EXPECT_THAT(refusalOf([] { specOf({"--steps", "many"}); }), HasSubstr("training.steps"));
    EXPECT_THAT(refusalOf([] { specOf({"--steps", "0"}); }), HasSubstr("training.steps"));
    EXPECT_THAT(refusalOf([] { specOf({"--learning-rate", "0,5"}); }), HasSubstr("optimizer.learning_rate"));
    EXPECT_THAT(refusalOf([] { specOf({"--data", "bad\xFFname"}); }), HasSubstr("not valid UTF-8"));
    EXPECT_THAT(refusalOf([] { specOf({"--data", ""}); }), HasSubstr("data file is empty"));
    EXPECT_THAT(refusalOf([] { specOf({"--spec", "/nowhere.json"}); }), HasSubstr("/nowhere.json"));
}

}  // namespace
}  // namespace unmask
