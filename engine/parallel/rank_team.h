// SPDX-License-Identifier: Apache-2.0
// The ranks of an attempt as the training sees them: who this is, who leads, and the groups it takes part in. Rank 0
// leads: it decides what is done between steps, keeps journal and checkpoints, and talks to people.
#pragma once

#include <memory>
#include <string>

#include "engine/parallel/mesh.h"
#include "engine/parallel/rendezvous.h"

namespace unmask {

struct TeamPlace {
    MeetingPlace meeting;
    int worldSize = 1;
    int rank = 0;
};

class RankTeam {
 public:
    // Meets the others, who must be of the same version. Error(badInput) where versions or sizes differ,
    // Error(communication) where somebody does not come. hangTimeout: seconds that a call within a step may take.
    RankTeam(const TeamPlace& place, const ParallelConfig& layout, double hangTimeout, const std::string& version);

    bool leads() const { return m_mesh.rank() == 0; }
    const Mesh& mesh() const { return m_mesh; }
    // Copies of the model that share a batch.
    Communicator& replicas() { return *m_replicas; }
    // Devices that share each layer of this copy.
    Communicator& sharers() { return *m_sharers; }
    // Stages of this copy's pipeline, and its two ends, where this is one of them.
    Communicator& stages() { return *m_stages; }
    Communicator& ends() { return *m_ends; }
    // The leader's word on every rank. Waits as long as the leader thinks, pauses included.
    std::string agree(const std::string& word) { return m_world->broadcastText(word, 0); }
    // Nobody goes on before all have come here.
    void gatherHere() { m_world->barrier(); }

 private:
    Mesh m_mesh;
    std::unique_ptr<Rendezvous> m_rendezvous;
    std::unique_ptr<Communicator> m_world;
    std::unique_ptr<Communicator> m_replicas;
    std::unique_ptr<Communicator> m_sharers;
    std::unique_ptr<Communicator> m_stages;
    std::unique_ptr<Communicator> m_ends;
};

}  // namespace unmask
