// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/source_tree.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace unmask::architecture {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 4> kSkippedFolders{"build", ".git", ".carry", "__pycache__"};
constexpr std::array<std::string_view, 10> kBinaryEndings{".png", ".ico", ".ttf", ".otf", ".safetensors",
                                                          ".bin", ".qm",  ".gz",  ".pyc", ".swp"};

bool endsWithOneOf(std::string_view path, auto endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}

std::string_view trimmed(std::string_view line) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<SourceText> readTree() {
    const fs::path root = UNMASK_SOURCE_DIR;
    std::vector<SourceText> files;
    for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
        const std::string name = entry->path().filename().string();
        if (entry->is_directory()) {
            if (std::find(kSkippedFolders.begin(), kSkippedFolders.end(), name) != kSkippedFolders.end())
                entry.disable_recursion_pending();
            continue;
        }
        if (!entry->is_regular_file() || endsWithOneOf(name, kBinaryEndings))
            continue;
        std::ostringstream text;
        text << std::ifstream(entry->path(), std::ios::binary).rdbuf();
        files.push_back({fs::relative(entry->path(), root).generic_string(), text.str()});
    }
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return files;
}

bool isKeyword(const std::string& word) {
    return word.size() > 1 &&
           std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

}  // namespace

const std::vector<SourceText>& sourceTree() {
    static const std::vector<SourceText> files = readTree();
    return files;
}

const SourceText* findSource(std::string_view path) {
    const auto& files = sourceTree();
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const SourceText& file) { return file.path == path; });
    return found == files.end() ? nullptr : &*found;
}

bool isUnder(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

bool isCode(std::string_view path) {
    return endsWithOneOf(path, std::array<std::string_view, 4>{".h", ".cpp", ".cu", ".cuh"});
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::vector<Include> includesOf(std::string_view text) {
    std::vector<Include> includes;
    int number = 0;
    for (std::string_view line : linesOf(text)) {
        ++number;
        line = trimmed(line);
        if (!line.starts_with('#'))
            continue;
        line = trimmed(line.substr(1));
        if (!line.starts_with("include"))
            continue;
        const size_t open = line.find_first_of("\"<");
        const size_t close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
        if (close != std::string_view::npos)
            includes.push_back({std::string(line.substr(open + 1, close - open - 1)), line[open] == '"', number});
    }
    return includes;
}

std::string roomOf(std::string_view path) {
    if (isUnder(path, "app"))
        return "app";
    for (std::string_view house : {"engine", "ui", "kernels"}) {
        if (!isUnder(path, house))
            continue;
        const size_t end = path.find('/', house.size() + 1);
        return std::string(path.substr(0, end == std::string_view::npos ? house.size() : end));
    }
    return {};
}

std::vector<std::vector<std::string>> cmakeCalls(std::string_view text, std::string_view function) {
    std::string code;
    for (const std::string_view line : linesOf(text))
        code += std::string(line.substr(0, line.find('#'))) + "\n";
    std::vector<std::vector<std::string>> calls;
    const std::string opening = std::string(function) + "(";
    for (size_t at = code.find(opening); at != std::string::npos; at = code.find(opening, at + 1)) {
        const size_t begin = at + opening.size();
        std::istringstream words(code.substr(begin, code.find(')', begin) - begin));
        std::vector<std::string> call;
        for (std::string word; words >> word;)
            call.push_back(word);
        if (!call.empty() && call.front().find('$') == std::string::npos)
            calls.push_back(std::move(call));
    }
    return calls;
}

std::vector<std::string> wordsAfter(const std::vector<std::string>& call, std::string_view keyword) {
    auto at = std::find(call.begin(), call.end(), keyword);
    if (at == call.end())
        return {};
    const auto end = std::find_if(++at, call.end(), isKeyword);
    return {at, end};
}

std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines)
        all += "  " + line + "\n";
    return all;
}

}  // namespace unmask::architecture
