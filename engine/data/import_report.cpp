// SPDX-License-Identifier: Apache-2.0
#include "engine/data/import_report.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/text.h"

namespace unmask {

namespace {

struct ReasonText {
    std::string_view word;
    std::string_view text;
};

constexpr std::array<ReasonText, kBadLineReasons> kReasonTexts{{
    {"not_json", "not JSON"},
    {"not_an_object", "not a JSON object"},
    {"several_values", "more than one value on a line"},
    {"too_deep", "nested too deeply"},
    {"number_out_of_range", "a number is out of range"},
    {"not_a_number", "NaN and Infinity are not JSON"},
    {"duplicate_key", "a key appears twice"},
    {"invalid_utf8", "not UTF-8"},
    {"nul_byte", "a NUL character"},
    {"lone_surrogate", "half of a surrogate pair"},
    {"missing_field", "the field is missing"},
    {"field_not_text", "the field is not text"},
    {"no_text_field", "no field holds text"},
    {"empty_text", "the text is empty"},
    {"too_long", "too long"},
}};

const ReasonText& entryOf(BadLineReason reason) {
    return kReasonTexts[static_cast<size_t>(reason)];
}

BadLineReason reasonFromWord(std::string_view word) {
    const auto found = std::find_if(kReasonTexts.begin(), kReasonTexts.end(),
                                    [&](const ReasonText& entry) { return entry.word == word; });
    return found == kReasonTexts.end() ? BadLineReason::notJson
                                       : static_cast<BadLineReason>(found - kReasonTexts.begin());
}

Json toJson(const ImportedFile& file) {
    return Json{{"path", toValidUtf8(file.path)},
                {"format", file.format},
                {"sha256", file.sha256},
                {"bytes", file.bytes},
                {"documents", file.documents},
                {"lines", file.lines},
                {"blank_lines", file.blankLines},
                {"windows_lines", file.windowsLines},
                {"byte_order_mark", file.byteOrderMark}};
}

ImportedFile fileFromJson(const Json& json) {
    ImportedFile file;
    json.at("path").get_to(file.path);
    json.at("format").get_to(file.format);
    json.at("sha256").get_to(file.sha256);
    json.at("bytes").get_to(file.bytes);
    json.at("documents").get_to(file.documents);
    json.at("lines").get_to(file.lines);
    json.at("blank_lines").get_to(file.blankLines);
    json.at("windows_lines").get_to(file.windowsLines);
    json.at("byte_order_mark").get_to(file.byteOrderMark);
    return file;
}

Json toJson(const BadLine& line) {
    return Json{{"file", line.file},
                {"line", line.line},
                {"offset", line.offset},
                {"reason", badLineReasonWord(line.reason)},
                {"detail", line.detail}};
}

BadLine badLineFromJson(const Json& json) {
    BadLine line;
    json.at("file").get_to(line.file);
    json.at("line").get_to(line.line);
    json.at("offset").get_to(line.offset);
    line.reason = reasonFromWord(json.at("reason").get<std::string>());
    json.at("detail").get_to(line.detail);
    return line;
}

}  // namespace

std::string_view badLineReasonWord(BadLineReason reason) {
    return entryOf(reason).word;
}
std::string_view badLineReasonText(BadLineReason reason) {
    return entryOf(reason).text;
}

void ImportReport::addBadLine(BadLine line) {
    ++reasons[static_cast<size_t>(line.reason)];
    if (line.reason == BadLineReason::emptyText)
        return;
    ++badLines;
    if (kept.size() < kKeptBadLines)
        kept.push_back(std::move(line));
}

std::string ImportReport::describe(const BadLine& line) const {
    const auto file = static_cast<size_t>(line.file);
    const std::string path = file < files.size() ? std::filesystem::path(files[file].path).filename().string() : "";
    std::string text = path + ":" + std::to_string(line.line) + ": " + std::string(badLineReasonText(line.reason));
    if (!line.detail.empty())
        text += ": " + line.detail;
    return text + " (byte offset " + std::to_string(line.offset) + ")";
}

Json toJson(const ImportReport& report) {
    Json json{{"documents", report.documents},  {"tokens", report.tokens},   {"bytes", report.bytes},
              {"text_bytes", report.textBytes}, {"records", report.records}, {"bad_lines", report.badLines}};
    json["reasons"] = Json::object();
    for (size_t i = 0; i < kBadLineReasons; ++i)
        if (report.reasons[i] > 0)
            json["reasons"][std::string(kReasonTexts[i].word)] = report.reasons[i];
    json["files"] = Json::array();
    for (const ImportedFile& file : report.files)
        json["files"].push_back(toJson(file));
    json["kept_bad_lines"] = Json::array();
    for (const BadLine& line : report.kept)
        json["kept_bad_lines"].push_back(toJson(line));
    json["notes"] = report.notes;
    return json;
}

Result<ImportReport> importReportFromJson(const Json& json) {
    try {
        ImportReport report;
        json.at("documents").get_to(report.documents);
        json.at("tokens").get_to(report.tokens);
        json.at("bytes").get_to(report.bytes);
        json.at("text_bytes").get_to(report.textBytes);
        json.at("records").get_to(report.records);
        json.at("bad_lines").get_to(report.badLines);
        for (const auto& [word, count] : json.at("reasons").items())
            report.reasons[static_cast<size_t>(reasonFromWord(word))] = count.get<int64_t>();
        for (const Json& file : json.at("files"))
            report.files.push_back(fileFromJson(file));
        for (const Json& line : json.at("kept_bad_lines"))
            report.kept.push_back(badLineFromJson(line));
        json.at("notes").get_to(report.notes);
        return report;
    } catch (const Json::exception& problem) {
        return Error{ErrorCode::badInput, std::string("[data] not an import report: ") + problem.what()};
    }
}

}  // namespace unmask
