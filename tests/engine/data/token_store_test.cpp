// SPDX-License-Identifier: Apache-2.0
#include "engine/data/token_store.h"

#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "tests/engine/data/store_fixture.h"

namespace unmask {
namespace {

using test::makeStore;
using test::messageOf;
using test::TempFolder;

TEST(TokenStore, DocumentsComeBackWithTheirBounds) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {4, 1, 6});
    ASSERT_EQ(store.documentCount(), 3);
    EXPECT_EQ(store.tokenCount(), 11);
    EXPECT_EQ(store.documentBegin(1), 4);
    EXPECT_EQ(store.documentLength(1), 1);
    EXPECT_EQ(store.documentLength(2), 6);
    std::vector<int32_t> ids(11);
    store.copy(0, 11, ids.data());
    EXPECT_EQ(ids, (std::vector<int32_t>{'a', 'b', 'c', 256, 256, 'o', 'p', 'q', 'r', 's', 256}));
    EXPECT_EQ(store.dataHash(), "data hash");
    EXPECT_EQ(store.tokenizerHash(), makeTokenizer({})->hash());
    EXPECT_EQ(store.report().documents, 3);
}

TEST(TokenStore, NeverReadsOutside) {
    const TempFolder folder;
    const TokenStore store = makeStore(folder, {4});
    int32_t ids[8];
    EXPECT_THROW(store.copy(0, 5, ids), Error);
    EXPECT_THROW(store.copy(-1, 1, ids), Error);
    EXPECT_THROW(store.copy(2, -1, ids), Error);
    EXPECT_THROW(store.copy(INT64_MAX, 2, ids), Error);
    store.copy(4, 0, ids);
}

class DamagedStore : public ::testing::Test {
 protected:
    DamagedStore() { makeStore(m_folder, {40, 40}); }
    std::string opening(TokenStore::Check check = TokenStore::Check::sizes) const {
        return messageOf([&] { TokenStore::open(m_store, check); });
    }
    void replaceInManifest(const std::string& from, const std::string& to) const {
        std::string manifest = test::readFile(m_store / kStoreManifest);
        const size_t at = manifest.find(from);
        ASSERT_NE(at, std::string::npos) << manifest;
        manifest.replace(at, from.size(), to);
        std::ofstream(m_store / kStoreManifest) << manifest;
    }
    TempFolder m_folder;
    std::filesystem::path m_store = m_folder.path() / "stores" / "store";
};

TEST_F(DamagedStore, SoundOnesOpenEitherWay) {
    EXPECT_EQ(opening(), "");
    EXPECT_EQ(opening(TokenStore::Check::hashes), "");
}

TEST_F(DamagedStore, AShortenedFileIsSeenAtOnce) {
    std::filesystem::resize_file(m_store / kStoreTokens, 158);
    EXPECT_NE(opening().find("tokens.bin has 158 bytes, not 160"), std::string::npos) << opening();
}

TEST_F(DamagedStore, AChangedByteIsSeenByHash) {
    std::fstream file(m_store / kStoreTokens, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(20).put('!');
    file.close();
    EXPECT_EQ(opening(), "");
    EXPECT_NE(opening(TokenStore::Check::hashes).find("SHA-256"), std::string::npos);
}

TEST_F(DamagedStore, DamagedBoundsAreSeenAtOnce) {
    std::fstream file(m_store / kStoreDocuments, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(15).put('\x7F');
    file.close();
    EXPECT_NE(opening().find("bounds"), std::string::npos);
}

TEST_F(DamagedStore, ManifestsThatLieAreRefused) {
    replaceInManifest("\"tokens\": 80", "\"tokens\": 90");
    EXPECT_NE(opening().find("counts"), std::string::npos) << opening();
    replaceInManifest("\"tokens\": 90", "\"tokens\": \"x\"");
    EXPECT_NE(opening().find("manifest is damaged"), std::string::npos) << opening();
    std::ofstream(m_store / kStoreManifest) << "{";
    EXPECT_NE(opening(), "");
    std::filesystem::remove(m_store / kStoreManifest);
    EXPECT_NE(opening(), "");
}

TEST_F(DamagedStore, AnotherVersionIsRefusedPolitely) {
    replaceInManifest("\"format\": 1", "\"format\": 2");
    EXPECT_NE(opening().find("another version"), std::string::npos);
}

}  // namespace
}  // namespace unmask
