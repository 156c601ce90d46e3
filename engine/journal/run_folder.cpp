// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/run_folder.h"

#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/places.h"
#include "engine/base/text.h"
#include "engine/protocol/spec_json.h"
#include "engine/protocol/version.h"

namespace unmask {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxRunFileBytes = size_t{16} << 20;
constexpr size_t kMaxIdLength = 64;

bool isIdCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

// "First Steps!" → "first-steps"; never empty.
std::string slug(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const char lower = (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
        if (isIdCharacter(lower) && lower != '-')
            text += lower;
        else if (!text.empty() && text.back() != '-')
            text += '-';
    }
    text.resize(std::min<size_t>(text.size(), kMaxIdLength - 21));  // room for time and digits
    while (!text.empty() && text.back() == '-')
        text.pop_back();
    return text.empty() ? "run" : text;
}

std::string randomHex4() {
    std::array<unsigned char, 2> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        const auto now = static_cast<uint64_t>(unixNanoseconds());
        bytes = {static_cast<unsigned char>(now >> 8), static_cast<unsigned char>(now >> 16)};
    }
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

Result<std::string> textField(const Json& json, const char* key) {
    const auto found = json.find(key);
    if (found == json.end())
        return std::string();
    if (!found->is_string())
        return Error(ErrorCode::badInput, std::string("[journal] run.json: ") + key + " must be a text");
    return found->get<std::string>();
}

Result<RunDescription> descriptionFromJson(const Json& json) {
    if (!json.is_object())
        return Error(ErrorCode::badInput, "[journal] run.json is not an object");
    RunDescription description;
    const auto version = json.find("format_version");
    if (version == json.end() || !version->is_number_integer())
        return Error(ErrorCode::badInput, "[journal] run.json has no format_version");
    const auto number = version->get<int64_t>();
    if (number < 1 || number > kRunFormatVersion)
        return Error(ErrorCode::badInput, "[journal] this run was made by a newer version (format " +
                                              std::to_string(number) + "; this program knows up to " +
                                              std::to_string(kRunFormatVersion) + ")");
    description.formatVersion = static_cast<int>(number);
    const std::array<std::pair<const char*, std::string*>, 7> texts{{{"id", &description.id},
                                                                     {"name", &description.name},
                                                                     {"code_version", &description.codeVersion},
                                                                     {"created", &description.created},
                                                                     {"data_hash", &description.dataHash},
                                                                     {"tokenizer_hash", &description.tokenizerHash},
                                                                     {"parent", &description.parent}}};
    for (const auto& [key, target] : texts) {
        auto text = textField(json, key);
        if (!text)
            return text.error();
        *target = std::move(text).orThrow();
    }
    if (!isRunId(description.id))
        return Error(ErrorCode::badInput, "[journal] run.json: the id must be 1 to 64 of a-z, 0-9 and -");
    auto spec = specFromJson(json);
    if (!spec)
        return spec.error();
    description.spec = std::move(spec).orThrow();
    return description;
}

bool looksLikeRun(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / "run.json", ignored);
}

// Empty, or left by a start that died before it had written run.json.
bool isFreeForARun(const fs::path& folder) {
    std::error_code status;
    for (fs::directory_iterator entry(folder, status), end; !status && entry != end; entry.increment(status)) {
        const std::string name = entry->path().filename().string();
        const bool ours = name == "logs" || name == "checkpoints" || name == "samples";
        if (!name.starts_with("run.json.new-") && (!ours || !fs::is_empty(entry->path(), status)))
            return false;
    }
    return !status;
}

void makeFolder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST)
        throw fileError("[journal] cannot make the folder", folder, errno);
}

// Its name, and those of the folders above it that had to be made, are on disk when this returns: what is later
// acknowledged inside must not vanish with the folder in a power cut.
void makeFolderForGood(const fs::path& folder) {
    const fs::path above = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    std::error_code status;
    if (!fs::exists(above, status))
        makeFolderForGood(above);
    makeFolder(folder);
    if (::access(above.c_str(), R_OK) == 0)  // a folder that we may pass through but not read cannot be synced
        syncFolder(above);
}

}  // namespace

std::string newRunId(std::string_view shortName) {
    return slug(shortName) + '-' + compactUtcNow() + '-' + randomHex4();
}

bool isRunId(std::string_view text) {
    return !text.empty() && text.size() <= kMaxIdLength && std::all_of(text.begin(), text.end(), isIdCharacter);
}

Json runDescriptionToJson(const RunDescription& description) {
    Json json;
    json["id"] = description.id;
    json["name"] = toValidUtf8(description.name);
    json["format_version"] = description.formatVersion;
    json["code_version"] = description.codeVersion;
    json["created"] = description.created;
    json["data_hash"] = description.dataHash;
    json["tokenizer_hash"] = description.tokenizerHash;
    json["parent"] = description.parent;
    json["spec"] = specToJson(description.spec);
    return json;
}

Result<RunDescription> readRunDescription(const RunFolder& folder) {
    try {
        const std::string bytes = readWholeFile(folder.runFile(), kMaxRunFileBytes);
        const auto json = parseJson(bytes);
        if (!json)
            return Error(json.error().code(),
                         "[journal] " + folder.runFile().string() + " is damaged, " + plainMessage(json.error()));
        return descriptionFromJson(json.value());
    } catch (const Error& error) {
        return error;
    }
}

void requireFreeForARun(const RunFolder& folder) {
    std::error_code status;
    const std::string name = folder.path.string();
    if (!fs::exists(fs::symlink_status(folder.path, status)))
        return;
    if (looksLikeRun(folder.path))
        throw Error(ErrorCode::badInput, "[journal] " + name +
                                             " already holds a run; --resume goes on with it, another --run begins a "
                                             "new one");
    if (!fs::is_directory(folder.path, status))
        throw Error(ErrorCode::badInput, "[journal] " + name + " is not a folder");
    if (!isFreeForARun(folder.path))
        throw Error(ErrorCode::badInput,
                    "[journal] " + name + " is not empty and holds no run; name another folder with --run");
}

void createRunFolder(const RunFolder& folder, const RunDescription& description) {
    requireFreeForARun(folder);
    makeFolderForGood(folder.path);
    for (const auto& part : {folder.logs(), folder.checkpoints(), folder.samples()})
        makeFolder(part);
    // Last and at once: a folder without run.json is no run, and may be taken again after a kill in between.
    replaceFile(folder.runFile(), runDescriptionToJson(description).dump(2) + "\n", Durability::durable);
}

Result<RunFolder> findRun(std::string_view folderOrId) {
    if (folderOrId.empty())
        return Error(ErrorCode::badInput, "[journal] no run was named");
    const fs::path asPath(folderOrId);
    if (looksLikeRun(asPath))
        return RunFolder{fs::absolute(asPath).lexically_normal()};
    struct stat info {};
    if (::stat((asPath / "run.json").c_str(), &info) != 0 && errno == EACCES)
        return systemError("[journal] cannot look into " + fs::absolute(asPath).lexically_normal().string(), EACCES);
    const fs::path runs = runsFolder();
    if (isRunId(folderOrId)) {
        if (looksLikeRun(runs / asPath))
            return RunFolder{runs / asPath};
        // Folders may have been renamed: the id inside counts.
        std::error_code status;
        for (fs::directory_iterator entry(runs, status), end; !status && entry != end; entry.increment(status)) {
            const RunFolder candidate{entry->path()};
            if (!looksLikeRun(candidate.path))
                continue;
            const auto description = readRunDescription(candidate);
            if (description && description.value().id == folderOrId)
                return candidate;
        }
    }
    return Error(ErrorCode::badInput, "[journal] no run at " + fs::absolute(asPath).lexically_normal().string() +
                                          " and no run with this id in " + runs.string());
}

}  // namespace unmask
