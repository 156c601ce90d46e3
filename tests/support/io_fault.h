// SPDX-License-Identifier: Apache-2.0
// Makes the disk fail on purpose. A shared library that stands before libc: linked into a test, or LD_PRELOADed into a
// real engine process. It counts calls of open*, write*, pwrite*, fsync, fdatasync, rename*, unlink*, rmdir, mkdir,
// ftruncate and close that touch a path containing the filter, and at the chosen one does what it was told.
//
// By environment: UNMASK_IO_FAULT = "fail:N:ENOSPC:once", "fail:N:EIO:forever", "short:N", "kill:N", "killafter:N",
// "count"; UNMASK_IO_FAULT_PATH = filter; UNMASK_IO_FAULT_LOG = file that gets a line a call.
#pragma once

#include <atomic>

namespace unmask::test {

enum class IoFault : int {
    none,
    fail,        // the call returns `error` and does nothing; a write fails after half its bytes are in the file
    shortWrite,  // a write stops half-way and says so; other calls pass
    kill,        // SIGKILL to this process before the call
    killAfter,   // SIGKILL after the call; a write is cut half-way first
};

struct IoFaultPlan {
    IoFault fault = IoFault::none;
    long at = 0;           // 1 is the first call
    int error = 0;         // errno
    bool forever = false;  // also every later call
};

// `counter` (may lie in shared memory) grows by one a call; null keeps an own one.
extern "C" __attribute__((visibility("default"))) void unmaskArmIoFault(const IoFaultPlan* plan, const char* pathFilter,
                                                                        std::atomic<long>* counter);

}  // namespace unmask::test
