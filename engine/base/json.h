// SPDX-License-Identifier: Apache-2.0
// JSON as this project accepts it. nlohmann alone lets the last duplicate key win and turns a 30-digit integer into a
// double, both silently; foreign files are hostile, so both are refused here, and depth is capped.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace unmask {

using Json = nlohmann::ordered_json;  // keeps the order of fields, so files read like their field lists

constexpr int kProtocolJsonDepth = 64;
constexpr int kDataJsonDepth = 100;

// One value and nothing after it. The error names the byte offset and the reason.
Result<Json> parseJson(std::string_view text, int maxDepth = kProtocolJsonDepth);

// "[json.exception…] parse error at …: syntax error while parsing value - invalid literal; last read: 'x'", as
// nlohmann says it → "invalid literal".
std::string plainJsonReason(std::string_view message);

// Non-finite numbers travel as the strings "NaN", "Infinity", "-Infinity", never as null.
Json numberToJson(double value);
Result<double> numberFromJson(const Json& value);

std::string dumpLine(const Json& value);  // compact, one line, non-UTF-8 replaced, never throws

}  // namespace unmask
