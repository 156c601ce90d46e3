// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/settings.h"

#include "tests/engine/cli/fake_run.h"

namespace unmask::test {
namespace {

using testing::HasSubstr;

class SettingsTest : public CliTest {};

TEST_F(SettingsTest, EverySettingIsDocumentedInEveryForm) {
    ASSERT_EQ(run({"settings", "--json"}), 0);
    EXPECT_EQ(parseJson(m_output).orThrow().size(), allSettings().size());
    for (const std::vector<std::string>& form : {std::vector<std::string>{"settings"}, {"settings", "--markdown"}}) {
        ASSERT_EQ(run(form), 0);
        for (const Setting& setting : allSettings()) {
            EXPECT_THAT(m_output, HasSubstr(setting.path));
            EXPECT_FALSE(setting.info.help.en.empty()) << setting.path;
        }
    }
    EXPECT_THAT(m_output, HasSubstr("| `training.steps` ↻ | 1000 |"));
}

}  // namespace
}  // namespace unmask::test
