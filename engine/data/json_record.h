// SPDX-License-Identifier: Apache-2.0
// One JSON object of foreign data to the text of one document, in a single pass that keeps nothing but its text fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/data/import_report.h"

namespace unmask {

struct RecordFault {
    BadLineReason reason = BadLineReason::notJson;
    int64_t offset = 0;  // byte in the record where the trouble is; 0 when it concerns the whole
    std::string detail;
};

class JsonRecordParser {
 public:
    // `textField`: the field to take. Empty: `text`, else `content`, else all text fields in file order joined by a
    // blank line, those that are empty left out. Fields that are not text are ignored.
    explicit JsonRecordParser(std::string textField) : m_textField(std::move(textField)) {}

    // `text` holds the document when nothing is returned.
    std::optional<RecordFault> parse(std::string_view record, std::string& text) const;

 private:
    std::string m_textField;
};

}  // namespace unmask
