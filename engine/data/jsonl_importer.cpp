// SPDX-License-Identifier: Apache-2.0
// JSON lines: a line is a document. A bad line costs itself and nothing else.
#include "engine/data/importer.h"
#include "engine/data/line_reader.h"

namespace unmask {

void importJsonLines(SourceFile& source, const ImportTarget& target) {
    LineReader reader(source, target.maxRecordBytes);
    RecordImporter importer(source, target);
    ImportedFile& entry = target.entry();
    SourceLine line;
    while (reader.next(line)) {
        if (line.tooLong)
            importer.tooLong(line.number, line.offset);
        else if (line.text.find_first_not_of(" \t") == std::string_view::npos)
            ++entry.blankLines;
        else
            importer.record(line.text, line.number, line.offset);
    }
    entry.lines = reader.lines();
    entry.windowsLines = reader.windowsLines();
    entry.byteOrderMark = reader.byteOrderMark();
}

}  // namespace unmask
