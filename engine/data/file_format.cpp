// SPDX-License-Identifier: Apache-2.0
#include "engine/data/file_format.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/error.h"
#include "engine/base/json.h"

namespace unmask {

namespace {

struct Signature {
    std::string_view bytes;
    std::string_view what;
};
using namespace std::string_view_literals;

constexpr std::array kSignatures{
    Signature{"\x1F\x8B"sv, "is compressed with gzip; unpack it first (gunzip)"},
    Signature{"PK\x03\x04"sv, "is a ZIP archive or an office document; unpack it, or save it as plain text"},
    Signature{"\x28\xB5\x2F\xFD"sv, "is compressed with zstd; unpack it first (unzstd)"},
    Signature{"\xFD\x37zXZ"sv, "is compressed with xz; unpack it first (unxz)"},
    Signature{"BZh"sv, "is compressed with bzip2; unpack it first (bunzip2)"},
    Signature{"PAR1"sv, "is a Parquet file, which cannot be read yet; export it as JSON lines"},
    Signature{"ARROW1"sv, "is an Arrow file, which cannot be read; export it as JSON lines"},
    Signature{"%PDF-"sv, "is a PDF document; save its text as UTF-8"},
    Signature{"\x7F"
              "ELF"sv,
              "is a program, not text"},
    Signature{"SQLite format 3"sv, "is an SQLite database, not text"},
};

constexpr std::string_view kBlank = " \t\r\n";

bool hasOneOf(std::string name, std::initializer_list<std::string_view> endings) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

// UTF-16 without a mark: every other byte of ordinary text is NUL.
std::string_view unmarkedWide(std::string_view beginning) {
    size_t even = 0, odd = 0;
    for (size_t i = 0; i < beginning.size(); ++i)
        if (beginning[i] == '\0')
            ++(i % 2 == 0 ? even : odd);
    const size_t many = beginning.size() / 5;
    if (beginning.size() < 8)
        return {};
    return odd > many && odd > 4 * even ? "UTF-16LE" : even > many && even > 4 * odd ? "UTF-16BE" : ""sv;
}

std::string_view withoutMark(std::string_view beginning) {
    if (beginning.starts_with(kUtf8ByteOrderMark))
        beginning.remove_prefix(kUtf8ByteOrderMark.size());
    beginning.remove_prefix(std::min(beginning.size(), beginning.find_first_not_of(kBlank)));
    return beginning;
}

bool beginsAsArray(std::string_view text, bool jsonName) {
    if (!text.starts_with('['))
        return false;
    const size_t next = text.find_first_not_of(kBlank, 1);
    if (next == std::string_view::npos)
        return jsonName;
    return jsonName || text[next] == '{';
}

}  // namespace

bool looksLikeJsonLines(std::string_view beginning) {
    std::string_view text = withoutMark(beginning);
    if (!text.starts_with('{'))
        return false;
    const size_t end = text.find_first_of("\r\n");
    if (end == std::string_view::npos)  // a line longer than what was read, or the only one
        return text.size() > 1 && (text[1] == '"' || text[1] == ' ' || text[1] == '}');
    return parseJson(text.substr(0, end), kDataJsonDepth).ok();
}

DataFormat recogniseFormat(const std::filesystem::path& path, std::string_view beginning) {
    const std::string name = path.filename().string();
    if (hasOneOf(name, {".txt", ".text", ".md"}))
        return DataFormat::text;
    const bool jsonName = hasOneOf(name, {".json", ".jsonl", ".ndjson"});
    const std::string_view text = withoutMark(beginning);
    if (beginsAsArray(text, jsonName))
        return DataFormat::json;
    return jsonName || looksLikeJsonLines(beginning) ? DataFormat::jsonl : DataFormat::text;
}

void refuseForeignEncodings(const std::filesystem::path& path, std::string_view beginning) {
    const auto refuse = [&](std::string_view what) {
        throw Error{ErrorCode::badInput, "[data] " + path.string() + " " + std::string(what)};
    };
    const auto convert = [&](std::string_view encoding) {
        const std::string from(encoding);
        refuse("is encoded in " + from + ", not UTF-8; convert it, for example: iconv -f " + from +
               " -t UTF-8 IN > OUT");
    };
    if (beginning.starts_with("\xFF\xFE\0\0"sv) || beginning.starts_with("\0\0\xFE\xFF"sv))
        convert("UTF-32");
    if (beginning.starts_with("\xFF\xFE") || beginning.starts_with("\xFE\xFF"))
        convert("UTF-16");
    for (const Signature& signature : kSignatures)
        if (beginning.starts_with(signature.bytes))
            refuse(signature.what);
    if (const std::string_view wide = unmarkedWide(beginning.substr(0, 4096)); !wide.empty())
        convert(wide);
}

}  // namespace unmask
