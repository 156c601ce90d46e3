// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temp_run.h"

#include <stdlib.h>  // NOLINT: mkdtemp

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace unmask::test {
namespace fs = std::filesystem;

TempFolder::TempFolder() {
    std::string name = (fs::temp_directory_path() / "unmask-test-XXXXXX").string();
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("mkdtemp failed for " + name);
    m_path = name;
}

TempFolder::~TempFolder() {
    if (std::getenv("UNMASK_KEEP_FOLDERS"))
        return;
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

TempRun::TempRun(RunSpec spec) : m_folder{m_root.path() / "Lauf ä 跑"} {
    RunDescription description;
    description.id = "temp-20260101-000000-0001";
    description.name = "temp";
    description.spec = std::move(spec);
    createRunFolder(m_folder, description);
}

std::string readBytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw std::runtime_error("cannot read " + file.string());
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    return std::move(bytes).str();
}

void writeBytes(const fs::path& file, std::string_view bytes) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush())
        throw std::runtime_error("cannot write " + file.string());
}

// In place: rewriting the whole file would make ext4 wait for the disk each time.
void flipBit(const fs::path& file, size_t byte, int bit) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(static_cast<std::streamoff>(byte));
    const int old = stream.get();
    if (old == std::char_traits<char>::eof())
        throw std::runtime_error(file.string() + " has no byte " + std::to_string(byte));
    stream.seekp(static_cast<std::streamoff>(byte));
    stream.put(static_cast<char>(old ^ (1 << bit)));
    if (!stream.flush())
        throw std::runtime_error("cannot write " + file.string());
}

}  // namespace unmask::test
