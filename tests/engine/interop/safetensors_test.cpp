// SPDX-License-Identifier: Apache-2.0
// Files round trip with their hashes; only plain files are opened and none is written over.
#include "engine/interop/safetensors.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>

#include "tests/support/temp_run.h"

namespace unmask {
namespace {

TEST(Safetensors, roundTripWithHashes) {
    const test::TempFolder folder;
    const auto file = folder.path() / "a.safetensors";
    const std::vector<float> values{1, 2, std::nanf(""), -INFINITY, 5, 6};
    const std::vector<int64_t> numbers{7};
    SafetensorsWriter writer(file,
                             {{"empty", TensorType::float64, {0, 3}},
                              {"w", TensorType::float32, {2, 3}},
                              {"empty too", TensorType::uint8, {0}},
                              {"scalar 标量", TensorType::int64, {}}},
                             {{"origin", "test"}});
    writer.writeTensor(nullptr);
    writer.writeTensor(values.data());
    writer.writeTensor(nullptr);
    writer.writeTensor(numbers.data());
    const auto written = writer.finish();
    EXPECT_EQ(written.sha256, sha256OfFile(file));
    EXPECT_EQ(written.bytes, std::filesystem::file_size(file));

    const SafetensorsReader reader(file);
    EXPECT_EQ(reader.header().metadata.at("origin"), "test");
    EXPECT_EQ(reader.header().dataStart % 8, 0u);
    std::vector<float> back(6);
    reader.read(*reader.find("w"), back.data());
    EXPECT_EQ(std::memcmp(back.data(), values.data(), sizeof(float) * 6), 0);
    EXPECT_TRUE(reader.find("scalar 标量")->shape.empty());
    EXPECT_EQ(reader.find("nothing"), nullptr);
    std::vector<std::string> hashes;
    std::vector<std::string> names;
    const std::string hash = reader.readAndHash(nullptr, [&](const TensorInfo& info, const std::string& sha) {
        names.push_back(info.name);
        hashes.push_back(sha);
    });
    EXPECT_EQ(hash, written.sha256);
    EXPECT_EQ(hashes, written.tensorSha256);
    EXPECT_EQ(names, (std::vector<std::string>{"empty", "w", "empty too", "scalar 标量"}));
    EXPECT_EQ(hashes[1], sha256Hex({reinterpret_cast<const char*>(values.data()), 24}));
}

TEST(Safetensors, neverWritesOverAFileOrThroughALink) {
    const test::TempFolder folder;
    test::writeBytes(folder.path() / "there", "data");
    EXPECT_THROW(SafetensorsWriter(folder.path() / "there", {}), Error);
    std::filesystem::create_symlink("elsewhere", folder.path() / "link");
    EXPECT_THROW(SafetensorsWriter(folder.path() / "link", {}), Error);
    EXPECT_EQ(test::readBytes(folder.path() / "there"), "data");
}

TEST(Safetensors, writerRefusesAWrongNumberOfTensors) {
    const test::TempFolder folder;
    SafetensorsWriter writer(folder.path() / "a", {{"t", TensorType::uint8, {1}}});
    EXPECT_THROW(writer.finish(), Error);
    writer.writeTensor("x");
    EXPECT_THROW(writer.writeTensor("x"), Error);
}

TEST(Safetensors, onlyPlainFilesAreOpened) {
    const test::TempFolder folder;
    ASSERT_EQ(::mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
    EXPECT_THROW(SafetensorsReader(folder.path() / "fifo"), Error);
    EXPECT_THROW(SafetensorsReader(folder.path()), Error);
    EXPECT_THROW(SafetensorsReader("/dev/zero"), Error);
    test::writeBytes(folder.path() / "real", std::string("\2\0\0\0\0\0\0\0{}", 10));
    std::filesystem::create_symlink("real", folder.path() / "link");
    EXPECT_NO_THROW(SafetensorsReader(folder.path() / "link"));
    EXPECT_THROW(SafetensorsReader(folder.path() / "link", SafetensorsReader::Links::refuse), Error);
}

}  // namespace
}  // namespace unmask
