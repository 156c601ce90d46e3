// SPDX-License-Identifier: Apache-2.0
// Names, run.json, and folders that may or may not be taken.
#include "engine/journal/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temp_run.h"

namespace unmask {
namespace {
using test::TempRun;
using testing::HasSubstr;

TEST(RunFolders, idsAndRunJson) {
    EXPECT_TRUE(isRunId(newRunId("First Steps!")));
    EXPECT_TRUE(newRunId("First Steps!").starts_with("first-steps-20"));
    EXPECT_TRUE(newRunId("跑").starts_with("run-20"));
    EXPECT_TRUE(isRunId(newRunId(std::string(300, 'x'))));
    EXPECT_FALSE(isRunId("../x"));
    EXPECT_FALSE(isRunId(""));
    RunSpec spec;
    spec.training.steps = 123;
    const TempRun run(spec);
    const auto description = readRunDescription(run);
    ASSERT_TRUE(description.ok()) << description.error().what();
    EXPECT_EQ(description.value().spec, spec);
    EXPECT_THROW(createRunFolder(run, description.value()), Error);
    ASSERT_TRUE(findRun(run.folder().path.string()).ok());
    EXPECT_FALSE(findRun("no-such-run").ok());
    auto newer = test::readBytes(run.folder().runFile());
    newer.replace(newer.find("\"format_version\": 1"), 19, "\"format_version\": 9");
    test::writeBytes(run.folder().runFile(), newer);
    const auto refused = readRunDescription(run);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().what(), HasSubstr("newer version"));
}

TEST(RunFolders, whatAKilledStartLeftMayBeTakenAgainAndNothingElse) {
    const test::TempFolder root;
    const RunFolder folder{root.path() / "run"};
    RunDescription description;
    description.id = "x";
    std::filesystem::create_directories(folder.checkpoints());
    test::writeBytes(folder.path / "run.json.new-17-0", "{");
    EXPECT_NO_THROW(requireFreeForARun(folder));
    EXPECT_NO_THROW(createRunFolder(folder, description));
    EXPECT_THROW(requireFreeForARun(folder), Error);
    EXPECT_NO_THROW(requireFreeForARun({root.path() / "nothing here"}));
    const RunFolder other{root.path() / "other"};
    std::filesystem::create_directories(other.logs());
    test::writeBytes(other.logs() / "rank-0.log", "somebody's");
    EXPECT_THROW(requireFreeForARun(other), Error);
    EXPECT_THROW(createRunFolder(other, description), Error);
}

TEST(RunFolders, foldersAboveAreMadeAsWell) {
    const test::TempFolder root;
    const RunFolder folder{root.path() / "runs" / "of today" / "run"};
    createRunFolder(folder, {.id = "x"});
    EXPECT_TRUE(readRunDescription(folder).ok());
}

}  // namespace
}  // namespace unmask
