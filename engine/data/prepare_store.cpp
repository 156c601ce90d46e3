// SPDX-License-Identifier: Apache-2.0
#include "engine/data/prepare_store.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/base/places.h"
#include "engine/data/file_format.h"
#include "engine/data/importer.h"
#include "engine/data/sample_corpus.h"
#include "engine/data/token_store.h"
#include "engine/data/token_store_writer.h"

namespace unmask {

namespace fs = std::filesystem;

namespace {

constexpr size_t kPeekBytes = size_t{64} << 10;

struct Source {
    SourceFile file;
    DataFormat format;
    std::string hash;
    bool jsonInText = false;  // called text by its name, though it begins as JSON lines
};

class ProgressMeter {
 public:
    ProgressMeter(const ImportCallback& callback, int64_t bytesTotal) : m_callback(callback) {
        m_progress.bytesTotal = bytesTotal;
    }
    void begin(ImportProgress::Phase phase) {
        m_progress.phase = phase;
        m_progress.bytesDone = 0;
    }
    void advance(int64_t bytes, const ImportReport& report) {
        m_progress.bytesDone += bytes;
        m_progress.documents = report.documents;
        m_progress.badLines = report.badLines;
        if (m_callback && !m_callback(m_progress))
            throw Error{ErrorCode::stopped, "[data] the import was cancelled; nothing was kept"};
    }

 private:
    const ImportCallback& m_callback;
    ImportProgress m_progress;
};

std::string_view formatWord(DataFormat format) {
    for (const auto& choice : Choices<DataFormat>::list)
        if (choice.value == format)
            return choice.word;
    return "auto";
}

std::vector<Source> openSources(const DataConfig& data) {
    std::vector<Source> sources;
    for (const fs::path& path : dataFiles(data)) {
        Source source{SourceFile(path), data.format, "", false};
        const std::string beginning = source.file.peek(kPeekBytes);
        refuseForeignEncodings(path, beginning);
        if (data.format == DataFormat::automatic) {
            source.format = recogniseFormat(path, beginning);
            source.jsonInText = source.format == DataFormat::text && looksLikeJsonLines(beginning);
        }
        if (source.format == DataFormat::text)
            refuseBadBeginning(source.file, beginning);
        sources.push_back(std::move(source));
    }
    return sources;
}

int64_t totalBytes(const std::vector<Source>& sources) {
    int64_t bytes = 0;
    for (const Source& source : sources)
        bytes += source.file.size();
    return bytes;
}

void hashSources(std::vector<Source>& sources, ProgressMeter& meter) {
    meter.begin(ImportProgress::Phase::hashing);
    const ImportReport nothing;
    for (Source& source : sources) {
        source.file.onRead([&](int64_t bytes) { meter.advance(bytes, nothing); });
        while (!source.file.nextBlock().empty()) {
        }
        source.hash = source.file.sha256();
        source.file.rewind();
    }
}

std::string hashOfData(const std::vector<Source>& sources) {
    if (sources.size() == 1)
        return sources.front().hash;
    std::string all;
    for (const Source& source : sources)
        all += source.hash + "\n";
    return sha256Hex(all);
}

// Everything that decides the tokens. Names of files do not, and bad_line_limit is applied to the report.
std::string storeName(const std::vector<Source>& sources, const DataConfig& data, const std::string& tokenizerHash,
                      const PrepareOptions& options) {
    Json key{{"store_format", kStoreFormat},
             {"tokenizer", tokenizerHash},
             {"text_field", data.textField},
             {"max_record_bytes", options.maxRecordBytes}};
    for (const Source& source : sources)
        key["files"].push_back({{"sha256", source.hash}, {"format", formatWord(source.format)}});
    return sha256Hex(dumpLine(key)).substr(0, 32);
}

std::vector<std::string> notesOn(const std::vector<Source>& sources, const ImportReport& report) {
    std::vector<std::string> notes;
    for (size_t i = 0; i < sources.size(); ++i) {
        const std::string name = sources[i].file.path().filename().string();
        if (report.files[i].byteOrderMark)
            notes.push_back(name + ": a byte order mark at the start was removed");
        if (sources[i].jsonInText)
            notes.push_back(name +
                            ": was read as plain text by its name, but looks like JSON lines; set data.format to "
                            "jsonl to read it so");
    }
    if (const int64_t empty = report.reasons[static_cast<size_t>(BadLineReason::emptyText)]; empty > 0)
        notes.push_back(std::to_string(empty) + (empty == 1 ? " record" : " records") + " without text " +
                        (empty == 1 ? "was" : "were") + " left out");
    return notes;
}

void importSource(Source& source, const ImportTarget& target) {
    switch (source.format) {
        case DataFormat::jsonl:
            return importJsonLines(source.file, target);
        case DataFormat::json:
            return importJsonArray(source.file, target);
        case DataFormat::text:
        case DataFormat::automatic:
            return importText(source.file, target);
    }
}

ImportReport importAll(std::vector<Source>& sources, const DataConfig& data, const PrepareOptions& options,
                       TokenStoreWriter& writer, ProgressMeter& meter) {
    ImportReport report;
    meter.begin(ImportProgress::Phase::importing);
    for (Source& source : sources) {
        ImportedFile entry;
        entry.path = source.file.path().string();
        entry.format = formatWord(source.format);
        entry.sha256 = source.hash;
        entry.bytes = source.file.size();
        report.files.push_back(std::move(entry));
    }
    report.bytes = totalBytes(sources);
    for (size_t i = 0; i < sources.size(); ++i) {
        sources[i].file.onRead([&](int64_t bytes) { meter.advance(bytes, report); });
        importSource(sources[i], {writer, report, static_cast<int64_t>(i), data.textField, options.maxRecordBytes,
                                  data.badLineLimit});
        if (sources[i].file.sha256() != sources[i].hash)
            throw Error{ErrorCode::badInput, "[data] " + sources[i].file.path().string() +
                                                 " changed while it was read; try again when nothing writes to it"};
    }
    report.tokens = writer.tokens();
    report.textBytes = writer.textBytes();
    report.notes = notesOn(sources, report);
    return report;
}

void checkUsable(const ImportReport& report, const DataConfig& data) {
    checkBadLineLimit(report, data.badLineLimit);
    if (report.documents == 0)
        throw Error{ErrorCode::badInput, "[data] " + report.files.front().path +
                                             (report.files.size() > 1 ? " and the other files hold" : " holds") +
                                             " no text at all"};
}

// The names of today: the content may have been imported from elsewhere before.
PreparedStore openPrepared(const fs::path& path, const std::vector<Source>& sources, const DataConfig& data) {
    const TokenStore store = TokenStore::open(path);
    PreparedStore prepared{path, store.report(), store.dataHash(), store.tokenizerHash(), true};
    if (prepared.report.files.size() != sources.size())
        throw Error{ErrorCode::badInput, "[token store] " + path.string() + " is of other files"};
    for (size_t i = 0; i < sources.size(); ++i)
        prepared.report.files[i].path = sources[i].file.path().string();
    prepared.report.notes = notesOn(sources, prepared.report);
    checkUsable(prepared.report, data);
    return prepared;
}

bool isUsable(const fs::path& path) {
    try {
        TokenStore::open(path);
        return true;
    } catch (const Error&) {
        return false;  // not there, or damaged: made anew
    }
}

}  // namespace

std::vector<fs::path> dataFiles(const DataConfig& data) {
    if (data.files.empty())
        return sampleCorpusFiles();
    std::vector<fs::path> files(data.files.size());
    std::transform(data.files.begin(), data.files.end(), files.begin(),
                   [](const std::string& file) { return fs::absolute(file); });
    return files;
}

PreparedStore prepareStore(const DataConfig& data, const TokenizerConfig& tokenizerConfig,
                           const ImportCallback& progress, const PrepareOptions& options) {
    const std::unique_ptr<Tokenizer> tokenizer = makeTokenizer(tokenizerConfig);
    std::vector<Source> sources = openSources(data);
    ProgressMeter meter(progress, totalBytes(sources));
    hashSources(sources, meter);
    const fs::path stores = options.storesFolder.empty() ? cacheFolder() / "stores" : options.storesFolder;
    const std::string name = storeName(sources, data, tokenizer->hash(), options);
    const fs::path path = stores / name;
    if (isUsable(path))
        return openPrepared(path, sources, data);

    TokenStoreWriter writer(stores, *tokenizer);
    const ImportReport report = importAll(sources, data, options, writer, meter);
    checkUsable(report, data);
    writer.publish(name, report, hashOfData(sources));
    PreparedStore prepared = openPrepared(path, sources, data);
    prepared.reused = false;
    return prepared;
}

}  // namespace unmask
