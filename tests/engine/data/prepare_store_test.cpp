// SPDX-License-Identifier: Apache-2.0
#include "engine/data/prepare_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engine/data/token_store.h"
#include "engine/data/token_store_writer.h"
#include "engine/tokenizer/tokenizer.h"
#include "tests/engine/data/temp_data.h"
#include "tests/support/german_locale.h"

namespace unmask {
namespace {

using test::messageOf;
using test::TempFolder;

class PrepareStore : public ::testing::Test {
 protected:
    PreparedStore prepare(std::vector<std::filesystem::path> files, DataConfig data = {},
                          const ImportCallback& progress = {}) const {
        for (const auto& file : files)
            data.files.push_back(file.string());
        return prepareStore(data, {}, progress, {.storesFolder = stores()});
    }
    std::string refusal(const std::filesystem::path& file, const DataConfig& data = {}) const {
        return messageOf([&] { prepare({file}, data); });
    }
    std::filesystem::path stores() const { return m_folder.path() / "stores"; }
    size_t storeCount() const {
        if (!std::filesystem::exists(stores()))
            return 0;
        return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(stores()), {}));
    }
    std::string textOf(const PreparedStore& prepared) const {
        const TokenStore store = TokenStore::open(prepared.path, TokenStore::Check::hashes);
        std::vector<int32_t> ids(static_cast<size_t>(store.tokenCount()));
        store.copy(0, store.tokenCount(), ids.data());
        std::replace(ids.begin(), ids.end(), 256, int32_t{'|'});
        return makeTokenizer({})->decode(ids);
    }
    TempFolder m_folder;
};

TEST_F(PrepareStore, SeveralFilesOfSeveralFormatsMakeOneStore) {
    const PreparedStore prepared =
        prepare({m_folder.write("a.txt", "plain"), m_folder.write("b.jsonl", "{\"text\":\"line\"}\n"),
                 m_folder.write("c.json", "[{\"content\":\"element\"}]")});
    EXPECT_EQ(textOf(prepared), "plain|line|element|");
    EXPECT_EQ(prepared.report.documents, 3);
    EXPECT_EQ(prepared.report.tokens, 19);
    EXPECT_EQ(prepared.report.textBytes, 16);
    EXPECT_EQ(prepared.report.bytes, 5 + 16 + 23);
    EXPECT_EQ(prepared.report.files[1].format, "jsonl");
    EXPECT_EQ(prepared.report.files[2].format, "json");
    EXPECT_FALSE(prepared.reused);
}

TEST_F(PrepareStore, SameContentIsMadeOnceWhateverItsName) {
    const PreparedStore first = prepare({m_folder.write("a.txt", "text")});
    const PreparedStore again = prepare({m_folder.write("Über 世界.txt", "text")});
    EXPECT_TRUE(again.reused);
    EXPECT_EQ(again.path, first.path);
    EXPECT_EQ(again.dataHash, sha256Hex("text"));
    EXPECT_EQ(again.report.files[0].path, (m_folder.path() / "Über 世界.txt").string()) << "the name of today";
    const PreparedStore other = prepare({m_folder.write("a.txt", "texts")});
    EXPECT_FALSE(other.reused);
    EXPECT_NE(other.path, first.path);
    EXPECT_EQ(storeCount(), 2u);
}

TEST_F(PrepareStore, OptionsThatDecideTokensMakeAnotherStore) {
    const auto file = m_folder.write("a.jsonl", "{\"text\":\"x\",\"body\":\"y\"}\n");
    DataConfig body;
    body.textField = "body";
    DataConfig plain;
    plain.format = DataFormat::text;
    EXPECT_EQ(textOf(prepare({file})), "x|");
    EXPECT_EQ(textOf(prepare({file}, body)), "y|");
    EXPECT_EQ(textOf(prepare({file}, plain)), "{\"text\":\"x\",\"body\":\"y\"}\n|");
    EXPECT_EQ(storeCount(), 3u);
}

TEST_F(PrepareStore, TheBadLineLimitHoldsForReusedStoresToo) {
    std::string lines = "broken\n";
    for (int i = 0; i < 9; ++i)
        lines += "{\"text\":\"x\"}\n";
    const auto file = m_folder.write("a.jsonl", lines);
    DataConfig generous;
    generous.badLineLimit = 0.2;
    EXPECT_NE(refusal(file).find("1 of 10 records (10 %)"), std::string::npos) << refusal(file);
    EXPECT_EQ(storeCount(), 0u) << "a refused import leaves nothing";
    EXPECT_EQ(prepare({file}, generous).report.badLines, 1);
    EXPECT_TRUE(prepare({file}, generous).reused);
    EXPECT_NE(refusal(file).find("1 of 10 records"), std::string::npos);
}

TEST_F(PrepareStore, BadInputGetsASentenceThatNamesTheFile) {
    using namespace std::string_view_literals;
    const auto says = [&](const std::filesystem::path& file, const char* words) {
        const std::string message = refusal(file);
        EXPECT_NE(message.find(words), std::string::npos) << message;
        EXPECT_NE(message.find(file.filename().string()), std::string::npos) << message;
    };
    says(m_folder.path() / "absent.txt", "does not exist");
    says(m_folder.path(), "is a folder");
    says("/dev/zero", "is a device");
    says(m_folder.write("empty.txt", ""), "is empty");
    says(m_folder.write("wide.txt", "\xFF\xFEh\0i\0"sv), "UTF-16");
    says(m_folder.write("latin.txt", "caf\xE9"), "0xE9 at byte offset 3");
    says(m_folder.write("binary.dat", "abc\0def"sv), "NUL byte at byte offset 3");
    says(m_folder.write("packed.gz", "\x1F\x8B\x08\x00"sv), "gzip");
    says(m_folder.write("blank.jsonl", "\n\n\n"), "no text at all");
    says(m_folder.write("hollow.jsonl", "{\"text\":\"\"}\n{\"text\":\"\"}\n"), "no text at all");
    says(m_folder.write("none.json", "[]"), "no text at all");
    const std::filesystem::path pipe = m_folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    says(pipe, "is a pipe");
    EXPECT_EQ(storeCount(), 0u);
}

TEST_F(PrepareStore, NotesSayWhatWasChangedOrGuessed) {
    const PreparedStore prepared =
        prepare({m_folder.write("marked.jsonl", "\xEF\xBB\xBF{\"text\":\"x\"}\n{\"text\":\"\"}\n"),
                 m_folder.write("named.txt", "{\"text\":\"x\"}\n")});
    ASSERT_EQ(prepared.report.notes.size(), 3u);
    EXPECT_NE(prepared.report.notes[0].find("byte order mark"), std::string::npos);
    EXPECT_NE(prepared.report.notes[1].find("looks like JSON lines"), std::string::npos);
    EXPECT_NE(prepared.report.notes[2].find("1 record without text was left out"), std::string::npos);
}

TEST_F(PrepareStore, CancellingKeepsNothing) {
    const auto file = m_folder.write("big.txt", std::string(size_t{5} << 20, 'x'));
    for (const auto phase : {ImportProgress::Phase::hashing, ImportProgress::Phase::importing}) {
        int calls = 0;
        try {
            prepare({file}, {}, [&](const ImportProgress& progress) {
                ++calls;
                EXPECT_LE(progress.bytesDone, progress.bytesTotal);
                return progress.phase != phase || progress.bytesDone < 3 << 20;
            });
            ADD_FAILURE() << "not cancelled";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::stopped);
        }
        EXPECT_GE(calls, 3);
        EXPECT_EQ(storeCount(), 0u);
    }
}

TEST_F(PrepareStore, ADamagedStoreIsMadeAnew) {
    const auto file = m_folder.write("a.txt", "some text");
    const PreparedStore first = prepare({file});
    std::filesystem::resize_file(first.path / kStoreTokens, 4);
    const PreparedStore second = prepare({file});
    EXPECT_FALSE(second.reused);
    EXPECT_EQ(textOf(second), "some text|");
    EXPECT_EQ(storeCount(), 1u);
}

TEST_F(PrepareStore, AFileThatChangesMeanwhileIsNoticed) {
    const auto file = m_folder.write("a.txt", std::string(size_t{3} << 20, 'x'));
    bool changed = false;
    const std::string message = messageOf([&] {
        prepare({file}, {}, [&](const ImportProgress& progress) {
            if (progress.phase == ImportProgress::Phase::importing && !std::exchange(changed, true)) {
                std::fstream(file, std::ios::in | std::ios::out).seekp(size_t{2} << 20).put('y');
            }
            return true;
        });
    });
    EXPECT_NE(message.find("changed while it was read"), std::string::npos) << message;
    EXPECT_EQ(storeCount(), 0u);
}

TEST_F(PrepareStore, FourProcessesAtOnceAllEndWellWithOneStore) {
    const auto file = m_folder.write("a.txt", std::string(size_t{2} << 20, 'x'));
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                ::_exit(prepare({file}).report.tokens == (2 << 20) + 1 ? 0 : 1);
            } catch (...) {
                ::_exit(2);
            }
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(storeCount(), 1u);
    EXPECT_TRUE(prepare({file}).reused);
}

TEST_F(PrepareStore, ADecimalCommaLocaleChangesNothing) {
    const auto file = m_folder.write("a.jsonl", "{\"text\":\"x\",\"n\":1.5}\nbroken\n");
    const std::string before = refusal(file);
    const test::GermanLocale german;
    EXPECT_EQ(refusal(file), before);
    if (!german.active())
        GTEST_SKIP() << "the locale de_DE is not installed";
}

TEST_F(PrepareStore, NoFilesMeansTheSampleCorpus) {
    const PreparedStore prepared = prepare({});
    EXPECT_GE(prepared.report.documents, 2);
    EXPECT_GT(prepared.report.textBytes, 200 << 10);
    EXPECT_EQ(prepared.report.badLines, 0);
    EXPECT_EQ(prepared.report.tokens, prepared.report.textBytes + prepared.report.documents);
}

}  // namespace
}  // namespace unmask
