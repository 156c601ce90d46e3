// SPDX-License-Identifier: Apache-2.0
#include "engine/base/durable_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/error.h"

using namespace unmask;
namespace fs = std::filesystem;

namespace {
class DurableFile : public testing::Test {
 protected:
    void SetUp() override {
        m_folder = fs::temp_directory_path() / ("unmask-durable-" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    size_t filesInFolder() const {
        return static_cast<size_t>(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
    }
    fs::path m_folder;
};
}  // namespace

TEST_F(DurableFile, ReplacesWholeContentAndLeavesNothingBeside) {
    const fs::path file = m_folder / "状态 ü.json";
    replaceFile(file, "one", Durability::durable);
    replaceFile(file, "two, and longer", Durability::news, 0600);
    EXPECT_EQ(readWholeFile(file), "two, and longer");
    EXPECT_EQ(filesInFolder(), 1u);
    EXPECT_EQ(fs::status(file).permissions() & fs::perms::all, fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(DurableFile, CreateRefusesAnExistingFileAndALink) {
    const fs::path file = m_folder / "run.json";
    createFile(file, "first");
    EXPECT_THROW(createFile(file, "second"), Error);
    EXPECT_EQ(readWholeFile(file), "first");
    fs::create_symlink(m_folder / "elsewhere", m_folder / "link");
    EXPECT_THROW(createFile(m_folder / "link", "x"), Error);
    EXPECT_FALSE(fs::exists(m_folder / "elsewhere"));
}

TEST_F(DurableFile, RefusesWhatIsNoRegularFile) {
    ASSERT_EQ(::mkfifo((m_folder / "fifo").c_str(), 0600), 0);
    for (const fs::path& place : {m_folder / "fifo", m_folder, fs::path("/dev/zero"), m_folder / "missing"})
        EXPECT_THROW(readWholeFile(place), Error) << place;
}

TEST_F(DurableFile, RefusesMoreThanTheLimit) {
    replaceFile(m_folder / "big", std::string(1000, 'x'), Durability::news);
    EXPECT_THROW(readWholeFile(m_folder / "big", 999), Error);
    EXPECT_EQ(readWholeFile(m_folder / "big", 1000).size(), 1000u);
}

TEST_F(DurableFile, AFullVolumeIsADiskErrorThatNamesBytes) {
    FileDescriptor full(::open("/dev/full", O_WRONLY));
    ASSERT_TRUE(full.valid());
    try {
        writeAll(full.get(), std::string(4096, 'x'), "/dev/full");
        FAIL() << "writing to a full volume succeeded";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::disk);
        EXPECT_NE(std::string(error.what()).find("4.0 KiB needed"), std::string::npos) << error.what();
    }
}
