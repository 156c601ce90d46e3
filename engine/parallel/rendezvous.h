// SPDX-License-Identifier: Apache-2.0
// Where ranks find each other, and the groups they then form. The only door to c10d: TCPStore or a file for finding,
// Gloo for talking between CPUs.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/parallel/communicator.h"

namespace unmask {

struct MeetingPlace {
    // One node: a file that all ranks can lock, and nobody listens beyond loopback. It must not exist before the first
    // rank comes, and is removed by the last.
    std::filesystem::path file;
    // Several nodes: host and port of rank 0's store; used where `file` is empty.
    std::string address;
    int port = 0;
    std::string interface;  // name of the network interface to talk over; empty takes the one that reaches `address`
};

// The meeting of all ranks of an attempt. Makes groups; must outlive them.
class Rendezvous {
 public:
    // Error(communication) when not everybody has come within the timeout; says who is missing.
    Rendezvous(const MeetingPlace& place, int worldSize, int rank, std::chrono::milliseconds timeout);
    ~Rendezvous();
    Rendezvous(const Rendezvous&) = delete;
    Rendezvous& operator=(const Rendezvous&) = delete;

    // members: ascending ranks of the world, this one among them. Every member makes its groups in the same order.
    // `name` is the same for all members and unique among the groups of the meeting. Of one member: no network.
    // A call that takes longer than `patience` fails; 0 takes the meeting's timeout.
    std::unique_ptr<Communicator> makeGroup(const std::string& name, const std::vector<int>& members,
                                            std::chrono::milliseconds patience = std::chrono::milliseconds(0));
    // Every rank's text, by rank; for finding out before the first step who differs.
    std::vector<std::string> exchangeTexts(const std::string& name, const std::string& text);

 private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace unmask
