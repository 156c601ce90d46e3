// SPDX-License-Identifier: Apache-2.0
#include "engine/base/json.h"

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "engine/base/text.h"

namespace unmask {
namespace {

// Builds the value while checking what nlohmann lets through: depth, duplicate keys, integers beyond 64 bits.
class StrictBuilder : public nlohmann::json_sax<Json> {
 public:
    explicit StrictBuilder(int maxDepth) : m_maxDepth(maxDepth) {}
    const std::string& failure() const { return m_failure; }
    Json take() { return std::move(m_root); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& text) override {
        // Not a search for '.': in a locale with decimal commas the text arrives with a comma.
        if (text.find_first_not_of("-0123456789") == string_t::npos)
            return fail("the integer " + text.substr(0, 40) + " does not fit 64 bits");
        if (!std::isfinite(value))
            return fail("the number " + text.substr(0, 40) + " is out of range");
        return put(value);
    }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t&) override { return fail("binary values are not JSON"); }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        if (!m_keys.back().insert(value).second)
            return fail("the key \"" + value.substr(0, 80) + "\" stands twice in one object");
        m_key = value;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Json::exception& reason) override {
        return fail("at byte " + std::to_string(position) + ": " + plainJsonReason(reason.what()));
    }

 private:
    bool fail(std::string reason) {
        if (m_failure.empty())
            m_failure = std::move(reason);
        return false;
    }
    Json* place(Json value) {
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        // push_back avoids ordered_map's linear search; key() has ruled duplicates out.
        auto& object = parent.get_ref<Json::object_t&>();
        object.emplace_back(m_key, std::move(value));
        return &object.back().second;
    }
    bool put(Json value) {
        place(std::move(value));
        return true;
    }
    bool open(Json container) {
        if (static_cast<int>(m_open.size()) >= m_maxDepth)
            return fail("nested deeper than " + std::to_string(m_maxDepth) + " levels");
        m_open.push_back(place(std::move(container)));
        m_keys.emplace_back();
        return true;
    }
    bool close() {
        m_open.pop_back();
        m_keys.pop_back();
        return true;
    }

    int m_maxDepth;
    Json m_root;
    std::vector<Json*> m_open;
    std::vector<std::set<std::string>> m_keys;
    std::string m_key;
    std::string m_failure;
};

}  // namespace

Result<Json> parseJson(std::string_view text, int maxDepth) {
    StrictBuilder builder(maxDepth);
    bool parsed = false;
    try {
        parsed = Json::sax_parse(text.begin(), text.end(), &builder);
    } catch (const std::exception& error) {  // out_of_range for 1e400 is thrown past parse_error
        return Error(ErrorCode::badInput, "[json] " + plainJsonReason(error.what()));
    }
    if (!parsed)
        return Error(ErrorCode::badInput, "[json] " + builder.failure());
    return builder.take();
}

std::string plainJsonReason(std::string_view message) {
    if (const size_t dash = message.find(" - "); dash != std::string_view::npos)
        message.remove_prefix(dash + 3);
    else if (const size_t bracket = message.find("] "); message.starts_with('[') && bracket != std::string_view::npos)
        message.remove_prefix(bracket + 2);
    return toValidUtf8(message.substr(0, std::min(message.find("; last read"), size_t{160})));
}

Json numberToJson(double value) {
    if (std::isfinite(value))
        return value;
    return formatNumber(value);
}

Result<double> numberFromJson(const Json& value) {
    if (value.is_number())
        return value.get<double>();
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        if (word == "NaN")
            return std::numeric_limits<double>::quiet_NaN();
        if (word == "Infinity")
            return std::numeric_limits<double>::infinity();
        if (word == "-Infinity")
            return -std::numeric_limits<double>::infinity();
    }
    return Error(ErrorCode::badInput, "[json] " + dumpLine(value) + " is not a number");
}

std::string dumpLine(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace unmask
