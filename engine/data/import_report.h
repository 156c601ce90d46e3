// SPDX-License-Identifier: Apache-2.0
// What an import found: documents, tokens, and every line that could not be used, with its place and its reason.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/json.h"

namespace unmask {

enum class BadLineReason {
    notJson,
    notAnObject,
    severalValues,
    tooDeep,
    numberOutOfRange,
    notANumber,
    duplicateKey,
    invalidUtf8,
    nulByte,
    loneSurrogate,
    missingField,
    fieldNotText,
    noTextField,
    emptyText,
    tooLong,
};
std::string_view badLineReasonWord(BadLineReason reason);  // "duplicate_key": stable, for files
std::string_view badLineReasonText(BadLineReason reason);  // "a key appears twice": for people
constexpr size_t kBadLineReasons = static_cast<size_t>(BadLineReason::tooLong) + 1;

struct BadLine {
    int64_t file = 0;    // index into ImportReport::files
    int64_t line = 0;    // physical line in that file, from 1
    int64_t offset = 0;  // byte in that file where the trouble is
    BadLineReason reason = BadLineReason::notJson;
    std::string detail;  // column and particulars
    bool operator==(const BadLine&) const = default;
};

struct ImportedFile {
    std::string path;
    std::string format;  // "text", "jsonl", "json"
    std::string sha256;
    int64_t bytes = 0;
    int64_t documents = 0;
    int64_t lines = 0;           // physical lines
    int64_t blankLines = 0;      // JSON lines only
    int64_t windowsLines = 0;    // lines that end in CR LF
    bool byteOrderMark = false;  // was there, was removed
    bool operator==(const ImportedFile&) const = default;
};

struct ImportReport {
    static constexpr size_t kKeptBadLines = 100;  // the rest is counted only

    std::vector<ImportedFile> files;
    int64_t documents = 0;
    int64_t tokens = 0;     // end-of-document tokens included
    int64_t bytes = 0;      // of the files
    int64_t textBytes = 0;  // of the documents
    int64_t records = 0;    // documents, bad lines and empty ones: what badLines is a share of
    int64_t badLines = 0;   // empty texts are counted by reason but are no fault
    std::array<int64_t, kBadLineReasons> reasons{};
    std::vector<BadLine> kept;
    std::vector<std::string> notes;  // for people: a byte order mark removed, text that looks like JSON lines, …
    bool operator==(const ImportReport&) const = default;

    double badShare() const { return records > 0 ? static_cast<double>(badLines) / static_cast<double>(records) : 0.0; }
    void addBadLine(BadLine line);
    // "data.jsonl:7: a key appears twice: "text" at column 12"
    std::string describe(const BadLine& line) const;
};

Json toJson(const ImportReport& report);
Result<ImportReport> importReportFromJson(const Json& json);

struct ImportProgress {
    enum class Phase { hashing, importing };
    Phase phase = Phase::hashing;
    int64_t bytesDone = 0;
    int64_t bytesTotal = 0;
    int64_t documents = 0;
    int64_t badLines = 0;
};
// Called every few megabytes; false cancels, which throws Error(stopped) and leaves nothing behind. May be empty.
using ImportCallback = std::function<bool(const ImportProgress&)>;

}  // namespace unmask
