// SPDX-License-Identifier: Apache-2.0
#include "engine/data/token_store.h"

#include <algorithm>
#include <bit>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/data/mapped_file.h"
#include "engine/data/token_store_writer.h"

namespace unmask {

static_assert(std::endian::native == std::endian::little, "stores are little endian and mapped as they are");

namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& reason) {
    throw Error{ErrorCode::badInput, "[token store] " + folder.string() + " cannot be used: " + reason};
}

void checkFile(const std::filesystem::path& folder, const std::string& name, const MappedFile& file,
               const Json& manifest, TokenStore::Check check) {
    const Json& entry = manifest.at("files").at(name);
    const auto bytes = entry.at("bytes").get<uint64_t>();
    if (bytes != file.size())
        refuse(folder, name + " has " + std::to_string(file.size()) + " bytes, not " + std::to_string(bytes));
    if (check == TokenStore::Check::hashes && sha256OfFile(folder / name) != entry.at("sha256").get<std::string>())
        refuse(folder, name + " differs from its SHA-256");
}

// The bounds are an index into mapped memory, so a damaged one must not lead outside.
void checkBounds(const std::filesystem::path& folder, const uint64_t* bounds, int64_t documents, int64_t tokens) {
    const bool ascending = std::is_sorted(bounds, bounds + documents + 1);
    if (!ascending || bounds[0] != 0 || bounds[documents] != static_cast<uint64_t>(tokens))
        refuse(folder, "its document bounds are damaged");
}

}  // namespace

TokenStore::TokenStore() = default;
TokenStore::TokenStore(TokenStore&&) noexcept = default;
TokenStore& TokenStore::operator=(TokenStore&&) noexcept = default;
TokenStore::~TokenStore() = default;

TokenStore TokenStore::open(const std::filesystem::path& folder, Check check) {
    Result<Json> parsed = parseJson(readWholeFile(folder / kStoreManifest));
    if (!parsed)
        refuse(folder, parsed.error().what());
    TokenStore store;
    store.m_folder = folder;
    try {
        const Json& manifest = parsed.value();
        if (manifest.at("format").get<int>() != kStoreFormat)
            refuse(folder, "it is of another version");
        store.m_idBytes = manifest.at("id_bytes").get<int>();
        store.m_tokens = manifest.at("tokens").get<int64_t>();
        store.m_documents = manifest.at("documents").get<int64_t>();
        store.m_dataHash = manifest.at("data_hash").get<std::string>();
        store.m_tokenizerHash = manifest.at("tokenizer_hash").get<std::string>();
        store.m_report = importReportFromJson(manifest.at("report")).orThrow();
        store.m_tokenFile = std::make_unique<MappedFile>(folder / kStoreTokens);
        store.m_documentFile = std::make_unique<MappedFile>(folder / kStoreDocuments);
        checkFile(folder, kStoreTokens, *store.m_tokenFile, manifest, check);
        checkFile(folder, kStoreDocuments, *store.m_documentFile, manifest, check);
    } catch (const Json::exception& problem) {
        refuse(folder, std::string("its manifest is damaged (") + problem.what() + ")");
    }
    const auto idBytes = static_cast<uint64_t>(store.m_idBytes);
    if ((idBytes != 2 && idBytes != 4) || store.m_documents < 1 || store.m_tokens < 1 ||
        store.m_tokenFile->size() / idBytes != static_cast<uint64_t>(store.m_tokens) ||
        store.m_documentFile->size() / sizeof(uint64_t) != static_cast<uint64_t>(store.m_documents) + 1)
        refuse(folder, "its counts do not match its files");
    store.m_bounds = reinterpret_cast<const uint64_t*>(store.m_documentFile->data());
    checkBounds(folder, store.m_bounds, store.m_documents, store.m_tokens);
    return store;
}

void TokenStore::copy(int64_t begin, int64_t count, int32_t* out) const {
    if (begin < 0 || count < 0 || begin > m_tokens - count)
        throw Error{ErrorCode::internal, "[token store] " + std::to_string(count) + " tokens from " +
                                             std::to_string(begin) + " of " + std::to_string(m_tokens)};
    const std::byte* const from = m_tokenFile->data() + begin * m_idBytes;
    if (m_idBytes == 2)
        std::copy_n(reinterpret_cast<const uint16_t*>(from), count, out);
    else
        std::copy_n(reinterpret_cast<const int32_t*>(from), count, out);
}

}  // namespace unmask
