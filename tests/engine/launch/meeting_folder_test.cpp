// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/meeting_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <optional>

#include "engine/base/error.h"

namespace unmask {
namespace {

TEST(MeetingFolder, IsForThisUserAloneAndGoesAway) {
    std::filesystem::path folder;
    {
        const MeetingFolder meeting, another;
        folder = meeting.file().parent_path();
        EXPECT_NE(meeting.file(), another.file());
        EXPECT_FALSE(std::filesystem::exists(meeting.file())) << "the first rank makes it";
        EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
    }
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(MeetingFolder, NowhereToWriteIsSaid) {
    const char* const before = getenv("TMPDIR");
    const std::optional<std::string> kept = before ? std::optional<std::string>(before) : std::nullopt;
    setenv("TMPDIR", "/proc", 1);
    EXPECT_THROW(MeetingFolder(), Error);
    kept ? setenv("TMPDIR", kept->c_str(), 1) : unsetenv("TMPDIR");
}

}  // namespace
}  // namespace unmask
