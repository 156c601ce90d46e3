// SPDX-License-Identifier: Apache-2.0
// JSON codec of any struct with a field list. Internal to protocol/: others use spec_json, events and settings.
#pragma once

#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/base/json.h"
#include "engine/protocol/field_spec.h"
#include "engine/protocol/interval.h"

namespace unmask {

template <class T>
concept HasFields = requires {
    T::fields;
};

// --- values to JSON ---
inline Json valueToJson(const Interval& value) {
    if (value.unit == Interval::Unit::steps)
        return static_cast<int64_t>(value.amount);
    return formatInterval(value);
}

template <class T>
Json structToJson(const T& object);

template <class T>
Json valueToJson(const T& value) {
    if constexpr (HasFields<T>) {
        return structToJson(value);
    } else if constexpr (std::is_enum_v<T>) {
        return std::string(wordOf(value));
    } else if constexpr (std::is_same_v<T, double>) {
        return numberToJson(value);
    } else if constexpr (std::is_same_v<T, std::map<std::string, double>>) {
        Json object = Json::object();
        for (const auto& [name, number] : value)
            object[name] = numberToJson(number);
        return object;
    } else {
        return value;
    }
}

template <class T>
Json structToJson(const T& object) {
    Json json = Json::object();
    forEachField<T>([&](const auto& f) { json[std::string(f.name)] = valueToJson(object.*(f.member)); });
    return json;
}

// --- values from JSON: an empty string is success, otherwise what was expected ---
inline std::string readValue(const Json& json, bool& out) {
    if (!json.is_boolean())
        return "true or false";
    out = json.get<bool>();
    return {};
}
inline std::string readValue(const Json& json, int64_t& out) {
    if (json.is_number_float()) {  // 1e3, as long as it is whole
        const double number = json.get<double>();
        if (number != static_cast<double>(static_cast<int64_t>(number)))
            return "a whole number";
        out = static_cast<int64_t>(number);
        return {};
    }
    if (!json.is_number_integer() || (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX))
        return "a whole number";
    out = json.get<int64_t>();
    return {};
}
inline std::string readValue(const Json& json, double& out) {
    const auto number = numberFromJson(json);
    if (!number)
        return "a number";
    out = number.value();
    return {};
}
inline std::string readValue(const Json& json, std::string& out) {
    if (!json.is_string())
        return "a text in quotes";
    out = json.get<std::string>();
    return {};
}
inline std::string readValue(const Json& json, std::vector<std::string>& out) {
    if (!json.is_array())
        return "a list of texts";
    std::vector<std::string> list;
    for (const auto& item : json) {
        if (!item.is_string())
            return "a list of texts";
        list.push_back(item.get<std::string>());
    }
    out = std::move(list);
    return {};
}
inline std::string readValue(const Json& json, std::map<std::string, double>& out) {
    if (!json.is_object())
        return "an object of numbers";
    std::map<std::string, double> values;
    for (const auto& [name, item] : json.items()) {
        const auto number = numberFromJson(item);
        if (!number)
            return "an object of numbers";
        values[name] = number.value();
    }
    out = std::move(values);
    return {};
}
inline std::string readValue(const Json& json, Interval& out) {
    if (json.is_number_integer() && json.get<int64_t>() > 0) {
        out = Interval::steps(json.get<int64_t>());
        return {};
    }
    if (json.is_string())
        if (auto interval = parseInterval(json.get_ref<const std::string&>())) {
            out = interval.value();
            return {};
        }
    return "an interval: a number of steps, or 10min, 30s, 2h, 1epoch, never";
}
template <class E>
requires std::is_enum_v<E> std::string readValue(const Json& json, E& out) {
    std::string words;
    for (const auto& choice : Choices<E>::list) {
        if (json.is_string() && json.get_ref<const std::string&>() == choice.word) {
            out = choice.value;
            return {};
        }
        words += (words.empty() ? "" : ", ") + std::string(choice.word);
    }
    return "one of " + words;
}

}  // namespace unmask
