// SPDX-License-Identifier: Apache-2.0
// A group of CPU ranks over c10d's ProcessGroupGloo.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <memory>
#include <string>

#include "engine/parallel/communicator.h"

namespace c10d {
class Store;
}

namespace unmask {

struct GlooGroup {
    std::string name;  // also the prefix of its keys in the store
    int rank = 0;
    int size = 1;
    std::chrono::milliseconds timeout{};
    std::string interface;  // empty with `address` empty, too: loopback
    std::string address;    // own address that reaches the others
};
std::unique_ptr<Communicator> makeGloo(const c10::intrusive_ptr<c10d::Store>& store, const GlooGroup& group);

// A group of one: nothing to say to anybody.
std::unique_ptr<Communicator> makeAlone();

}  // namespace unmask
