// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/manifest.h"

#include <algorithm>

#include "engine/base/sha256.h"
#include "engine/base/text.h"

namespace unmask {
namespace {

constexpr std::string_view kHashKey = ",\"sha256\":\"";
constexpr std::string_view kEnd = "\"}\n";
constexpr size_t kHashDigits = 64;
constexpr size_t kTail = kHashKey.size() + kHashDigits + kEnd.size();

Error bad(const std::string& reason) {
    return Error(ErrorCode::badInput, "[checkpoint] manifest.json: " + reason);
}

bool isHash(const std::string& text) {
    return text.size() == kHashDigits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

// Names are joined to a path: one plain component and nothing else.
bool isPlainName(const std::string& name) {
    return !name.empty() && name.size() <= 200 && name != "manifest.json" && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                      c == '-' || c == '_';
           });
}

const Json& member(const Json& json, const char* key) {
    if (!json.is_object() || !json.contains(key))
        throw bad(std::string("\"") + key + "\" is missing");
    return json.at(key);
}

std::string text(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (!value.is_string())
        throw bad(std::string("\"") + key + "\" must be a text");
    return value.get<std::string>();
}

std::string hashText(const Json& json, const char* key) {
    std::string value = text(json, key);
    if (!isHash(value))
        throw bad(std::string("\"") + key + "\" must be 64 hexadecimal digits");
    return value;
}

int64_t count(const Json& value, const char* what) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
        throw bad(std::string("\"") + what + "\" must be a whole number from 0");
    return value.get<int64_t>();
}

ManifestTensor tensorFromJson(const Json& json) {
    ManifestTensor tensor{text(json, "name"), text(json, "dtype"), {}, hashText(json, "sha256")};
    const Json& shape = member(json, "shape");
    if (!shape.is_array())
        throw bad("\"shape\" must be an array");
    for (const Json& dimension : shape)
        tensor.shape.push_back(count(dimension, "shape"));
    return tensor;
}

ManifestFile fileFromJson(const Json& json) {
    ManifestFile file{text(json, "name"), count(member(json, "bytes"), "bytes"), hashText(json, "sha256"), {}};
    if (!isPlainName(file.name))
        throw bad("\"" + toValidUtf8(file.name) + "\" is no plain file name");
    const Json& tensors = member(json, "tensors");
    if (!tensors.is_array())
        throw bad("\"tensors\" must be an array");
    for (const Json& tensor : tensors)
        file.tensors.push_back(tensorFromJson(tensor));
    return file;
}

Manifest manifestFromJson(const Json& json) {
    Manifest manifest;
    const int64_t version = count(member(json, "format_version"), "format_version");
    if (version < 1 || version > kManifestVersion)
        throw bad("its format " + std::to_string(version) + " is newer than this program (" +
                  std::to_string(kManifestVersion) + ")");
    manifest.version = static_cast<int>(version);
    manifest.runId = text(json, "run_id");
    manifest.attempt = count(member(json, "attempt"), "attempt");
    manifest.step = count(member(json, "step"), "step");
    manifest.created = text(json, "created");
    manifest.codeVersion = text(json, "code_version");
    const Json& files = member(json, "files");
    if (!files.is_array())
        throw bad("\"files\" must be an array");
    for (const Json& file : files)
        manifest.files.push_back(fileFromJson(file));
    manifest.counters = member(json, "counters");
    return manifest;
}

Json fileToJson(const ManifestFile& file) {
    Json tensors = Json::array();
    for (const ManifestTensor& tensor : file.tensors)
        tensors.push_back(
            {{"name", tensor.name}, {"dtype", tensor.type}, {"shape", tensor.shape}, {"sha256", tensor.sha256}});
    return {{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}, {"tensors", std::move(tensors)}};
}

}  // namespace

int64_t Manifest::bytes() const {
    int64_t total = 0;
    for (const ManifestFile& file : files)
        total += file.bytes;
    return total;
}

std::string encodeManifest(Manifest& manifest) {
    Json json = Json::object();
    json["format_version"] = manifest.version;
    json["run_id"] = manifest.runId;
    json["attempt"] = manifest.attempt;
    json["step"] = manifest.step;
    json["created"] = manifest.created;
    json["code_version"] = manifest.codeVersion;
    json["counters"] = manifest.counters;
    json["files"] = Json::array();
    for (const ManifestFile& file : manifest.files)
        json["files"].push_back(fileToJson(file));
    std::string bytes = dumpLine(json);
    bytes.pop_back();  // the closing brace comes after the hash
    manifest.hash = sha256Hex(bytes);
    bytes += std::string(kHashKey) + manifest.hash + std::string(kEnd);
    return bytes;
}

Result<Manifest> decodeManifest(std::string_view bytes) {
    if (bytes.size() < kTail)
        return bad("it is cut short");
    const std::string_view body = bytes.substr(0, bytes.size() - kTail);
    const std::string_view tail = bytes.substr(bytes.size() - kTail);
    const std::string_view written = tail.substr(kHashKey.size(), kHashDigits);
    if (!tail.starts_with(kHashKey) || !tail.ends_with(kEnd))
        return bad("it does not end in its own hash");
    const std::string hash = sha256Hex(body);
    if (written != hash)
        return bad("it does not match its own hash");
    const auto parsed = parseJson(std::string(body) + "}");
    if (!parsed)
        return bad(plainMessage(parsed.error()));
    try {
        Manifest manifest = manifestFromJson(parsed.value());
        manifest.hash = hash;
        return manifest;
    } catch (const Error& error) {
        return error;
    }
}

}  // namespace unmask
