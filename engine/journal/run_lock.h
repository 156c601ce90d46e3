// SPDX-License-Identifier: Apache-2.0
// One writer a run: flock on `lock`, held for the writer's whole life. The file says who holds or held it.
#pragma once

#include <optional>

#include "engine/base/durable_file.h"
#include "engine/base/process_identity.h"
#include "engine/journal/run_folder.h"

namespace unmask {

struct LockHolder {
    std::string host;
    ProcessIdentity process;
    int64_t attempt = 0;
    bool released = false;  // given back in good order
};

class RunLock {
 public:
    // Attempt 0 takes the next number: one more than the journal and the last holder know, so that no two writers ever
    // share one; it is on disk when this returns, so not even a power cut lets it be given twice. Error(badInput)
    // "[journal] run … is being trained by process 4711 on this computer" when it is held. A holder on another host
    // cannot be asked (locks over network file systems cannot be trusted): its heartbeat is watched for three seconds,
    // and an unmoved one is taken for dead.
    static RunLock acquire(const RunFolder& folder, int64_t attempt = 0);
    RunLock(RunLock&&) noexcept = default;
    RunLock& operator=(RunLock&&) = delete;
    ~RunLock();
    const LockHolder& holder() const { return m_holder; }
    int64_t attempt() const { return m_holder.attempt; }

 private:
    RunLock(FileDescriptor descriptor, LockHolder holder);
    FileDescriptor m_descriptor;
    LockHolder m_holder;
};

std::optional<LockHolder> readLockHolder(const RunFolder& folder);  // the last one; none when the file says nothing
bool isLocked(const RunFolder& folder);  // by a living process; tries the flock without keeping it
std::string hostName();

}  // namespace unmask
