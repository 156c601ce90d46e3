// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/settings.h"

#include <gtest/gtest.h>

#include "engine/protocol/spec_json.h"

using namespace unmask;

TEST(Settings, EachHasLabelAndHelpInBothLanguages) {
    for (const auto& setting : allSettings()) {
        EXPECT_FALSE(setting.info.label.en.empty() || setting.info.label.zh.empty()) << setting.path;
        EXPECT_FALSE(setting.info.help.en.empty() || setting.info.help.zh.empty()) << setting.path;
        for (const auto& choice : setting.choices)
            EXPECT_FALSE(choice.label.en.empty() || choice.label.zh.empty()) << setting.path << " " << choice.word;
    }
}

TEST(Settings, NamesOfDailyUseStayUnique) {
    for (const char* name :
         {"steps", "seed", "precision", "batch_size", "learning_rate", "checkpoint_interval", "data_parallel_size",
          "tensor_parallel_size", "model_parallel_size", "pipeline_stages", "context_parallel_size",
          "expert_parallel_size", "zero_stage", "activation_checkpointing", "micro_batch_size", "schedule"})
        EXPECT_TRUE(findSetting(name).ok()) << name;
    EXPECT_EQ(findSetting("model_parallel_size").orThrow()->path, "parallel.tensor_parallel_size");
}

TEST(Settings, DefaultsLieInTheirRanges) {
    RunSpec spec;
    for (const auto& setting : allSettings())
        EXPECT_TRUE(setSetting(spec, setting.path, setting.defaultValue).ok()) << setting.path;
    EXPECT_EQ(spec, RunSpec{});
}

TEST(Settings, ReadsWhatIsTyped) {
    RunSpec spec;
    EXPECT_TRUE(setSettingFromText(spec, "steps", "5e2").ok());
    EXPECT_TRUE(setSettingFromText(spec, "learning_rate", "3e-4").ok());
    EXPECT_TRUE(setSettingFromText(spec, "qk_norm", "on").ok());
    EXPECT_TRUE(setSettingFromText(spec, "data.files", "a.txt,b c.jsonl").ok());
    EXPECT_TRUE(setSettingFromText(spec, "checkpoint_interval", "10min").ok());
    EXPECT_TRUE(setSettingFromText(spec, "norm", "layer_norm").ok());
    EXPECT_EQ(spec.training.steps, 500);
    EXPECT_EQ(spec.data.files, (std::vector<std::string>{"a.txt", "b c.jsonl"}));
    EXPECT_EQ(spec.model.norm, NormKind::layerNorm);
    EXPECT_EQ(spec.checkpoint.interval, (Interval{Interval::Unit::seconds, 600}));
}

TEST(Settings, ComplaintsNameSettingValueAndLimit) {
    RunSpec spec;
    const auto sentence = [&](std::string_view name, std::string_view text) {
        return std::string(setSettingFromText(spec, name, text).error().what());
    };
    EXPECT_EQ(sentence("stpes", "5"), "[settings] there is no setting \"stpes\"; did you mean steps?");
    EXPECT_EQ(sentence("steps", "-1"), "[settings] training.steps is -1, it must be between 1 and 1e+12");
    EXPECT_EQ(sentence("steps", "many"), "[settings] training.steps is many, it must be a whole number");
    EXPECT_EQ(sentence("norm", "batch_norm"),
              "[settings] model.norm is batch_norm, it must be one of rms_norm, layer_norm");
    EXPECT_EQ(sentence("learning_rate", "nan"), "[settings] optimizer.learning_rate is nan, it must be between 0 and 10");
    EXPECT_EQ(spec, RunSpec{}) << "a refused value must change nothing";
}

TEST(Settings, DifferencesListOnlyWhatDiffers) {
    RunSpec left, right;
    right.training.seed = 7;
    right.optimizer.learningRate = 1e-3;
    const auto list = differences(left, right);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].path, "optimizer.learning_rate");
    EXPECT_EQ(list[1].path, "training.seed");
    EXPECT_EQ(list[1].right, Json(7));
}
