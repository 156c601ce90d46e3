// SPDX-License-Identifier: Apache-2.0
// Which algorithm won a search, by shape, for one kind of GPU and one version of the library. A file in the user's
// cache; one that is damaged or missing costs a search, nothing else.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace unmask::cuda {

class GemmCache {
 public:
    explicit GemmCache(std::filesystem::path file);  // reads what is there

    std::optional<std::string> find(const std::string& shape) const;
    void add(const std::string& shape, const std::string& algorithm);  // and writes the file; a failure is no error

 private:
    std::filesystem::path m_file;
    std::map<std::string, std::string> m_entries;
};

}  // namespace unmask::cuda
