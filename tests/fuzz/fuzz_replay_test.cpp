// SPDX-License-Identifier: Apache-2.0
// The corpus (what once went wrong, and the malformed inputs the design names) and a few thousand mutations of sound
// inputs through each parser. The long search is `unmask_fuzz`, built by the target of that name where clang is.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/temp_run.h"

namespace unmask::fuzz {
namespace {

std::string mutated(std::string bytes, std::mt19937& random) {
    static const std::vector<std::string> kPieces{"{",
                                                  "}",
                                                  "[",
                                                  "]",
                                                  "\"",
                                                  ",",
                                                  ":",
                                                  "\\u0000",
                                                  "\xFF",
                                                  "1e400",
                                                  "null",
                                                  "-1",
                                                  "1.5",
                                                  "\n",
                                                  "NaN",
                                                  "0",
                                                  "true",
                                                  "\xED\xA0\x80",
                                                  "99999999999999999999999999",
                                                  "9223372036854775807",
                                                  "18446744073709551615"};
    const auto below = [&](size_t limit) { return limit == 0 ? 0 : random() % limit; };
    const auto changes = 1 + below(4);
    for (size_t change = 0; change < changes; ++change) {
        const size_t at = below(bytes.size() + 1);
        switch (below(6)) {
            case 0:
                if (at < bytes.size())
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
                break;
            case 1:
                bytes.resize(at);
                break;
            case 2:
                bytes.erase(at, below(12));
                break;
            case 3:
                bytes.insert(at, kPieces[below(kPieces.size())]);
                break;
            case 4:
                bytes.insert(at, bytes.substr(below(bytes.size() + 1), below(40)));
                break;
            default:
                bytes.insert(at, std::string(below(200), "[{\"0 "[below(5)]));
        }
    }
    return bytes;
}

class FuzzReplay : public testing::TestWithParam<Target> {};

TEST_P(FuzzReplay, seedsMutationsAndCorpus) {
    const Target& target = GetParam();
    const auto seeds = target.seeds();
    std::mt19937 random(20261201);
    for (const std::string& seed : seeds) {
        target.run(seed);
        for (int i = 0; i < 500; ++i)
            target.run(mutated(seed, random));
    }
    for (const std::string& hostile : {std::string(100000, '['), std::string(100000, '{'), std::string(8, '\xFF'),
                                       std::string(70000, '\n'), std::string("\xEF\xBB\xBF{}"), std::string(1, '\0')})
        target.run(hostile);
    const auto corpus = std::filesystem::path(UNMASK_SOURCE_DIR) / "tests/fuzz/corpus" / target.name;
    std::error_code absent;
    for (const auto& entry : std::filesystem::directory_iterator(corpus, absent))
        target.run(test::readBytes(entry.path()));
}

INSTANTIATE_TEST_SUITE_P(Parsers, FuzzReplay, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace unmask::fuzz
