// SPDX-License-Identifier: Apache-2.0
#include "ui/store/annotation_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/json.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20;

std::string wholeFile(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::exists(file, error) ? readWholeFile(file, kMostBytes) : std::string();
}

Json parseLine(std::string_view line) {
    auto parsed = parseJson(line);
    return parsed && parsed.value().is_object() ? std::move(parsed).value() : Json::object();
}

// Complete lines from an offset on; a torn last one is left for later.
template <class Visit>
size_t eachLine(const std::string& bytes, size_t offset, Visit&& visit) {
    for (size_t end = bytes.find('\n', offset); end != std::string::npos; end = bytes.find('\n', offset)) {
        visit(parseLine(std::string_view(bytes).substr(offset, end - offset)));
        offset = end + 1;
    }
    return offset;
}

void apply(Sql& sql, const Json& entry) {
    const auto key = entry.find("key");
    if (key == entry.end() || !key->is_string())
        return;
    const QString run = fromUtf8(key->get<std::string>());
    const auto text = [&](const char* field) -> QVariant {
        const auto found = entry.find(field);
        return found != entry.end() && found->is_string() ? QVariant(fromUtf8(found->get<std::string>())) : QVariant();
    };
    const auto tags = entry.find("tags");
    sql.run(
        "INSERT INTO annotations (key, name, note, tags) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
        " name = coalesce(excluded.name, name), note = coalesce(excluded.note, note),"
        " tags = coalesce(excluded.tags, tags)",
        {run, text("name"), text("note"), tags != entry.end() ? QVariant(fromUtf8(dumpLine(*tags))) : QVariant()});
}

}  // namespace

void AnnotationLog::append(const QString& key, const Annotation& annotation) {
    Json entry{{"time", utcNow()}, {"key", toUtf8(key)}};
    switch (annotation.kind) {
        case Annotation::Kind::name:
            entry["name"] = toUtf8(annotation.text);
            break;
        case Annotation::Kind::note:
            entry["note"] = toUtf8(annotation.text);
            break;
        case Annotation::Kind::tags:
            entry["tags"] = Json::array();
            for (const QString& tag : annotation.tags)
                entry["tags"].push_back(toUtf8(tag));
            break;
    }
    appendLine(dumpLine(entry));
}

void AnnotationLog::appendFolder(const QString& folder) {
    const std::vector<QString> known = folders();
    if (std::find(known.begin(), known.end(), folder) == known.end())
        appendLine(dumpLine(Json{{"time", utcNow()}, {"folder", toUtf8(folder)}}));
}

void AnnotationLog::appendLine(const std::string& line) {
    std::filesystem::create_directories(m_file.parent_path());
    const FileDescriptor file(
        ::open(m_file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600));
    if (!file.valid())
        throw systemError("[history] cannot open " + m_file.string(), errno);
    const off_t end = ::lseek(file.get(), 0, SEEK_END);
    char last = '\n';
    if (end > 0 && ::pread(file.get(), &last, 1, end - 1) != 1)
        throw systemError("[history] cannot read " + m_file.string(), errno);
    // A crash may have torn the line before; it must not swallow this one.
    writeAll(file.get(), (last == '\n' ? "" : "\n") + line + "\n", m_file.string());
    if (::fdatasync(file.get()) != 0)
        throw systemError("[history] cannot keep " + m_file.string(), errno);
    if (end == 0)
        syncFolder(m_file.parent_path());
}

void AnnotationLog::replay(Sql& sql) {
    const std::string bytes = wholeFile(m_file);
    auto offset =
        static_cast<size_t>(sql.value("SELECT value FROM facts WHERE name = 'annotations_offset'").toULongLong());
    if (offset > bytes.size())
        offset = 0;  // another file; taking lines in twice is harmless
    const size_t end = eachLine(bytes, offset, [&](const Json& entry) { apply(sql, entry); });
    if (end != offset)
        sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('annotations_offset', ?)",
                {QVariant::fromValue<qulonglong>(end)});
}

std::vector<QString> AnnotationLog::folders() const {
    std::vector<QString> folders;
    eachLine(wholeFile(m_file), 0, [&](const Json& entry) {
        const auto found = entry.find("folder");
        if (found == entry.end() || !found->is_string())
            return;
        const QString folder = fromUtf8(found->get<std::string>());
        if (std::find(folders.begin(), folders.end(), folder) == folders.end())
            folders.push_back(folder);
    });
    return folders;
}

}  // namespace unmask::ui
