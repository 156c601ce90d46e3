// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/hardware.h"
#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class DoctorTest : public FakeRunTest {};

TEST_F(DoctorTest, SaysWhatIsThereAndEndsWithZeroWhateverIsMissing) {
    m_environment["UNMASK_TORCH_DIR"] = place("nowhere").string();
    m_environment["DISPLAY"] = m_environment["WAYLAND_DISPLAY"] = "";
    EXPECT_EQ(run({"doctor"}), 0);
    for (const char* topic : {"System: ", "Processor: ", "Memory: ", "MISSING LibTorch: ", "GPU: ", "Display: none",
                              "Runs folder: ", "Training is not possible yet"})
        EXPECT_THAT(m_output, HasSubstr(topic));
    EXPECT_FALSE(std::filesystem::exists(place("runs"))) << "a look changes nothing";
}

TEST_F(DoctorTest, JsonIsTheHardwareDescriptionThatThePlannerReads) {
    EXPECT_EQ(run({"doctor", "--json"}), 0);
    const Json json = parseJson(m_output).orThrow();
    const Hardware hardware = hardwareFromJson(json).orThrow();
    EXPECT_EQ(hardware.cores, detectHardware().cores);
    EXPECT_EQ(hardware.memoryBytes, detectHardware().memoryBytes);
    EXPECT_FALSE(json.at("checks").empty());
    EXPECT_TRUE(json.at("libtorch").contains("folder"));
}

}  // namespace
}  // namespace unmask::test
