// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_list.h"

#include <QPointer>
#include <QThreadPool>

#include "engine/base/durable_file.h"
#include "engine/base/json.h"
#include "engine/base/places.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr size_t kLargestFile = size_t{4} << 20;

QThreadPool& writerPool() {
    static QThreadPool pool;
    pool.setMaxThreadCount(1);  // in order, so that an older state never overwrites a newer one
    return pool;
}

Json listToJson(const QStringList& list) {
    Json json = Json::array();
    for (const QString& one : list)
        json.push_back(toUtf8(one));
    return json;
}

QStringList listOf(const Json& object, const char* key) {
    QStringList list;
    if (const auto found = object.find(key); found != object.end() && found->is_array())
        for (const Json& one : *found)
            if (one.is_string())
                list += fromUtf8(one.get<std::string>());
    return list;
}

QString textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? fromUtf8(found->get<std::string>()) : QString();
}

Json entryToJson(const ServerEntry& entry) {
    Json json;
    json["name"] = toUtf8(entry.name);
    json["host"] = toUtf8(entry.address.host);
    json["user"] = toUtf8(entry.address.user);
    json["port"] = entry.address.port;
    json["jumps"] = listToJson(entry.address.jumps);
    json["key_file"] = toUtf8(entry.address.keyFile);
    json["group"] = toUtf8(entry.group);
    json["folder"] = toUtf8(entry.folder);
    json["environment"] = listToJson(entry.environment);
    return json;
}

// Nothing of a foreign or hand-edited file gets in that could not have been typed.
std::optional<ServerEntry> entryFromJson(const Json& json) {
    if (!json.is_object())
        return std::nullopt;
    ServerEntry entry;
    entry.name = textOf(json, "name");
    entry.address.host = textOf(json, "host");
    entry.address.user = textOf(json, "user");
    if (const auto port = json.find("port"); port != json.end() && port->is_number_integer())
        entry.address.port = static_cast<int>(std::clamp<int64_t>(port->get<int64_t>(), 0, 65535));
    entry.address.jumps = listOf(json, "jumps");
    entry.address.keyFile = textOf(json, "key_file");
    entry.group = textOf(json, "group");
    entry.folder = textOf(json, "folder");
    entry.environment = listOf(json, "environment");
    const bool jumpsGood = std::all_of(entry.address.jumps.begin(), entry.address.jumps.end(),
                                       [](const QString& jump) { return readServerAddress(jump).address.has_value(); });
    const bool userGood = entry.address.user.isEmpty() || isServerUser(entry.address.user);
    if (entry.name.isEmpty() || !isServerHost(entry.address.host) || !userGood || !jumpsGood)
        return std::nullopt;
    return entry;
}

}  // namespace

ServerList::ServerList(QObject* parent) : ServerList(configHome() / "servers.json", parent) {}

ServerList::ServerList(std::filesystem::path file, QObject* parent) : QObject(parent), m_file(std::move(file)) {
    load();
}

ServerList::~ServerList() {
    flush();
}

void ServerList::load() {
    std::error_code error;
    if (!std::filesystem::exists(m_file, error))
        return;
    try {
        const Json json = parseJson(readWholeFile(m_file, kLargestFile)).orThrow();
        const auto servers = json.is_object() ? json.find("servers") : json.end();
        if (servers == json.end() || !servers->is_array())
            throw Error(ErrorCode::badInput, "[servers] no list of servers");
        for (const Json& one : *servers)
            if (auto entry = entryFromJson(one); entry && !find(entry->name))
                m_entries.push_back(*entry);
    } catch (const Error& problem) {
        m_problem = tr("The list of servers could not be read: %1. It was kept as %2.bad.")
                        .arg(fromUtf8(plainMessage(problem)), fromPath(m_file));
        std::filesystem::rename(m_file, m_file.string() + ".bad", error);
    }
}

const ServerEntry* ServerList::find(const QString& name) const {
    for (const ServerEntry& entry : m_entries)
        if (entry.name == name)
            return &entry;
    return nullptr;
}

QString ServerList::freeName(const QString& wish) const {
    QString name = wish;
    for (int i = 2; find(name); ++i)
        name = QStringLiteral("%1 %2").arg(wish).arg(i);
    return name;
}

void ServerList::put(const ServerEntry& entry) {
    for (ServerEntry& old : m_entries)
        if (old.name == entry.name) {
            if (old == entry)
                return;
            old = entry;
            save();
            return;
        }
    m_entries.push_back(entry);
    save();
}

void ServerList::remove(const QString& name) {
    if (std::erase_if(m_entries, [&](const ServerEntry& entry) { return entry.name == name; }) > 0)
        save();
}

void ServerList::save() {
    Json json;
    json["servers"] = Json::array();
    for (const ServerEntry& entry : m_entries)
        json["servers"].push_back(entryToJson(entry));
    writerPool().start([file = m_file, text = json.dump(2) + "\n", self = QPointer<ServerList>(this)] {
        try {
            std::filesystem::create_directories(file.parent_path());
            replaceFile(file, text, Durability::durable, 0600);
        } catch (const std::exception& problem) {
            const QString sentence = tr("The list of servers was not saved: %1")
                                         .arg(fromUtf8(plainMessage(std::string_view(problem.what()))));
            // The destructor waits for this thread, so the object is still there.
            QMetaObject::invokeMethod(self.data(), [self, sentence] {
                if (self)
                    Q_EMIT self->failed(sentence);
            });
        }
    });
    Q_EMIT changed();
}

void ServerList::flush() {
    writerPool().waitForDone();
}

}  // namespace unmask::ui
