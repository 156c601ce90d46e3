// SPDX-License-Identifier: Apache-2.0
// What a file is, by its first bytes and its name, and in plain words what it is instead when it cannot be imported.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/protocol/data_config.h"

namespace unmask {

inline constexpr std::string_view kUtf8ByteOrderMark = "\xEF\xBB\xBF";

// `beginning`: some kilobytes of the file. Never answers `automatic`. Names .txt, .text and .md are text; others go by
// content: an array of objects, a first line that is an object, or text.
DataFormat recogniseFormat(const std::filesystem::path& path, std::string_view beginning);

// Throws Error(badInput) for UTF-16, UTF-32, archives and binary formats, saying which it is and what to do.
void refuseForeignEncodings(const std::filesystem::path& path, std::string_view beginning);

// Text that begins as JSON lines would; for a note in the report.
bool looksLikeJsonLines(std::string_view beginning);

}  // namespace unmask
