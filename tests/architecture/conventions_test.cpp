// SPDX-License-Identifier: Apache-2.0
// Rules that a machine can hold: sizes, licence lines, words that must not appear.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/architecture/source_tree.h"

namespace unmask::architecture {
namespace {

constexpr size_t kMostLines = 600;

bool isScript(const SourceText& file) {
    return file.path.ends_with(".py") || file.path.ends_with(".sh") || file.text.starts_with("#!");
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

// Lines of `file` that hold `word`, as "path:line".
std::vector<std::string> placesOf(const SourceText& file, std::string_view word) {
    std::vector<std::string> places;
    int number = 0;
    for (const std::string_view line : linesOf(file.text)) {
        ++number;
        if (line.find(word) != std::string_view::npos)
            places.push_back(file.path + ":" + std::to_string(number) + " has " + std::string(word));
    }
    return places;
}

void append(std::vector<std::string>& all, std::vector<std::string> more) {
    all.insert(all.end(), more.begin(), more.end());
}

TEST(Conventions, NoFileIsLongerThanSixHundredLines) {
    std::vector<std::string> longer;
    for (const SourceText& file : sourceTree())
        if (isCode(file.path) && linesOf(file.text).size() > kMostLines)
            longer.push_back(file.path + ": " + std::to_string(linesOf(file.text).size()) + " lines");
    EXPECT_TRUE(longer.empty()) << joined(longer);
}

TEST(Conventions, EachSourceBeginsWithItsLicence) {
    std::vector<std::string> without;
    for (const SourceText& file : sourceTree()) {
        const std::string_view text = file.text;
        if (isCode(file.path) && !text.starts_with("// SPDX-License-Identifier: Apache-2.0\n"))
            without.push_back(file.path);
        else if (isScript(file) &&
                 text.substr(0, 200).find("SPDX-License-Identifier: Apache-2.0") == std::string_view::npos)
            without.push_back(file.path);
    }
    EXPECT_TRUE(without.empty()) << joined(without);
}

TEST(Conventions, HeadersAreReadOnce) {
    std::vector<std::string> without;
    for (const SourceText& file : sourceTree())
        if (file.path.ends_with(".h") && file.text.find("\n#pragma once\n") == std::string::npos)
            without.push_back(file.path);
    EXPECT_TRUE(without.empty()) << joined(without);
}

TEST(Conventions, ModelAndObjectiveKnowNothingOfOtherDevices) {
    std::vector<std::string> found;
    for (const SourceText& file : sourceTree())
        if (isUnder(file.path, "engine/model") || isUnder(file.path, "engine/objective"))
            for (const char* word : {"nccl", "mesh", "world_size", "world size", "worldsize"})
                append(found, placesOf({file.path, lowerCase(file.text)}, word));
    EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(Conventions, NoStandardRegexAnywhere) {
    std::vector<std::string> found;
    for (const SourceText& file : sourceTree())
        if (isCode(file.path) && !roomOf(file.path).empty())
            append(found, placesOf(file, "std::regex"));
    EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(Conventions, TestsDoNotIncludeSources) {
    std::vector<std::string> found;
    for (const SourceText& file : sourceTree())
        if (isCode(file.path))
            for (const Include& include : includesOf(file.text))
                if (include.name.ends_with(".cpp"))
                    found.push_back(file.path + " includes " + include.name);
    EXPECT_TRUE(found.empty()) << joined(found);
}

// Whether `path` stands in `text` as the beginning of an absolute path, not inside a longer word.
bool namesPath(std::string_view text, std::string_view path) {
    for (size_t at = text.find(path); at != std::string_view::npos; at = text.find(path, at + 1)) {
        const char before = at > 0 ? text[at - 1] : ' ';
        if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '.' && before != '}' &&
            before != '~' && before != '/')
            return true;
    }
    return false;
}

// Written in two parts, so that this file is not found.
const std::vector<std::string> kPlacesOfOneMachine{
    "/wo"
    "rk/",
    "/opt/"
    "torch",
    "/ro"
    "ot/",
    "/tmp/"
    "venv"};

TEST(Conventions, NoPathsOfOneMachine) {
    EXPECT_TRUE(namesPath("cd " + kPlacesOfOneMachine[0] + "main", kPlacesOfOneMachine[0]));
    EXPECT_FALSE(namesPath("net" + kPlacesOfOneMachine[0] + "main", kPlacesOfOneMachine[0]));
    std::vector<std::string> found;
    for (const SourceText& file : sourceTree()) {
        if (isUnder(file.path, "tests/bench/results"))
            continue;
        int number = 0;
        for (const std::string_view line : linesOf(file.text)) {
            ++number;
            for (const std::string& path : kPlacesOfOneMachine)
                if (namesPath(line, path))
                    found.push_back(file.path + ":" + std::to_string(number) + " names " + path);
        }
    }
    EXPECT_TRUE(found.empty()) << joined(found);
}

}  // namespace
}  // namespace unmask::architecture
