// SPDX-License-Identifier: Apache-2.0
#include "engine/ops/cuda/gemm_cache.h"

#include <fstream>
#include <iterator>

#include "engine/base/durable_file.h"
#include "engine/base/json.h"

namespace unmask::cuda {

GemmCache::GemmCache(std::filesystem::path file) : m_file(std::move(file)) {
    std::ifstream in(m_file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto json = parseJson(text);
    if (!json.ok() || !json.value().is_object())
        return;
    for (const auto& [shape, algorithm] : json.value().items())
        if (algorithm.is_string())
            m_entries[shape] = algorithm.get<std::string>();
}

std::optional<std::string> GemmCache::find(const std::string& shape) const {
    const auto found = m_entries.find(shape);
    return found == m_entries.end() ? std::nullopt : std::optional(found->second);
}

void GemmCache::add(const std::string& shape, const std::string& algorithm) {
    m_entries[shape] = algorithm;
    try {
        std::filesystem::create_directories(m_file.parent_path());
        replaceFile(m_file, dumpLine(Json(m_entries)) + "\n", Durability::news);
    } catch (const std::exception&) {  // the next start searches again
    }
}

}  // namespace unmask::cuda
