// SPDX-License-Identifier: Apache-2.0
// The importers, one a format. Each reads a source from front to back, puts its documents into a sink and says in the
// report what it could not use. An importer stops by throwing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/data/document_sink.h"
#include "engine/data/import_report.h"
#include "engine/data/json_record.h"
#include "engine/data/source_file.h"

namespace unmask {

struct ImportTarget {
    DocumentSink& sink;
    ImportReport& report;
    int64_t file = 0;  // index of the source in report.files
    std::string textField;
    size_t maxRecordBytes = size_t{64} << 20;
    double badLineLimit = 0.01;

    ImportedFile& entry() const { return report.files[static_cast<size_t>(file)]; }
};

void importText(SourceFile& source, const ImportTarget& target);
// What makes the first bytes of a file no text is found before anything of it is read; a cut last character is no fault.
void refuseBadBeginning(SourceFile& source, std::string_view beginning);
void importJsonLines(SourceFile& source, const ImportTarget& target);
void importJsonArray(SourceFile& source, const ImportTarget& target);

// What the two JSON importers share: a record becomes a document or a counted fault.
class RecordImporter {
 public:
    RecordImporter(const SourceFile& source, const ImportTarget& target);

    // `line` and `offset` say where the record begins in the file. After an LF inside it lines are counted on.
    void record(std::string_view text, int64_t line, int64_t offset);
    void fault(RecordFault fault, std::string_view text, int64_t line, int64_t offset);
    void tooLong(int64_t line, int64_t offset);

 private:
    // Stops early, but only once no number of good lines in the rest could bring the share under the limit.
    void stopWhenHopeless(int64_t offset) const;

    const SourceFile& m_source;
    const ImportTarget& m_target;
    JsonRecordParser m_parser;
    std::string m_text;
};

// Throws Error(badInput) when more lines are bad than the limit allows; `recordsToCome` may still be good.
void checkBadLineLimit(const ImportReport& report, double limit, int64_t recordsToCome = 0);

}  // namespace unmask
