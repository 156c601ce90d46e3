// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/journal_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace unmask {
namespace {

constexpr int kPollMs = 100;

}  // namespace

JournalWatch::JournalWatch(const RunFolder& folder) : m_inotify(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    const bool watching = m_inotify.valid() && inotify_add_watch(m_inotify.get(), folder.path.c_str(),
                                                                 IN_MODIFY | IN_CREATE | IN_MOVED_TO) >= 0;
    if (!watching)
        m_inotify = FileDescriptor();
}

JournalWatch::Wake JournalWatch::wait(int milliseconds, int inputDescriptor, bool ignoreJournal) {
    std::array<pollfd, 2> places{pollfd{inputDescriptor, POLLIN, 0},
                                 pollfd{ignoreJournal ? -1 : m_inotify.get(), POLLIN, 0}};
    const int patience = m_inotify.valid() || ignoreJournal ? milliseconds : std::min(milliseconds, kPollMs);
    if (poll(places.data(), places.size(), patience) <= 0)
        return m_inotify.valid() || ignoreJournal ? Wake::time : Wake::journal;
    if (places[0].revents != 0)
        return Wake::input;
    std::array<char, 16384> events;
    while (read(m_inotify.get(), events.data(), events.size()) > 0) {
    }
    return Wake::journal;
}

}  // namespace unmask
