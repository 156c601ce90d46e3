// SPDX-License-Identifier: Apache-2.0
#include "engine/data/token_store_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "engine/base/process_identity.h"
#include "engine/data/token_store.h"
#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

using test::TempFolder;

// Ids above 16 bits, and text that may only be cut after a blank.
class WideTokenizer final : public Tokenizer {
 public:
    void encodeTo(std::string_view text, std::vector<int32_t>& ids) const override {
        for (const char c : text)
            ids.push_back(100000 + static_cast<unsigned char>(c));
        pieces.emplace_back(text);
    }
    size_t safeCut(std::string_view text) const override {
        const size_t blank = text.rfind(' ');
        return blank == std::string_view::npos ? 0 : blank + 1;
    }
    std::string decode(std::span<const int32_t>) const override { return {}; }
    int32_t vocabularySize() const override { return 200000; }
    int32_t endOfDocument() const override { return 1; }
    int32_t padding() const override { return 2; }
    int32_t mask() const override { return 3; }
    std::string hash() const override { return "wide"; }
    mutable std::vector<std::string> pieces;
};

size_t entriesOf(const std::filesystem::path& folder) {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(TokenStoreWriter, WideIdsTakeFourBytesAndTextIsCutWhereTheTokenizerAllows) {
    const TempFolder folder;
    const WideTokenizer tokenizer;
    TokenStoreWriter writer(folder.path(), tokenizer);
    std::string text;
    while (text.size() < 1000000)
        text += "word ";
    for (size_t at = 0; at < text.size(); at += 77777)
        writer.text(std::string_view(text).substr(at, 77777));
    writer.endDocument();
    EXPECT_EQ(writer.tokens(), static_cast<int64_t>(text.size()) + 1);
    writer.publish("wide", {}, "hash");
    EXPECT_GT(tokenizer.pieces.size(), 3u);
    for (const std::string& piece : tokenizer.pieces)
        EXPECT_TRUE(piece.ends_with(' ') && piece.starts_with('w'));
    const TokenStore store = TokenStore::open(folder.path() / "wide", TokenStore::Check::hashes);
    std::vector<int32_t> ids(static_cast<size_t>(store.tokenCount()));
    store.copy(0, store.tokenCount(), ids.data());
    for (size_t i = 0; i < text.size(); ++i)
        ASSERT_EQ(ids[i], 100000 + text[i]);
    EXPECT_EQ(ids.back(), 1);
}

TEST(TokenStoreWriter, NothingIsLeftWhenItIsNotPublished) {
    const TempFolder folder;
    const auto tokenizer = makeTokenizer({});
    {
        TokenStoreWriter writer(folder.path(), *tokenizer);
        writer.text("half");
        EXPECT_EQ(entriesOf(folder.path()), 1u);
    }
    EXPECT_EQ(entriesOf(folder.path()), 0u);
}

TEST(TokenStoreWriter, TheSecondOfTwoMakersKeepsTheFirstStore) {
    const TempFolder folder;
    const auto tokenizer = makeTokenizer({});
    TokenStoreWriter first(folder.path(), *tokenizer);
    TokenStoreWriter second(folder.path(), *tokenizer);
    for (TokenStoreWriter* writer : {&first, &second}) {
        writer->text("same");
        writer->endDocument();
    }
    first.publish("store", {}, "first");
    const TokenStore open = TokenStore::open(folder.path() / "store");
    second.publish("store", {}, "second");
    EXPECT_EQ(TokenStore::open(folder.path() / "store").dataHash(), "first");
    EXPECT_EQ(entriesOf(folder.path()), 1u);
    int32_t id = 0;
    open.copy(0, 1, &id);
    EXPECT_EQ(id, 's');
}

TEST(TokenStoreWriter, ADamagedStoreOfThatNameIsReplaced) {
    const TempFolder folder;
    const auto tokenizer = makeTokenizer({});
    std::filesystem::create_directory(folder.path() / "store");
    folder.write("store/manifest.json", "{");
    TokenStoreWriter writer(folder.path(), *tokenizer);
    writer.text("x");
    writer.endDocument();
    writer.publish("store", {}, "hash");
    EXPECT_EQ(TokenStore::open(folder.path() / "store").tokenCount(), 2);
    EXPECT_EQ(entriesOf(folder.path()), 1u);
}

TEST(TokenStoreWriter, LeftoversOfDeadProcessesAreSweptAndThoseOfLivingOnesKept) {
    const TempFolder folder;
    const auto tokenizer = makeTokenizer({});
    const pid_t child = ::fork();
    if (child == 0) {
        auto* writer = new TokenStoreWriter(folder.path(), *tokenizer);
        writer->text("killed");
        ::_exit(0);  // as a SIGKILL would: nothing is tidied up
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_EQ(entriesOf(folder.path()), 1u);
    const TokenStoreWriter living(folder.path(), *tokenizer);
    EXPECT_EQ(entriesOf(folder.path()), 1u) << "the dead one's folder is gone";
    const TokenStoreWriter other(folder.path(), *tokenizer);
    EXPECT_EQ(entriesOf(folder.path()), 2u) << "the living one's folder stays";
}

TEST(TokenStoreWriter, AFolderThatCannotBeMadeIsNamed) {
    const TempFolder folder;
    const auto tokenizer = makeTokenizer({});
    const std::filesystem::path file = folder.write("file", "x");
    EXPECT_NE(test::messageOf([&] { TokenStoreWriter(file / "stores", *tokenizer); }).find("stores"),
              std::string::npos);
}

}  // namespace
}  // namespace unmask
