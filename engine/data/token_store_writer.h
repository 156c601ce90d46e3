// SPDX-License-Identifier: Apache-2.0
// Tokenises documents into a new store. It grows in a folder of its own and becomes visible whole, by rename, or not at
// all; what dead processes left behind is swept away.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/durable_file.h"
#include "engine/base/sha256.h"
#include "engine/data/document_sink.h"
#include "engine/data/import_report.h"
#include "engine/tokenizer/tokenizer.h"

namespace unmask {

inline constexpr int kStoreFormat = 1;
inline constexpr const char* kStoreManifest = "manifest.json";
inline constexpr const char* kStoreTokens = "tokens.bin";
inline constexpr const char* kStoreDocuments = "documents.bin";

class TokenStoreWriter final : public DocumentSink {
 public:
    TokenStoreWriter(const std::filesystem::path& storesFolder, const Tokenizer& tokenizer);
    ~TokenStoreWriter() override;  // removes the unfinished folder

    void text(std::string_view piece) override;
    void endDocument() override;
    int64_t documents() const { return m_documents; }
    int64_t tokens() const { return m_tokens; }
    int64_t textBytes() const { return m_textBytes; }

    // Syncs everything and renames to storesFolder/name. When another process was faster with a sound store of that
    // name, its store stays and ours is dropped.
    void publish(const std::string& name, const ImportReport& report, const std::string& dataHash);

 private:
    struct OutputFile {
        FileDescriptor descriptor;
        std::string name;
        std::string buffer;
        Sha256 hash;
        int64_t bytes = 0;
    };
    OutputFile create(const char* name);
    void append(OutputFile& file, const void* data, size_t size);
    void flush(OutputFile& file);
    Json finish(OutputFile& file);
    void appendIds();
    void encode(std::string_view piece);

    const Tokenizer& m_tokenizer;
    std::filesystem::path m_stores;
    std::filesystem::path m_folder;  // empty once published
    bool m_narrow;                   // uint16 ids
    OutputFile m_tokenFile;
    OutputFile m_documentFile;
    std::string m_pending;       // text that cannot be encoded without what follows
    std::vector<int32_t> m_ids;  // scratch
    std::vector<uint16_t> m_narrowIds;
    int64_t m_documents = 0;
    int64_t m_tokens = 0;
    int64_t m_textBytes = 0;
};

}  // namespace unmask
