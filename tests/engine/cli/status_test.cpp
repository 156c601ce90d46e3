// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class StatusTest : public FakeRunTest {};

TEST_F(StatusTest, NoRunsIsSaidInWords) {
    EXPECT_EQ(run({"status"}), 0);
    EXPECT_THAT(m_output, HasSubstr("no runs"));
    EXPECT_EQ(run({"status", "--json"}), 0);
    EXPECT_EQ(m_output, "[]\n");
}

TEST_F(StatusTest, EveryRunHasItsWordAndItsEvidence) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10, "runs/one ä")), 0) << m_errors;
    script("signal9");
    ASSERT_EQ(run(tiny("train", 10, "runs/two")), 137) << m_errors;
    std::filesystem::create_directories(place("runs/broken"));
    file("runs/broken/run.json", "{");
    std::filesystem::create_directories(place("runs/no run"));
    ASSERT_EQ(run({"status", "--json"}), 0);
    std::map<std::string, Json> rows;
    for (const Json& row : parseJson(m_output).orThrow())
        rows[std::filesystem::path(row.at("folder").get<std::string>()).filename().string()] = row;
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows["one ä"].at("word"), "finished");
    EXPECT_EQ(rows["one ä"].at("values").at("train/loss"), 0.5);
    EXPECT_EQ(rows["two"].at("word"), "interrupted");
    EXPECT_THAT(rows["two"].at("evidence").get<std::string>(), HasSubstr("SIGKILL"));
    EXPECT_EQ(rows["broken"].at("word"), "lost");
    EXPECT_TRUE(rows["broken"].contains("problem"));
    EXPECT_EQ(run({"status"}), 0);
    EXPECT_THAT(m_output, HasSubstr("interrupted"));
}

TEST_F(StatusTest, DamageOfANamedRunIsTold) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    flipBit(runFolder().eventsFile(), 400, 1);
    EXPECT_EQ(run({"status", folder()}), 0);
    EXPECT_THAT(m_output, HasSubstr("damaged: "));
    EXPECT_THAT(m_output, HasSubstr("finished"));
}

}  // namespace
}  // namespace unmask::test
