// SPDX-License-Identifier: Apache-2.0
#include "ui/store/local_disk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_run.h"

namespace unmask::ui {
namespace {

TEST(LocalDisk, FoldersThatDoNotExistYetAreJudgedByTheirParent) {
    const test::TempFolder folder;
    EXPECT_EQ(isNetworkVolume(folder.path() / "not" / "there" / "yet.sqlite"), isNetworkVolume(folder.path()));
    EXPECT_FALSE(isNetworkVolume("/proc/self"));
}

TEST(LocalDisk, OnlyAFolderOfThisUserAloneWillDo) {
    const test::TempFolder folder;
    const auto mine = privateLocalFolder(folder.path());
    ASSERT_FALSE(mine.empty());
    EXPECT_EQ(privateLocalFolder(folder.path()), mine);
    ASSERT_EQ(::chmod(mine.c_str(), 0755), 0);
    EXPECT_TRUE(privateLocalFolder(folder.path()).empty()) << "others could look in";
    std::filesystem::remove(mine);
    std::filesystem::create_directory(folder.path() / "elsewhere");
    std::filesystem::create_directory_symlink(folder.path() / "elsewhere", mine);
    EXPECT_TRUE(privateLocalFolder(folder.path()).empty()) << "a link may lead anywhere";
}

}  // namespace
}  // namespace unmask::ui
