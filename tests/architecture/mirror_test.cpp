// SPDX-License-Identifier: Apache-2.0
// engine/data/packer.cpp ↔ tests/engine/data/packer_test.cpp, or another test in tests/engine/data that includes its
// header. Sources without either are listed in sources_without_test.txt, and that list can only become shorter.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/architecture/source_tree.h"

namespace unmask::architecture {
namespace {

// Headers that the tests of a room include, and the names of those tests.
const std::set<std::string>& testedFiles() {
    static const std::set<std::string> files = [] {
        std::set<std::string> found;
        for (const SourceText& file : sourceTree()) {
            if (!isUnder(file.path, "tests") || !isCode(file.path))
                continue;
            const std::string folder = file.path.substr(6, file.path.rfind('/') - 6);
            if (file.path.ends_with("_test.cpp"))
                found.insert(file.path.substr(6, file.path.size() - 6 - std::string_view("_test.cpp").size()));
            for (const Include& include : includesOf(file.text))
                if (isUnder(include.name, folder))
                    found.insert(include.name.substr(0, include.name.rfind('.')));
        }
        return found;
    }();
    return files;
}

bool hasTest(std::string_view source) {
    return testedFiles().contains(std::string(source.substr(0, source.rfind('.'))));
}

// Entry points and lists of commands are run by tests/e2e and have nothing else to test.
bool isProgram(std::string_view path) {
    return path.ends_with("/main.cpp");
}

bool wantsTest(std::string_view path) {
    return (isUnder(path, "engine") || isUnder(path, "ui")) && path.ends_with(".cpp") && !isProgram(path);
}

std::set<std::string> allowed() {
    std::set<std::string> paths;
    const SourceText* list = findSource("tests/architecture/sources_without_test.txt");
    for (const std::string_view line : linesOf(list ? std::string_view(list->text) : ""))
        if (!line.empty() && line.front() != '#')
            paths.emplace(line);
    return paths;
}

TEST(Mirror, EachSourceHasATestOrIsListed) {
    const std::set<std::string> excused = allowed();
    std::vector<std::string> untested;
    for (const SourceText& file : sourceTree())
        if (wantsTest(file.path) && !hasTest(file.path) && !excused.contains(file.path))
            untested.push_back(file.path);
    EXPECT_TRUE(untested.empty()) << "no test for:\n" << joined(untested);
}

TEST(Mirror, TheListOnlyNamesSourcesThatStillLackATest) {
    std::vector<std::string> stale;
    for (const std::string& path : allowed())
        if (!findSource(path) || hasTest(path))
            stale.push_back(path);
    EXPECT_TRUE(stale.empty()) << "take these lines out of sources_without_test.txt:\n" << joined(stale);
}

// A source or test that no list names is never built and never run.
TEST(Mirror, EverySourceAndTestIsBuilt) {
    std::vector<std::string> forgotten;
    for (const SourceText& file : sourceTree()) {
        const bool source = wantsTest(file.path) || isProgram(file.path) || isUnder(file.path, "app");
        const bool test = isUnder(file.path, "tests") && file.path.ends_with("_test.cpp");
        if (!file.path.ends_with(".cpp") || !(source || test))
            continue;
        std::string folder = file.path.substr(0, file.path.rfind('/'));
        std::string name = file.path.substr(folder.size() + 1);
        const SourceText* list = findSource(folder + "/CMakeLists.txt");
        while (!list && folder.find('/') != std::string::npos) {  // cpu/foo.cpp is listed one folder up
            const size_t cut = folder.rfind('/');
            name = folder.substr(cut + 1) + "/" + name;
            folder.resize(cut);
            list = findSource(folder + "/CMakeLists.txt");
        }
        if (!list || list->text.find(name) == std::string::npos)
            forgotten.push_back(file.path);
    }
    EXPECT_TRUE(forgotten.empty()) << "in no CMakeLists.txt:\n" << joined(forgotten);
}

}  // namespace
}  // namespace unmask::architecture
