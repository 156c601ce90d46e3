// SPDX-License-Identifier: Apache-2.0
#include "engine/data/sample_corpus.h"

#include <array>
#include <cstdlib>

#include "engine/base/error.h"
#include "engine/base/places.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

constexpr std::array kFiles{"english.txt", "chinese.txt"};

std::vector<fs::path> candidateFolders() {
    std::vector<fs::path> folders;
    if (const char* resources = std::getenv("UNMASK_RESOURCES"); resources && *resources)
        folders.push_back(fs::path(resources) / "corpus");
    folders.push_back(executableFolder().parent_path() / "share" / "unmask" / "corpus");
    folders.push_back(executableFolder() / "resources" / "corpus");
    folders.push_back(fs::path(UNMASK_SOURCE_RESOURCES) / "corpus");
    return folders;
}

}  // namespace

std::vector<fs::path> sampleCorpusFiles() {
    std::string tried;
    for (const fs::path& folder : candidateFolders()) {
        std::error_code error;
        std::vector<fs::path> files;
        for (const char* name : kFiles)
            if (fs::is_regular_file(folder / name, error))
                files.push_back(folder / name);
        if (files.size() == kFiles.size())
            return files;
        tried += (tried.empty() ? "" : ", ") + folder.string();
    }
    throw Error{ErrorCode::badInput, "[data] the sample corpus is not installed (looked in " + tried +
                                         "); name data files, or set UNMASK_RESOURCES"};
}

}  // namespace unmask
