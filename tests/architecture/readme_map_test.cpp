// SPDX-License-Identifier: Apache-2.0
// Who opens the README finds every folder named: a new room cannot be added in silence.
#include <gtest/gtest.h>

#include <set>

#include "tests/architecture/source_tree.h"

namespace unmask::architecture {
namespace {

std::set<std::string> topFolders() {
    std::set<std::string> folders;
    for (const SourceText& file : sourceTree())
        if (const size_t end = file.path.find('/'); end != std::string::npos && file.path.front() != '.')
            folders.insert(file.path.substr(0, end));
    return folders;
}

std::set<std::string> engineRooms() {
    std::set<std::string> rooms;
    for (const SourceText& file : sourceTree())
        if (const std::string room = roomOf(file.path); isUnder(room, "engine"))
            rooms.insert(room.substr(7));
    return rooms;
}

// `name` as a word of its own: "data" is not named by "database".
bool names(std::string_view text, std::string_view name) {
    const auto isWord = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const size_t end = at + name.size();
        if ((at == 0 || !isWord(text[at - 1])) && (end == text.size() || !isWord(text[end])))
            return true;
    }
    return false;
}

TEST(ReadmeMap, NamesEveryTopFolderAndEngineRoom) {
    EXPECT_FALSE(names("a database", "data"));
    EXPECT_TRUE(names("engine/data", "data"));
    const SourceText* readme = findSource("README.md");
    ASSERT_NE(readme, nullptr);
    std::vector<std::string> missing;
    for (const std::string& folder : topFolders())
        if (readme->text.find(folder + "/") == std::string::npos)
            missing.push_back(folder + "/");
    for (const std::string& room : engineRooms())
        if (!names(readme->text, room))
            missing.push_back("engine/" + room);
    EXPECT_TRUE(missing.empty()) << "the map in README.md lacks:\n" << joined(missing);
}

}  // namespace
}  // namespace unmask::architecture
