// SPDX-License-Identifier: Apache-2.0
#include "engine/base/process_identity.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace unmask;

TEST(ProcessIdentity, OwnProcessIsAlive) {
    EXPECT_EQ(lifeOf(ownIdentity()), ProcessLife::alive);
}

TEST(ProcessIdentity, AReusedPidIsNotOurs) {
    ProcessIdentity identity = ownIdentity();
    identity.startTime += 1;
    EXPECT_EQ(lifeOf(identity), ProcessLife::gone);
}

TEST(ProcessIdentity, AnotherBootIsNamed) {
    ProcessIdentity identity = ownIdentity();
    identity.bootId = "another";
    EXPECT_EQ(lifeOf(identity), ProcessLife::otherBoot);
}

TEST(ProcessIdentity, AZombieIsGone) {
    int pipeEnds[2];
    ASSERT_EQ(::pipe(pipeEnds), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        char byte;
        (void)!::read(pipeEnds[0], &byte, 1);
        ::_exit(0);
    }
    // The start time of the child is found by trying: it started within the last second.
    ProcessIdentity identity = ownIdentity();
    identity.pid = child;
    bool alive = false;
    for (int ticks = 0; ticks < 100000 && !alive; ++ticks) {
        identity.startTime = ownIdentity().startTime + static_cast<uint64_t>(ticks);
        alive = lifeOf(identity) == ProcessLife::alive;
        if (ticks > 1000)
            break;
    }
    ASSERT_EQ(::write(pipeEnds[1], "x", 1), 1);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(alive);
    EXPECT_EQ(lifeOf(identity), ProcessLife::gone);
    ::waitpid(child, nullptr, 0);
}
