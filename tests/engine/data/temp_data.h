// SPDX-License-Identifier: Apache-2.0
// What the tests of this room share: a folder that goes away, files in it, and importers run into memory.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/data/document_sink.h"
#include "engine/data/importer.h"
#include "engine/data/prepare_store.h"
#include "engine/data/source_file.h"

namespace unmask::test {

class TempFolder {
 public:
    TempFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "unmask-data-XXXXXX").string();
        m_path = ::mkdtemp(name.data());
    }
    ~TempFolder() {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        const std::filesystem::path file = m_path / name;
        std::ofstream(file, std::ios::binary) << bytes;
        return file;
    }

 private:
    std::filesystem::path m_path;
};

inline std::string readFile(const std::filesystem::path& file) {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
}

class MemorySink final : public DocumentSink {
 public:
    std::vector<std::string> documents;
    void text(std::string_view piece) override { m_open += piece; }
    void endDocument() override { documents.push_back(std::exchange(m_open, {})); }

 private:
    std::string m_open;
};

struct Imported {
    std::vector<std::string> documents;
    ImportReport report;
    const BadLine& bad(size_t i = 0) const { return report.kept.at(i); }
};

using ImportFunction = void (*)(SourceFile&, const ImportTarget&);

struct ImportSettings {
    std::string textField;
    double badLineLimit = 1.0;
    size_t maxRecordBytes = size_t{64} << 20;
};

inline Imported import(ImportFunction importer, const std::filesystem::path& file,
                       const ImportSettings& settings = {}) {
    MemorySink sink;
    Imported imported;
    SourceFile source(file);
    imported.report.files.push_back({file.string()});
    importer(source, {sink, imported.report, 0, settings.textField, settings.maxRecordBytes, settings.badLineLimit});
    imported.documents = std::move(sink.documents);
    return imported;
}

// The message of the Error that `action` throws; empty when it does not.
template <class Action>
std::string messageOf(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

// A file of the shared test data; empty when this machine has none.
inline std::filesystem::path realData(const std::string& name) {
    const char* folder = std::getenv("UNMASK_TEST_DATA");
    const std::filesystem::path place =
        folder && *folder ? folder : std::filesystem::path(UNMASK_SOURCE_DIR).parent_path() / "shared" / "data";
    return std::filesystem::is_regular_file(place / name) ? place / name : std::filesystem::path();
}

}  // namespace unmask::test
