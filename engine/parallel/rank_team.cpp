// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/rank_team.h"

#include <numeric>

#include "engine/base/error.h"

namespace unmask {

namespace {

// The leader may first read a large checkpoint.
constexpr std::chrono::minutes kMeeting{10};
constexpr std::chrono::hours kPause{24 * 365};

std::vector<int> everybody(int worldSize) {
    std::vector<int> members(static_cast<size_t>(worldSize));
    std::iota(members.begin(), members.end(), 0);
    return members;
}

}  // namespace

RankTeam::RankTeam(const TeamPlace& place, const ParallelConfig& layout, double hangTimeout, const std::string& version)
    : m_mesh(layout, place.worldSize, place.rank),
      m_rendezvous(std::make_unique<Rendezvous>(place.meeting, place.worldSize, place.rank, kMeeting)) {
    const std::vector<std::string> versions = m_rendezvous->exchangeTexts("version", version);
    for (size_t rank = 0; rank < versions.size(); ++rank)
        if (versions[rank] != versions.front())
            throw Error{ErrorCode::badInput, "[parallel] rank " + std::to_string(rank) + " runs version " +
                                                 versions[rank] + ", rank 0 runs " + versions.front() +
                                                 "; install the same on all machines"};
    m_world = m_rendezvous->makeGroup("world", everybody(place.worldSize), kPause);
    const std::chrono::milliseconds patience(static_cast<int64_t>(hangTimeout * 1000));
    m_replicas = m_rendezvous->makeGroup("replicas", m_mesh.group({MeshDimension::data}), patience);
    m_sharers = m_rendezvous->makeGroup("sharers", m_mesh.group({MeshDimension::tensor}), patience);
    const std::vector<int> stages = m_mesh.group({MeshDimension::pipeline});
    m_stages = m_rendezvous->makeGroup("stages", stages, patience);
    const bool end = place.rank == stages.front() || place.rank == stages.back();
    m_ends = m_rendezvous->makeGroup(
        "ends", end && stages.size() > 1 ? std::vector{stages.front(), stages.back()} : std::vector{place.rank},
        patience);
}

}  // namespace unmask
