// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class PlanTest : public CliTest {};

TEST_F(PlanTest, WordsForPeople) {
    EXPECT_EQ(run({"plan"}), 0) << m_errors;
    for (const char* word : {"Parameters: 853.1 k", "Memory: ", "weights", "optimizer", "activations", "Time: "})
        EXPECT_THAT(m_output, HasSubstr(word));
}

TEST_F(PlanTest, NumbersForProgramsWithEveryProblem) {
    const std::string spec = file("spec.json", R"({"spec": {"model": {"width": 128, "heads": 7}}})");
    EXPECT_EQ(run({"plan", "--spec", spec, "--json"}), 0) << "problems are part of the answer";
    const Json bad = parseJson(m_output).orThrow();
    ASSERT_EQ(bad.at("problems").size(), 1U);
    EXPECT_EQ(bad.at("problems")[0].at("path"), "model.heads");
    EXPECT_EQ(run({"plan", "--spec", spec}), 20);

    EXPECT_EQ(run({"plan", "--spec", spec, "--heads", "8", "--json"}), 0) << m_errors;
    const Json good = parseJson(m_output).orThrow();
    EXPECT_TRUE(good.at("problems").empty()) << m_output;
    EXPECT_GT(good.at("memory").at("total"), good.at("memory").at("weights"));
    EXPECT_GT(good.at("parameters").at("total"), 0);
}

TEST_F(PlanTest, LayoutsForOtherMachines) {
    EXPECT_EQ(run({"plan", "--machines", "2 nodes of 8 H100", "--preset", "base", "--set", "precision=bf16"}), 0)
        << m_errors;
    EXPECT_THAT(m_output, HasSubstr("A projection for 2 nodes of 8 × H100 80 GB"));
    EXPECT_THAT(m_output, HasSubstr("Recommended: data "));
    EXPECT_EQ(run({"plan", "--machines", "cpu", "--set", "tensor_parallel_size=3", "--json"}), 0) << m_errors;
    const Json json = parseJson(m_output).orThrow();
    EXPECT_FALSE(json.at("projection").get<bool>());
    EXPECT_FALSE(json.at("as_set").at("legal").get<bool>());
    EXPECT_FALSE(json.at("nearest").is_null());
    EXPECT_GT(json.at("layouts").size(), 0U);
}

TEST_F(PlanTest, MachinesThatAreNotUnderstoodAreRefusedWithTheNearestName) {
    EXPECT_EQ(run({"plan", "--machines", "8 x H10O"}), 20);
    EXPECT_THAT(m_errors, HasSubstr("did you mean H100?"));
    EXPECT_EQ(run({"plan", "--machines", "H100", "--heads", "7"}), 20) << "what is no model has no layout";
}

}  // namespace
}  // namespace unmask::test
