// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class HandOverTest : public FakeRunTest {};

TEST_F(HandOverTest, AllArgumentsAreTheWorkers) {
    script("ok");
    ASSERT_EQ(run(tiny("train", 10)), 0) << m_errors;
    std::filesystem::remove(runFolder().path / "arguments.txt");
    run({"sample", "--run", folder(), "--length", "8", "--help", "--prompt", "a b"});
    EXPECT_THAT(readBytes(runFolder().path / "arguments.txt"),
                testing::StartsWith("sample\n--run\n" + folder() + "\n--length\n8\n--help\n--prompt\na b\n"));
}

TEST_F(HandOverTest, WhereLibTorchMayBeMissingTheWorkerIsWatched) {
    m_environment["UNMASK_TORCH_DIR"] = place("nowhere").string();
    script("unloadable");
    EXPECT_EQ(run({"eval", "--run", folder()}), 20);
    EXPECT_THAT(m_errors, HasSubstr("LibTorch is not in " + place("nowhere").string()));
}

}  // namespace
}  // namespace unmask::test
