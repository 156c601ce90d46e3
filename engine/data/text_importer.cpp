// SPDX-License-Identifier: Apache-2.0
// UTF-8 text: the whole file is one document, passed on as it is but for a byte order mark.
#include <algorithm>

#include "engine/base/error.h"
#include "engine/data/file_format.h"
#include "engine/data/importer.h"
#include "engine/data/utf8_checker.h"

namespace unmask {

namespace {

[[noreturn]] void refuseText(SourceFile& source, int64_t offset, int64_t line) {
    const auto byte = static_cast<unsigned char>(source.byteAt(offset));
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const std::string place = " at byte offset " + std::to_string(offset) + " (line " + std::to_string(line) + ")";
    if (byte == 0)
        throw Error{ErrorCode::badInput,
                    "[data] " + source.path().string() + " is not text: there is a NUL byte" + place};
    throw Error{
        ErrorCode::badInput,
        "[data] " + source.path().string() + " is not UTF-8: byte 0x" + kDigits[byte >> 4] + kDigits[byte & 15] +
            place +
            ". If it is in an older encoding, convert it, for example: iconv -f WINDOWS-1252 -t UTF-8 IN > OUT"};
}

struct LineCounter {
    int64_t lineFeeds = 0;
    int64_t windows = 0;
    char last = '\n';

    void add(std::string_view piece) {
        for (size_t at = piece.find('\n'); at != std::string_view::npos; at = piece.find('\n', at + 1)) {
            ++lineFeeds;
            windows += (at > 0 ? piece[at - 1] : last) == '\r' ? 1 : 0;
        }
        if (!piece.empty())
            last = piece.back();
    }
    int64_t lines() const { return lineFeeds + (last == '\n' ? 0 : 1); }
};

}  // namespace

void refuseBadBeginning(SourceFile& source, std::string_view beginning) {
    Utf8Checker checker;
    if (const auto bad = checker.feed(beginning)) {
        LineCounter lines;
        lines.add(beginning.substr(0, static_cast<size_t>(*bad)));
        refuseText(source, *bad, lines.lineFeeds + 1);
    }
}

void importText(SourceFile& source, const ImportTarget& target) {
    Utf8Checker checker;
    LineCounter lines;
    ImportedFile& entry = target.entry();
    int64_t textBytes = 0;
    for (std::string_view piece = source.nextBlock(); !piece.empty(); piece = source.nextBlock()) {
        // The mark is valid UTF-8, so offsets stay those of the file.
        if (const auto bad = checker.feed(piece)) {
            const int64_t inPiece = *bad - source.blockOffset();
            lines.add(piece.substr(0, static_cast<size_t>(std::max<int64_t>(inPiece, 0))));
            refuseText(source, *bad, lines.lineFeeds + 1);
        }
        if (source.blockOffset() == 0 && piece.starts_with(kUtf8ByteOrderMark)) {
            entry.byteOrderMark = true;
            piece.remove_prefix(kUtf8ByteOrderMark.size());
        }
        lines.add(piece);
        textBytes += static_cast<int64_t>(piece.size());
        target.sink.text(piece);
    }
    if (const auto cut = checker.finish())
        refuseText(source, *cut, lines.lineFeeds + 1);
    if (textBytes == 0)
        throw Error{ErrorCode::badInput, "[data] " + source.path().string() + " holds nothing but a byte order mark"};
    target.sink.endDocument();
    entry.lines = lines.lines();
    entry.windowsLines = lines.windows;
    ++entry.documents;
    ++target.report.documents;
    ++target.report.records;
}

}  // namespace unmask
