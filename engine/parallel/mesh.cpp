// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/mesh.h"

#include <algorithm>

#include "engine/base/error.h"

namespace unmask {

std::string_view meshWord(MeshDimension dimension) {
    constexpr std::array<std::string_view, 4> kWords{"pipeline", "data", "context", "tensor"};
    return kWords[static_cast<size_t>(dimension)];
}

Mesh::Mesh(const ParallelConfig& layout, int worldSize, int rank)
    : m_sizes{static_cast<int>(layout.pipelineStages), static_cast<int>(layout.dataParallelSize),
              static_cast<int>(layout.contextParallelSize), static_cast<int>(layout.tensorParallelSize)},
      m_worldSize(worldSize),
      m_rank(rank) {
    if (layout.worldSize() != worldSize)
        throw Error{ErrorCode::badInput, "[parallel] the layout is made for " + std::to_string(layout.worldSize()) +
                                             " processes, but " + std::to_string(worldSize) + " were started"};
    if (rank < 0 || rank >= worldSize)
        throw Error{ErrorCode::badInput,
                    "[parallel] there is no rank " + std::to_string(rank) + " among " + std::to_string(worldSize)};
    int rest = rank;
    for (size_t i = m_sizes.size(); i-- > 0;) {
        m_places[i] = rest % m_sizes[i];
        rest /= m_sizes[i];
    }
}

int Mesh::rankAt(std::array<int, 4> places) const {
    int rank = 0;
    for (size_t i = 0; i < places.size(); ++i)
        rank = rank * m_sizes[i] + places[i];
    return rank;
}

std::vector<int> Mesh::group(const std::vector<MeshDimension>& dimensions) const {
    std::vector<int> ranks;
    for (int other = 0; other < m_worldSize; ++other) {
        int rest = other;
        bool member = true;
        for (size_t i = m_sizes.size(); i-- > 0; rest /= m_sizes[i]) {
            const bool free =
                std::find(dimensions.begin(), dimensions.end(), static_cast<MeshDimension>(i)) != dimensions.end();
            member = member && (free || rest % m_sizes[i] == m_places[i]);
        }
        if (member)
            ranks.push_back(other);
    }
    return ranks;
}

std::string Mesh::describe() const {
    std::string places;
    for (const MeshDimension each : kMeshDimensions)
        if (size(each) > 1)
            places += (places.empty() ? "" : ", ") + std::string(meshWord(each)) + " " + std::to_string(place(each));
    return "rank " + std::to_string(m_rank) + (places.empty() ? "" : " (" + places + ")");
}

}  // namespace unmask
