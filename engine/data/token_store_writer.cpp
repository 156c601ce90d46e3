// SPDX-License-Identifier: Apache-2.0
#include "engine/data/token_store_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/data/token_store.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

constexpr size_t kFlushBytes = size_t{1} << 20;
constexpr size_t kPieceBytes = size_t{256} << 10;  // encoded at once: bounds the scratch memory
constexpr std::string_view kUnfinished = ".unfinished-";

std::string unfinishedName() {
    static std::atomic<int> counter{0};
    const ProcessIdentity own = ownIdentity();
    return std::string(kUnfinished) + own.bootId.substr(0, 8) + "-" + std::to_string(own.pid) + "-" +
           std::to_string(own.startTime) + "-" + std::to_string(counter++);
}

// ".unfinished-BOOT-PID-START-N" of a process that is gone. A folder of another boot may belong to another computer
// with the same home, so it must also be old.
bool isLeftover(const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kUnfinished))
        return false;
    const std::string own = bootId().substr(0, 8);
    const std::string rest = name.substr(kUnfinished.size());
    const size_t pidAt = rest.find('-') + 1;
    const size_t startAt = rest.find('-', pidAt) + 1;
    const size_t endAt = rest.find('-', startAt);
    if (pidAt == 0 || startAt == 0 || endAt == std::string::npos)
        return false;
    if (rest.substr(0, pidAt - 1) != own) {
        std::error_code error;
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(entry.path(), error);
        return !error && age > std::chrono::hours(48);
    }
    const auto pid = parseInteger(rest.substr(pidAt, startAt - 1 - pidAt));
    const auto start = parseInteger(rest.substr(startAt, endAt - startAt));
    return pid && start && lifeOf({*pid, static_cast<uint64_t>(*start), bootId()}) != ProcessLife::alive;
}

void sweepLeftovers(const fs::path& stores) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(stores, error))
        if (isLeftover(entry))
            fs::remove_all(entry.path(), error);
}

bool isSound(const fs::path& store) {
    try {
        TokenStore::open(store);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

TokenStoreWriter::TokenStoreWriter(const fs::path& storesFolder, const Tokenizer& tokenizer)
    : m_tokenizer(tokenizer), m_stores(storesFolder), m_narrow(tokenizer.vocabularySize() <= 0x10000) {
    std::error_code error;
    fs::create_directories(storesFolder, error);
    if (error)
        throw systemError("[token store] cannot make " + storesFolder.string(), error.value());
    sweepLeftovers(storesFolder);
    m_folder = storesFolder / unfinishedName();
    if (!fs::create_directory(m_folder, error))
        throw systemError("[token store] cannot make " + m_folder.string(), error ? error.value() : EEXIST);
    m_tokenFile = create(kStoreTokens);
    m_documentFile = create(kStoreDocuments);
    const uint64_t zero = 0;
    append(m_documentFile, &zero, sizeof zero);
}

TokenStoreWriter::~TokenStoreWriter() {
    std::error_code error;
    if (!m_folder.empty())
        fs::remove_all(m_folder, error);
}

TokenStoreWriter::OutputFile TokenStoreWriter::create(const char* name) {
    const fs::path file = m_folder / name;
    OutputFile output;
    output.descriptor =
        FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!output.descriptor.valid())
        throw systemError("[token store] cannot create " + file.string(), errno);
    output.name = file.string();
    return output;
}

void TokenStoreWriter::append(OutputFile& file, const void* data, size_t size) {
    file.buffer.append(static_cast<const char*>(data), size);
    if (file.buffer.size() >= kFlushBytes)
        flush(file);
}

void TokenStoreWriter::flush(OutputFile& file) {
    file.hash.update(file.buffer);
    writeAll(file.descriptor.get(), file.buffer, file.name);
    file.bytes += static_cast<int64_t>(file.buffer.size());
    file.buffer.clear();
}

Json TokenStoreWriter::finish(OutputFile& file) {
    flush(file);
    if (::fsync(file.descriptor.get()) != 0)
        throw systemError("[token store] cannot sync " + file.name, errno);
    file.descriptor.closeChecked(file.name);
    return Json{{"bytes", file.bytes}, {"sha256", file.hash.hex()}};
}

void TokenStoreWriter::appendIds() {
    m_tokens += static_cast<int64_t>(m_ids.size());
    if (m_narrow) {
        m_narrowIds.resize(m_ids.size());
        std::transform(m_ids.begin(), m_ids.end(), m_narrowIds.begin(),
                       [](int32_t id) { return static_cast<uint16_t>(id); });
        append(m_tokenFile, m_narrowIds.data(), m_narrowIds.size() * sizeof(uint16_t));
    } else {
        append(m_tokenFile, m_ids.data(), m_ids.size() * sizeof(int32_t));
    }
    m_ids.clear();
}

void TokenStoreWriter::encode(std::string_view piece) {
    m_tokenizer.encodeTo(piece, m_ids);
    appendIds();
}

void TokenStoreWriter::text(std::string_view piece) {
    m_textBytes += static_cast<int64_t>(piece.size());
    for (size_t begin = 0; begin < piece.size(); begin += kPieceBytes) {
        const std::string_view part = piece.substr(begin, kPieceBytes);
        if (m_pending.empty() && m_tokenizer.safeCut(part) == part.size()) {
            encode(part);
            continue;
        }
        m_pending += part;
        if (m_pending.size() < kPieceBytes)
            continue;
        const size_t cut = m_tokenizer.safeCut(m_pending);
        encode(std::string_view(m_pending).substr(0, cut));
        m_pending.erase(0, cut);
    }
}

void TokenStoreWriter::endDocument() {
    encode(m_pending);
    m_pending.clear();
    m_ids.push_back(m_tokenizer.endOfDocument());
    appendIds();
    ++m_documents;
    const auto end = static_cast<uint64_t>(m_tokens);
    append(m_documentFile, &end, sizeof end);
}

void TokenStoreWriter::publish(const std::string& name, const ImportReport& report, const std::string& dataHash) {
    Json manifest{{"format", kStoreFormat},       {"documents", m_documents}, {"tokens", m_tokens},
                  {"id_bytes", m_narrow ? 2 : 4}, {"data_hash", dataHash},    {"tokenizer_hash", m_tokenizer.hash()}};
    manifest["files"][kStoreTokens] = finish(m_tokenFile);
    manifest["files"][kStoreDocuments] = finish(m_documentFile);
    manifest["report"] = toJson(report);
    createFile(m_folder / kStoreManifest, manifest.dump(1, '\t', false, Json::error_handler_t::replace) + "\n");
    syncFolder(m_folder);

    const fs::path target = m_stores / name;
    for (int attempt = 0;; ++attempt) {
        if (::rename(m_folder.c_str(), target.c_str()) == 0)
            break;
        const int reason = errno;
        if ((reason != ENOTEMPTY && reason != EEXIST) || attempt == 3)
            throw systemError("[token store] cannot publish " + target.string(), reason);
        if (isSound(target)) {
            std::error_code error;
            fs::remove_all(m_folder, error);
            m_folder.clear();
            return;
        }
        // Moved away under a leftover's name first: two processes may find the same damaged store at once.
        const fs::path aside = m_stores / unfinishedName();
        std::error_code error;
        if (::rename(target.c_str(), aside.c_str()) == 0)
            fs::remove_all(aside, error);
    }
    m_folder.clear();
    syncFolder(m_stores);
}

}  // namespace unmask
