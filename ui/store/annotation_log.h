// SPDX-License-Identifier: Apache-2.0
// annotations.jsonl: what people say about runs (names, notes, tags) and folders they opened outside the runs folder.
// Append-only and synced, so that a lost index loses none of it; the index takes over what it does not have yet.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/store/run_row.h"
#include "ui/store/sql.h"

namespace unmask::ui {

class AnnotationLog {
 public:
    explicit AnnotationLog(std::filesystem::path file) : m_file(std::move(file)) {}

    void append(const QString& key, const Annotation& annotation);  // throws Error(disk)
    void appendFolder(const QString& folder);

    // Reads lines that the index has not seen (it keeps the offset) into its annotations table.
    void replay(Sql& sql);
    std::vector<QString> folders() const;  // opened ones, each once

 private:
    void appendLine(const std::string& line);

    std::filesystem::path m_file;
};

}  // namespace unmask::ui
