// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/version.h"

#include "unmask_version.h"  // generated: UNMASK_VERSION, UNMASK_COMMIT

namespace unmask {
std::string_view codeVersion() {
    return UNMASK_VERSION " (" UNMASK_COMMIT ")";
}
}  // namespace unmask
