// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/rendezvous.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/parallel/gloo_communicator.h"
#include "engine/parallel/own_address.h"

namespace unmask {

namespace {

using StorePtr = c10::intrusive_ptr<c10d::Store>;

StorePtr openStore(const MeetingPlace& place, int worldSize, int rank, std::chrono::milliseconds timeout) {
    if (!place.file.empty())
        return c10::make_intrusive<c10d::FileStore>(place.file.string(), worldSize);
    c10d::TCPStoreOptions options;
    options.port = static_cast<uint16_t>(place.port);
    options.isServer = rank == 0;
    options.numWorkers = static_cast<size_t>(worldSize);
    options.waitWorkers = false;
    options.timeout = timeout;
    return c10::make_intrusive<c10d::TCPStore>(place.address, options);
}

constexpr std::chrono::milliseconds kPatienceAtTheEnd{3000};

std::string keyOf(const std::string& name, int rank) {
    return "texts/" + name + "/" + std::to_string(rank);
}

}  // namespace

struct Rendezvous::State {
    MeetingPlace place;
    int worldSize;
    int rank;
    std::chrono::milliseconds timeout;
    std::string ownAddress;  // that the others can reach; empty means loopback
    StorePtr store;

    std::vector<uint8_t> read(const std::string& name, int from) const;
};

// Asks for one key at a time, so that the sentence can say who has not come.
std::vector<uint8_t> Rendezvous::State::read(const std::string& name, int from) const {
    try {
        store->wait({keyOf(name, from)}, timeout);
        return store->get(keyOf(name, from));
    } catch (const std::exception&) {
        throw Error{ErrorCode::communication, "[parallel] rank " + std::to_string(rank) + " waited " +
                                                  formatDuration(static_cast<double>(timeout.count()) / 1000) +
                                                  " for rank " + std::to_string(from) + ", which did not come"};
    }
}

Rendezvous::Rendezvous(const MeetingPlace& place, int worldSize, int rank, std::chrono::milliseconds timeout)
    : m_state(std::make_unique<State>(State{place, worldSize, rank, timeout, {}, {}})) {
    if (worldSize == 1)
        return;
    try {
        m_state->store = openStore(place, worldSize, rank, timeout);
        m_state->store->setTimeout(timeout);
        if (place.file.empty() && place.interface.empty())
            m_state->ownAddress = ownAddressTowards(place.address);
    } catch (const std::exception& error) {
        const std::string what = error.what();
        throw Error{ErrorCode::communication,
                    "[parallel] rank " + std::to_string(rank) + " cannot reach the meeting place " +
                        (place.file.empty() ? place.address + ":" + std::to_string(place.port) : place.file.string()) +
                        ": " + what.substr(0, what.find('\n'))};
    }
}

// Rank 0 holds the store of several nodes, and others may still read from it: it leaves last, or after a moment.
Rendezvous::~Rendezvous() {
    const State& s = *m_state;
    if (!s.store || !s.place.file.empty())
        return;
    try {
        if (s.rank != 0) {
            s.store->set(keyOf("left", s.rank), std::vector<uint8_t>{1});
            return;
        }
        for (int other = 1; other < s.worldSize; ++other)
            s.store->wait({keyOf("left", other)}, kPatienceAtTheEnd);
    } catch (const std::exception&) {  // who has died reads no more
    }
}

std::vector<std::string> Rendezvous::exchangeTexts(const std::string& name, const std::string& text) {
    State& s = *m_state;
    if (s.worldSize == 1)
        return {text};
    s.store->set(keyOf(name, s.rank), std::vector<uint8_t>(text.begin(), text.end()));
    std::vector<std::string> all;
    for (int from = 0; from < s.worldSize; ++from) {
        const std::vector<uint8_t> bytes = s.read(name, from);
        all.emplace_back(bytes.begin(), bytes.end());
    }
    return all;
}

std::unique_ptr<Communicator> Rendezvous::makeGroup(const std::string& name, const std::vector<int>& members,
                                                    std::chrono::milliseconds patience) {
    const State& s = *m_state;
    if (members.size() < 2)
        return makeAlone();
    const auto own = std::find(members.begin(), members.end(), s.rank);
    if (own == members.end())
        throw Error{ErrorCode::internal, "[parallel] a rank makes a group that it is not in: " + name};
    // Several groups of one kind exist side by side, so the first member's rank is part of the name.
    return makeGloo(s.store, {.name = name + "-" + std::to_string(members.front()),
                              .rank = static_cast<int>(own - members.begin()),
                              .size = static_cast<int>(members.size()),
                              .timeout = patience.count() > 0 ? patience : s.timeout,
                              .interface = s.place.interface,
                              .address = s.ownAddress});
}

}  // namespace unmask
