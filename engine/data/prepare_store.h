// SPDX-License-Identifier: Apache-2.0
// Files of the user to a token store in the cache, made once for each content, tokenizer and options.
#pragma once

#include <filesystem>
#include <string>

#include "engine/data/import_report.h"
#include "engine/protocol/data_config.h"

namespace unmask {

struct PreparedStore {
    std::filesystem::path path;  // folder for TokenStore::open
    ImportReport report;
    std::string dataHash;  // SHA-256 of the contents of the files, in their order
    std::string tokenizerHash;
    bool reused = false;
};

struct PrepareOptions {
    std::filesystem::path storesFolder;        // empty: cacheFolder()/stores
    size_t maxRecordBytes = size_t{64} << 20;  // a longer line or element is skipped without being held in memory
};

// Throws Error(badInput) with a sentence for people where the data cannot be used: missing, empty or unreadable file,
// FIFO, folder or device, other encodings, more malformed lines than `badLineLimit` allows.
PreparedStore prepareStore(const DataConfig& data, const TokenizerConfig& tokenizer,
                           const ImportCallback& progress = {}, const PrepareOptions& options = {});

// The files an import would read: the configured ones, or those of the bundled sample corpus.
std::vector<std::filesystem::path> dataFiles(const DataConfig& data);

}  // namespace unmask
