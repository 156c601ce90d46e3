// SPDX-License-Identifier: Apache-2.0
// Makes the disk fail on purpose. A shared library that stands before libc: linked into a test, or LD_PRELOADed into a
// real engine process. It counts calls of open*, write*, pwrite*, fsync, fdatasync, rename*, unlink*, rmdir, mkdir,
// ftruncate and close that touch a path containing the filter, and at the chosen one does what it was told.
//
// By environment: UNMASK_IO_FAULT = "fail:N:ENOSPC:once", "fail:N:EIO:forever", "short:N", "kill:N", "killafter:N",
// "count"; UNMASK_IO_FAULT_PATH = filter; UNMASK_IO_FAULT_LOG = file that gets a line a call.
//
// It can also tell what the calls did, in the order in which they did it: see IoCall.
#pragma once

#include <sys/types.h>

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

// One call that changed something below the filter, or that made changes durable. Read-only opens are told as well,
// since a folder is opened for reading before it is synced.
struct IoCall {
    enum class Kind { open, write, truncate, sync, close, rename, unlink, makeFolder };
    Kind kind;
    const char* path = nullptr;  // open, rename (from), unlink (also of a folder), makeFolder; may be relative to `at`
    const char* to = nullptr;    // rename
    int at = -1;                 // folder descriptor that `path` is relative to; -1 when it is not
    int descriptor = -1;         // open (the new one), write, truncate, sync, close
    int flags = 0;               // open
    off_t offset = 0;            // write; truncate: the new size
    const void* data = nullptr;  // write: the bytes that went into the file
    size_t size = 0;
    bool failed = false;  // sync only: nothing else is told when it failed
};
using IoListener = void (*)(const IoCall&);
// `before` hears of a call that is about to be made, `after` of one that was; both under one lock with the call, so the
// order is the true one. Null ends it. A listener must not touch paths below the filter.
extern "C" __attribute__((visibility("default"))) void unmaskListenToIo(void (*before)(), IoListener after);

}  // namespace unmask::test
