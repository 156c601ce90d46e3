// SPDX-License-Identifier: Apache-2.0
// The real engine is killed with -9 at random instants, again and again, and resumed until it is done. Nothing that was
// acknowledged may be lost or doubled, and weights and curve are bit-equal to an undisturbed run. The number of kills
// is UNMASK_KILLS; the seed is printed with every failure and UNMASK_KILL_SEED replays it.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <set>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/sha256.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_lock.h"
#include "engine/journal/run_state.h"
#include "tests/e2e/cli_support.h"
#include "tests/e2e/run_history.h"

namespace unmask::test {
namespace {

#ifndef UNMASK_KILLS
#define UNMASK_KILLS 50
#endif
constexpr int64_t kSteps = 400;
constexpr size_t kLinesBeforeTraining = 8;  // resumed, phases and the like

int numberFromEnvironment(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

// Some process was started for this run. A worker whose supervisor died while it was loading may not hold the lock yet,
// and takes it, and ends, only then.
bool hasProcesses(const RunFolder& folder) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
        std::ifstream file(entry.path() / "cmdline");
        const std::string arguments((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        if (arguments.find(folder.path.string() + '\0') != std::string::npos)
            return true;
    }
    return false;
}

class KillRun : public CliTest {
 protected:
    std::vector<std::string> arguments(const std::string& run) const {
        return with(tiny("train", kSteps, run), {"--checkpoint-interval", "7", "--validation-interval", "never"});
    }

    // What the run looks like when nothing disturbs it, and how long it takes.
    void makeReference() {
        const auto since = SteadyClock::now();
        ASSERT_EQ(run(arguments("reference")), 0) << m_errors;
        m_seconds = secondsSince(since);
        m_reference = RunHistory(runFolder("reference"));
        ASSERT_EQ(m_reference.curve().size(), static_cast<size_t>(kSteps));
        m_weights = sha256OfFile(runFolder("reference").checkpoints() / "step-400" / "weights.safetensors");
        m_optimizer = sha256OfFile(runFolder("reference").checkpoints() / "step-400" / "optimizer.safetensors");
    }

    void compareWithReference(const RunFolder& folder) const {
        const RunHistory history(folder);
        ASSERT_EQ(history.problems() + history.damages(), "");
        ASSERT_EQ(history.firstDifference(m_reference), "");
        EXPECT_EQ(sha256OfFile(folder.checkpoints() / "step-400" / "weights.safetensors"), m_weights);
        EXPECT_EQ(sha256OfFile(folder.checkpoints() / "step-400" / "optimizer.safetensors"), m_optimizer);
    }

    // Who dies: the worker, the supervisor (whose death takes the worker with it), or both.
    void killSomebody(const EngineProgram& engine, const RunFolder& folder, uint32_t choice) const {
        const auto holder = readLockHolder(folder);
        const bool workerLives = holder && !holder->released && lifeOf(holder->process) == ProcessLife::alive;
        if (choice % 3 != 1 && workerLives)
            ::kill(static_cast<pid_t>(holder->process.pid), SIGKILL);
        if (choice % 3 != 0 || !workerLives)
            engine.send(SIGKILL);
    }

    double m_seconds = 0;
    RunHistory m_reference;
    std::string m_weights;
    std::string m_optimizer;
};

TEST_F(KillRun, nothingIsLostOrDoubledAndTheCurveIsBitEqual) {
    UNMASK_NEEDS_WORKER();
    makeReference();
    ASSERT_FALSE(HasFatalFailure());
    const int kills = numberFromEnvironment("UNMASK_KILLS", UNMASK_KILLS);
    const int seed = numberFromEnvironment("UNMASK_KILL_SEED", static_cast<int>(unixNanoseconds() / 1000 % 1000000000));
    std::printf("%d kills, UNMASK_KILL_SEED=%d, undisturbed %.1f s\n", kills, seed, m_seconds);
    SCOPED_TRACE("UNMASK_KILL_SEED=" + std::to_string(seed));
    std::mt19937 random(static_cast<uint32_t>(seed));
    int killed = 0;
    int finished = 0;
    int training = 0;
    double slowest = 0;
    double usual = m_seconds;  // of an attempt that is left alone; follows the load of the machine
    while (killed < kills) {
        const std::string name = "run-" + std::to_string(finished);
        const RunFolder folder = runFolder(name);
        JournalWitness witness(folder);
        int killsHere = 0;
        for (bool done = false; !done;) {
            // Half of the kills fall anywhere, loading included; half at a random instant after the training has begun.
            const bool whileTraining = random() % 2 == 0;
            const double delay = std::uniform_real_distribution<double>(whileTraining ? 0.0 : 0.02,
                                                                        whileTraining ? 0.25 : 0.9 * usual)(random);
            const size_t linesBefore = witness.lines();
            const uint32_t who = random();
            const bool known = std::filesystem::exists(folder.runFile());
            EngineProgram engine = start(known ? with(arguments(name), {"--resume"}) : arguments(name));
            engine.closeInput();
            const auto since = SteadyClock::now();
            auto from = since;
            int code = -1;
            while (code < 0 && secondsSince(since) < 120 && (killed >= kills || secondsSince(from) < delay)) {
                code = engine.wait(0.005);
                witness.look();
                if (whileTraining && witness.lines() <= linesBefore + kLinesBeforeTraining)
                    from = SteadyClock::now();
            }
            if (code < 0) {
                killSomebody(engine, folder, who);
                ++killed;
                ++killsHere;
                training += witness.lines() > linesBefore + kLinesBeforeTraining ? 1 : 0;
                ASSERT_GE(engine.wait(20), 0) << "the supervisor outlived its worker";
                ASSERT_TRUE(eventually([&] { return !isLocked(folder) && !hasProcesses(folder); }, 30))
                    << "the worker outlived its supervisor";
            } else {
                ASSERT_EQ(code, 0) << engine.errors();
                slowest = std::max(slowest, secondsSince(since));
                usual = (usual + secondsSince(since)) / 2;
                done = true;
            }
            ASSERT_EQ(witness.complaint(), "") << "after kill " << killed;
        }
        compareWithReference(folder);
        ASSERT_FALSE(HasFailure()) << "run " << name << " after " << killsHere << " kills";
        std::filesystem::remove_all(folder.path);
        ++finished;
        if (finished % 10 == 0) {
            std::printf("%d kills over %d runs, all whole so far\n", killed, finished);
            std::fflush(stdout);
        }
    }
    std::printf("%d kills, %d of them while training, over %d runs; slowest attempt to the end %.1f s\n", killed,
                training, finished, slowest);
    EXPECT_GE(training, kills / 4);
}

}  // namespace
}  // namespace unmask::test
