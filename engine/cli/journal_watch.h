// SPDX-License-Identifier: Apache-2.0
// Wakes a follower when something in a run folder changed. Where the system has no watches left, it is asked again ten
// times a second.
#pragma once

#include "engine/base/durable_file.h"
#include "engine/journal/run_folder.h"

namespace unmask {

class JournalWatch {
 public:
    explicit JournalWatch(const RunFolder& folder);

    enum class Wake { time, journal, input };
    // Waits until the folder changed, `inputDescriptor` (when not -1) can be read, or the time has passed.
    Wake wait(int milliseconds, int inputDescriptor, bool ignoreJournal = false);

 private:
    FileDescriptor m_inotify;
};

}  // namespace unmask
