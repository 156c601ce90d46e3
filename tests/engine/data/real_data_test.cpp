// SPDX-License-Identifier: Apache-2.0
// Files that people really bring, imported as they are and compared with counts made here without the importers.
#include <gtest/gtest.h>

#include "engine/base/json.h"
#include "engine/data/batch_loader.h"
#include "engine/data/token_store.h"
#include "tests/engine/data/temp_data.h"

namespace unmask {
namespace {

struct Expected {
    int64_t documents = 0;
    int64_t textBytes = 0;
};

Expected countText(const std::string& bytes) {
    return {1, static_cast<int64_t>(bytes.size())};
}

Expected countJsonLines(const std::string& bytes) {
    Expected expected;
    std::istringstream lines(bytes);
    for (std::string line; std::getline(lines, line);) {
        ++expected.documents;
        expected.textBytes += static_cast<int64_t>(nlohmann::json::parse(line).at("text").get<std::string>().size());
    }
    return expected;
}

Expected countInstructions(const std::string& bytes) {
    Expected expected;
    for (const auto& element : nlohmann::json::parse(bytes)) {
        ++expected.documents;
        int64_t fields = 0;
        for (const auto& value : element) {
            if (!value.is_string() || value.get<std::string>().empty())
                continue;
            ++fields;
            expected.textBytes += static_cast<int64_t>(value.get<std::string>().size());
        }
        expected.textBytes += 2 * (fields - 1);
    }
    return expected;
}

class RealData : public ::testing::Test {
 protected:
    void imports(const std::string& name, const std::string& format, Expected (*count)(const std::string&)) const {
        const std::filesystem::path file = test::realData(name);
        if (file.empty())
            GTEST_SKIP() << name << " is not on this machine (UNMASK_TEST_DATA)";
        const Expected expected = count(test::readFile(file));
        ASSERT_GT(expected.documents, 0);
        DataConfig data;
        data.files = {file.string()};
        const PreparedStore prepared = prepareStore(data, {}, {}, {.storesFolder = m_folder.path()});
        EXPECT_EQ(prepared.report.files[0].format, format);
        EXPECT_EQ(prepared.report.documents, expected.documents);
        EXPECT_EQ(prepared.report.textBytes, expected.textBytes);
        EXPECT_EQ(prepared.report.tokens, expected.textBytes + expected.documents);
        EXPECT_EQ(prepared.report.badLines, 0);
        const TokenStore store = TokenStore::open(prepared.path, TokenStore::Check::hashes);
        EXPECT_EQ(store.documentCount(), expected.documents);
        const SampleIndex index(store, 256, 0.05);
        const Sampler sampler = Sampler::training(index, {});
        EXPECT_EQ(loadBatch(sampler, 0, 16, 257).microBatches.size(), 4u);
    }
    test::TempFolder m_folder;
};

TEST_F(RealData, TinyShakespeare) {
    imports("tinyshakespeare.txt", "text", countText);
}
TEST_F(RealData, WikiText) {
    imports("wikitext2_valid.txt", "text", countText);
}
TEST_F(RealData, C4) {
    imports("c4_demo.jsonl", "jsonl", countJsonLines);
}
TEST_F(RealData, AlpacaChinese) {
    imports("alpaca_zh_demo.json", "json", countInstructions);
}
TEST_F(RealData, AlpacaEnglish) {
    imports("alpaca_en_demo.json", "json", countInstructions);
}
TEST_F(RealData, GradeSchoolMaths) {
    imports("gsm8k_test.jsonl", "jsonl", [](const std::string& bytes) {
        std::string array = "[" + bytes;
        for (size_t at = array.find("\n{"); at != std::string::npos; at = array.find("\n{", at + 1))
            array[at] = ',';
        return countInstructions(array + "]");
    });
}

TEST_F(RealData, PreferencePairsWithoutATopLevelTextAreRefusedInWords) {
    const std::filesystem::path file = test::realData("dpo_en_demo.json");
    if (file.empty())
        GTEST_SKIP() << "dpo_en_demo.json is not on this machine (UNMASK_TEST_DATA)";
    DataConfig data;
    data.files = {file.string()};
    const std::string message = test::messageOf([&] { prepareStore(data, {}, {}, {.storesFolder = m_folder.path()}); });
    EXPECT_NE(message.find("no field holds text"), std::string::npos) << message;
}

}  // namespace
}  // namespace unmask
