// SPDX-License-Identifier: Apache-2.0
// The engine program over the fake worker (tests/engine/launch/fake_worker.cpp): what the commands do around a worker
// is under test here, not what a worker computes.
#pragma once

#include <gmock/gmock.h>

#include "tests/e2e/cli_support.h"

namespace unmask::test {

class FakeRunTest : public CliTest {
 protected:
    FakeRunTest() { m_environment["UNMASK_WORKER"] = UNMASK_BINARY_DIR "/bin/fake-worker"; }
    void script(const std::string& words) { m_environment["UNMASK_FAKE"] = words; }
    std::string folder() const { return runFolder().path.string(); }
};

}  // namespace unmask::test
