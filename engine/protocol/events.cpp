// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/events.h"

#include "engine/base/crc32c.h"
#include "engine/base/text.h"
#include "engine/protocol/field_json.h"

namespace unmask {
namespace {

constexpr size_t kCrcTail = 18;  // ,"crc":"hhhhhhhh"}
constexpr size_t kMaxLineBytes = size_t{16} << 20;

template <class T>
Result<Event> decodeEvent(const Json& payload) {
    T event;
    std::string complaint;
    forEachField<T>([&](const auto& f) {
        const auto found = payload.find(std::string(f.name));
        if (found == payload.end())
            return;  // a field added later; its default stands
        const std::string expected = readValue(*found, event.*(f.member));
        if (!expected.empty())
            complaint = std::string(f.name) + " must be " + expected;
    });
    if (!complaint.empty())
        return Error(ErrorCode::badInput, "[journal] " + std::string(T::kind) + ": " + complaint);
    return Event(std::move(event));
}

template <size_t Index = 0>
Result<Event> decodeKind(const std::string& kind, const Json& payload) {
    using T = std::variant_alternative_t<Index, Event>;
    if constexpr (std::is_same_v<T, UnknownEvent>) {
        return Event(UnknownEvent{kind, payload});
    } else {
        if (kind == T::kind)
            return decodeEvent<T>(payload);
        return decodeKind<Index + 1>(kind, payload);
    }
}

}  // namespace

std::string_view kindOf(const Event& event) {
    return std::visit([](const auto& e) -> std::string_view { return e.kind; }, event);
}

std::string encodeRecord(const EventRecord& record) {
    Json json = Json::object();
    json["seq"] = record.seq;
    json["attempt"] = record.attempt;
    json["time"] = record.time;
    json["kind"] = std::string(kindOf(record.event));
    json["step"] = record.step;
    json["payload"] = std::visit(
        [](const auto& event) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(event)>, UnknownEvent>)
                return event.payload;
            else
                return structToJson(event);
        },
        record.event);
    std::string line = dumpLine(json);
    line.pop_back();  // the closing brace comes after the checksum
    line += ",\"crc\":\"" + crc32cHex(line) + "\"}";
    return line;
}

Result<EventRecord> decodeRecord(std::string_view line) {
    const auto damaged = [](const std::string& reason) { return Error(ErrorCode::disk, "[journal] " + reason); };
    if (line.size() < kCrcTail + 2 || line.size() > kMaxLineBytes)
        return damaged("the line has no checksum");
    const std::string_view body = line.substr(0, line.size() - kCrcTail);
    const std::string_view tail = line.substr(line.size() - kCrcTail);
    if (tail.substr(0, 8) != ",\"crc\":\"" || tail.substr(16) != "\"}")
        return damaged("the line has no checksum");
    if (tail.substr(8, 8) != crc32cHex(body))
        return damaged("the checksum of the line is wrong");
    const auto parsed = parseJson(std::string(body) + "}");
    if (!parsed)
        return parsed.error();
    const Json& json = parsed.value();
    EventRecord record;
    std::string kind;
    for (const auto& [name, target] :
         {std::pair{"seq", &record.seq}, {"attempt", &record.attempt}, {"step", &record.step}})
        if (!json.contains(name) || !readValue(json.at(name), *target).empty())
            return Error(ErrorCode::badInput, std::string("[journal] a record without ") + name);
    if (!json.contains("kind") || !readValue(json.at("kind"), kind).empty())
        return Error(ErrorCode::badInput, "[journal] a record without kind");
    if (json.contains("time"))
        readValue(json.at("time"), record.time);
    const Json payload = json.contains("payload") ? json.at("payload") : Json::object();
    auto event = decodeKind(kind, payload);
    if (!event)
        return event.error();
    record.event = std::move(event).orThrow();
    return record;
}

}  // namespace unmask
