// SPDX-License-Identifier: Apache-2.0
// A whole file, read-only in memory.
#pragma once

#include <cstddef>
#include <filesystem>

namespace unmask {

class MappedFile {
 public:
    explicit MappedFile(const std::filesystem::path& file);  // regular and not empty, else Error(badInput)
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::byte* data() const { return m_data; }
    size_t size() const { return m_size; }

 private:
    const std::byte* m_data = nullptr;
    size_t m_size = 0;
};

}  // namespace unmask
