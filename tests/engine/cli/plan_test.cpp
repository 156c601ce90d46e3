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

}  // namespace
}  // namespace unmask::test
