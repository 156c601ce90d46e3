// SPDX-License-Identifier: Apache-2.0
// Which rank is what. Tensor ranks are neighbours, since they talk most, then context, then data; pipeline stages are
// farthest apart: rank = ((pipeline · data + d) · context + c) · tensor + t.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol/parallel_config.h"

namespace unmask {

enum class MeshDimension { pipeline, data, context, tensor };
inline constexpr std::array kMeshDimensions{MeshDimension::pipeline, MeshDimension::data, MeshDimension::context,
                                     MeshDimension::tensor};
std::string_view meshWord(MeshDimension dimension);  // "pipeline", …

class Mesh {
 public:
    // Error(badInput) when the sizes do not make `worldSize`, or `rank` is none of them.
    Mesh(const ParallelConfig& layout, int worldSize, int rank);

    int rank() const { return m_rank; }
    int worldSize() const { return m_worldSize; }
    int size(MeshDimension dimension) const { return m_sizes[static_cast<size_t>(dimension)]; }
    int place(MeshDimension dimension) const { return m_places[static_cast<size_t>(dimension)]; }
    // Ranks that differ from this one in these dimensions alone, ascending; this one is among them.
    std::vector<int> group(const std::vector<MeshDimension>& dimensions) const;
    int rankAt(std::array<int, 4> places) const;
    std::array<int, 4> places() const { return m_places; }
    std::string describe() const;  // "rank 5 (pipeline 1, data 0, tensor 1)"; sizes of 1 are left out

 private:
    std::array<int, 4> m_sizes{};
    std::array<int, 4> m_places{};
    int m_worldSize;
    int m_rank;
};

}  // namespace unmask
