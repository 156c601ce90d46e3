// SPDX-License-Identifier: Apache-2.0
#include "engine/data/json_record.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/data/utf8_checker.h"

namespace unmask {

namespace {

constexpr size_t kLinearKeys = 16;

// Keys of one object under way. Few keys are compared one by one; many (an attack) go into a set.
class SeenKeys {
 public:
    bool insert(const std::string& key) {
        if (m_list.size() < kLinearKeys) {
            if (std::find(m_list.begin(), m_list.end(), key) != m_list.end())
                return false;
            m_list.push_back(key);
            return true;
        }
        if (m_set.empty())
            m_set.insert(m_list.begin(), m_list.end());
        return m_set.insert(key).second;
    }

 private:
    std::vector<std::string> m_list;
    std::unordered_set<std::string> m_set;
};

struct Field {
    std::string name;
    std::string text;
    bool isText = false;
};

std::string inQuotes(const std::string& name) {
    return '"' + toValidUtf8(name.substr(0, 60)) + '"';
}

class FieldCollector final : public nlohmann::json_sax<Json> {
 public:
    explicit FieldCollector(std::string_view record) : m_record(record) {}

    std::vector<Field>& fields() { return m_fields; }
    RecordFault& fault() { return m_fault; }

    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t number, const string_t& text) override {
        if (text.find_first_not_of("-0123456789") == string_t::npos)  // the point of the locale may be a comma
            return fail(BadLineReason::numberOutOfRange,
                        "the integer " + text.substr(0, 40) + " needs more than 64 bits");
        if (!std::isfinite(number))
            return fail(BadLineReason::numberOutOfRange, text.substr(0, 40));
        return value();
    }
    bool string(string_t& text) override {
        if (m_keys.empty())
            return value();
        if (text.find('\0') != string_t::npos)
            return fail(BadLineReason::nulByte, "in field " + inQuotes(m_topKey));
        if (m_keys.size() == 1)
            m_fields.push_back({std::move(m_topKey), std::move(text), true});
        return true;
    }
    bool binary(binary_t&) override { return fail(BadLineReason::notJson, "binary value"); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        if (!m_keys.back().insert(name))
            return fail(BadLineReason::duplicateKey, inQuotes(name));
        if (m_keys.size() == 1)
            m_topKey = name;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& lastToken, const Json::exception& problem) override;

 private:
    bool fail(BadLineReason reason, std::string detail, int64_t offset = 0) {
        m_fault = {reason, offset, std::move(detail)};
        return false;
    }
    // A value that is not text; at the top there must be an object.
    bool value() {
        if (m_keys.empty())
            return fail(BadLineReason::notAnObject, "");
        if (m_keys.size() == 1)
            m_fields.push_back({std::move(m_topKey), {}, false});
        return true;
    }
    bool open(bool array) {
        if (m_keys.empty() && array)
            return fail(BadLineReason::notAnObject, "an array");
        if (m_keys.size() >= static_cast<size_t>(kDataJsonDepth))
            return fail(BadLineReason::tooDeep, "more than " + std::to_string(kDataJsonDepth) + " levels");
        if (m_keys.size() == 1)
            m_fields.push_back({std::move(m_topKey), {}, false});
        m_keys.emplace_back();
        return true;
    }
    bool close() {
        m_keys.pop_back();
        return true;
    }

    std::string_view m_record;
    std::vector<SeenKeys> m_keys;  // one a level
    std::string m_topKey;
    std::vector<Field> m_fields;
    RecordFault m_fault;
};

// Whether the word around `at` is one of the literals that JSON lacks but Python writes.
bool isNonFiniteWord(std::string_view record, size_t at) {
    size_t begin = std::min(at, record.size());
    const auto isLetter = [&](size_t i) { return (record[i] | 0x20) >= 'a' && (record[i] | 0x20) <= 'z'; };
    while (begin > 0 && isLetter(begin - 1))
        --begin;
    const std::string_view rest = record.substr(begin);
    return rest.starts_with("NaN") || rest.starts_with("Infinity") || rest.starts_with("nan") ||
           rest.starts_with("Inf");
}

bool FieldCollector::parse_error(std::size_t position, const std::string& lastToken, const Json::exception& problem) {
    const std::string_view message = problem.what();
    const size_t at = position > 0 ? position - 1 : 0;
    const auto offset = static_cast<int64_t>(std::min(at, m_record.size()));
    if (problem.id == 406 || message.find("number overflow") != std::string_view::npos)
        return fail(BadLineReason::numberOutOfRange, toValidUtf8(lastToken.substr(0, 40)), offset);
    if (message.find("surrogate") != std::string_view::npos)
        return fail(BadLineReason::loneSurrogate, "", offset);
    const bool afterValue = message.find("; expected end of input") != std::string_view::npos;
    if (afterValue && message.find("invalid literal") == std::string_view::npos)
        return fail(BadLineReason::severalValues, "", offset);
    if (isNonFiniteWord(m_record, at))
        return fail(BadLineReason::notANumber, "", offset);
    return fail(BadLineReason::notJson, plainJsonReason(message), offset);
}

std::optional<RecordFault> encodingFault(std::string_view record) {
    Utf8Checker checker;
    std::optional<int64_t> bad = checker.feed(record);
    if (!bad)
        bad = checker.finish();
    if (!bad)
        return std::nullopt;
    const auto byte = static_cast<unsigned char>(record[static_cast<size_t>(*bad)]);
    if (byte == 0)
        return RecordFault{BadLineReason::nulByte, *bad, ""};
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return RecordFault{BadLineReason::invalidUtf8, *bad, {'0', 'x', kDigits[byte >> 4], kDigits[byte & 15]}};
}

std::optional<RecordFault> chooseNamed(std::vector<Field>& fields, const std::string& name, std::string& text) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (found == fields.end())
        return RecordFault{BadLineReason::missingField, 0, inQuotes(name)};
    if (!found->isText)
        return RecordFault{BadLineReason::fieldNotText, 0, inQuotes(name)};
    text = std::move(found->text);
    return std::nullopt;
}

std::optional<RecordFault> chooseText(std::vector<Field>& fields, const std::string& wanted, std::string& text) {
    if (!wanted.empty())
        return chooseNamed(fields, wanted, text);
    for (const char* usual : {"text", "content"})
        if (std::any_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == usual; }))
            return chooseNamed(fields, usual, text);
    bool any = false;
    for (const Field& field : fields) {
        any = any || field.isText;
        if (field.text.empty())
            continue;
        if (!text.empty())
            text += "\n\n";
        text += field.text;
    }
    if (!any)
        return RecordFault{BadLineReason::noTextField, 0, ""};
    return std::nullopt;
}

}  // namespace

std::optional<RecordFault> JsonRecordParser::parse(std::string_view record, std::string& text) const {
    text.clear();
    // First, since nlohmann takes a NUL byte for the end of the input.
    if (std::optional<RecordFault> fault = encodingFault(record))
        return fault;
    FieldCollector collector(record);
    try {
        if (!Json::sax_parse(record.data(), record.data() + record.size(), &collector))
            return std::move(collector.fault());
    } catch (const Json::exception& problem) {
        return RecordFault{BadLineReason::notJson, 0, plainJsonReason(problem.what())};
    }
    if (std::optional<RecordFault> fault = chooseText(collector.fields(), m_textField, text))
        return fault;
    if (text.empty())
        return RecordFault{BadLineReason::emptyText, 0, ""};
    return std::nullopt;
}

}  // namespace unmask
