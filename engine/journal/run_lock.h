// SPDX-License-Identifier: Apache-2.0
// One writer a run: flock on `lock`, held for the writer's whole life. The file says who holds it.
#pragma once

#include "engine/base/durable_file.h"
#include "engine/base/process_identity.h"
#include "engine/journal/run_folder.h"

namespace unmask {

struct LockHolder {
    std::string host;
    ProcessIdentity process;
    int64_t attempt = 0;
};

class RunLock {
   public:
    // Error(badInput) "[journal] run … is being trained by process 4711 on this computer" when it is held.
    static RunLock acquire(const RunFolder& folder, int64_t attempt);
    const LockHolder& holder() const { return m_holder; }

   private:
    FileDescriptor m_descriptor;
    LockHolder m_holder;
};

bool isLocked(const RunFolder& folder);  // by a living process; tries the flock without keeping it

}  // namespace unmask
