// SPDX-License-Identifier: Apache-2.0
#include "engine/base/sha256.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"

using namespace unmask;

TEST(Sha256, MatchesPublishedValues) {  // FIPS 180-2, appendix B
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, PiecesAndFilesGiveTheSame) {
    const std::string bytes(3'000'001, 'u');
    Sha256 pieces;
    pieces.update(std::string_view(bytes).substr(0, 1));
    pieces.update(std::string_view(bytes).substr(1));
    const auto file = std::filesystem::temp_directory_path() / ("unmask-sha-" + std::to_string(::getpid()));
    replaceFile(file, bytes, Durability::news);
    EXPECT_EQ(sha256OfFile(file), pieces.hex());
    std::filesystem::remove(file);
    EXPECT_THROW(sha256OfFile(file), Error);
    EXPECT_THROW(sha256OfFile("/dev/zero"), Error);
}
