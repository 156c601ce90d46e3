// SPDX-License-Identifier: Apache-2.0
// Token ids of all documents, mapped into memory: a folder with tokens.bin (uint16 or uint32, little endian),
// documents.bin (uint64 token offsets, one more than documents) and manifest.json (sizes, SHA-256, import report).
// A document ends with the tokenizer's end-of-document token. Safe to read from several threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/data/import_report.h"

namespace unmask {

class MappedFile;

class TokenStore {
 public:
    enum class Check { sizes, hashes };  // hashes reads every byte

    // Throws Error(badInput) when something is missing, has the wrong size or (Check::hashes) the wrong content.
    static TokenStore open(const std::filesystem::path& folder, Check check = Check::sizes);
    TokenStore(TokenStore&&) noexcept;
    TokenStore& operator=(TokenStore&&) noexcept;
    ~TokenStore();

    int64_t tokenCount() const { return m_tokens; }
    int64_t documentCount() const { return m_documents; }
    int64_t documentBegin(int64_t document) const { return static_cast<int64_t>(m_bounds[document]); }
    int64_t documentLength(int64_t document) const {
        return static_cast<int64_t>(m_bounds[document + 1] - m_bounds[document]);
    }
    void copy(int64_t begin, int64_t count, int32_t* out) const;  // tokens [begin, begin + count)

    const ImportReport& report() const { return m_report; }
    const std::string& dataHash() const { return m_dataHash; }
    const std::string& tokenizerHash() const { return m_tokenizerHash; }
    const std::filesystem::path& folder() const { return m_folder; }

 private:
    TokenStore();

    std::filesystem::path m_folder;
    std::unique_ptr<MappedFile> m_tokenFile;
    std::unique_ptr<MappedFile> m_documentFile;
    const uint64_t* m_bounds = nullptr;
    int m_idBytes = 2;
    int64_t m_tokens = 0;
    int64_t m_documents = 0;
    ImportReport m_report;
    std::string m_dataHash;
    std::string m_tokenizerHash;
};

}  // namespace unmask
