// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace unmask {

// The address of this machine from which `host` is reached, as text: by the routing table, nothing is sent.
// Error(communication) when the name has no address or nothing leads there.
std::string ownAddressTowards(const std::string& host);

}  // namespace unmask
