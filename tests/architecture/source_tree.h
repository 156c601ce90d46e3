// SPDX-License-Identifier: Apache-2.0
// The repository as text, for tests of how it is built: files, their includes, and what their CMake lists say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask::architecture {

struct SourceText {
    std::string path;  // from the root of the repository, with /
    std::string text;
};

// Every file of the working tree but build folders, version control and binaries. Read once.
const std::vector<SourceText>& sourceTree();
const SourceText* findSource(std::string_view path);

bool isUnder(std::string_view path, std::string_view folder);  // "engine/data/x.h" is under "engine/data" and "engine"
bool isCode(std::string_view path);                            // .h .cpp .cu .cuh
std::vector<std::string_view> linesOf(std::string_view text);

// What stands between the quotes or angle brackets of each #include; `quoted` says which.
struct Include {
    std::string name;
    bool quoted = false;
    int line = 0;
};
std::vector<Include> includesOf(std::string_view text);

// "engine/data", "ui/pages", "app", "kernels/common"; empty for what is in no room.
std::string roomOf(std::string_view path);

// The calls of one CMake function: its words, comments left out. The first word is the target.
std::vector<std::vector<std::string>> cmakeCalls(std::string_view text, std::string_view function);
// Words after `keyword` up to the next word in capitals.
std::vector<std::string> wordsAfter(const std::vector<std::string>& call, std::string_view keyword);

std::string joined(const std::vector<std::string>& lines);  // one a line, for messages

}  // namespace unmask::architecture
