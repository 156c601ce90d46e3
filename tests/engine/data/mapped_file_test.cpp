// SPDX-License-Identifier: Apache-2.0
#include "engine/data/mapped_file.h"

#include <gtest/gtest.h>

#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

TEST(MappedFile, ShowsTheBytesAndOutlivesTheName) {
    const test::TempFolder folder;
    const std::filesystem::path file = folder.write("a", "bytes");
    const MappedFile mapped(file);
    std::filesystem::remove(file);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(mapped.data()), mapped.size()), "bytes");
}

TEST(MappedFile, RefusesWhatHasNoContentOrIsALink) {
    const test::TempFolder folder;
    EXPECT_THROW(MappedFile(folder.path() / "absent"), Error);
    EXPECT_THROW(MappedFile(folder.write("empty", "")), Error);
    EXPECT_THROW(MappedFile(folder.path()), Error);
    EXPECT_THROW(MappedFile("/dev/zero"), Error);
    std::filesystem::create_symlink(folder.write("a", "x"), folder.path() / "link");
    EXPECT_THROW(MappedFile(folder.path() / "link"), Error);
}

}  // namespace
}  // namespace unmask
