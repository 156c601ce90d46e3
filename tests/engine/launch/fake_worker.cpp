// SPDX-License-Identifier: Apache-2.0
// A worker that computes nothing: a test double for how worker processes live and die. It takes the lock and writes a
// real journal; other subcommands than `rank` print a line and end. UNMASK_FAKE lists one word an
// attempt, the last one for all that follow:
//   ok          ten steps, then finished
//   exit26      ends with that code after some steps; save+exit26 acknowledges a checkpoint first
//   signal9     ends by that signal; save+signal9 likewise
//   wait        trains until it is asked to end: SIGINT saves and ends with 10, SIGTERM with 27, a second one at once
//   deaf        trains on whatever it is sent
//   unloadable  ends as the system's loader ends a program whose library is missing
//   early       ends by SIGINT or SIGTERM as a program does that does not listen yet
//   fulldisk    ends with 24 and without a word before it has taken the run
//   refuse      says a sentence and ends with 20 before it has taken the run
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/clock.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"
#include "engine/journal/run_state.h"

namespace {

using namespace unmask;

std::atomic<int> theSignals{0};
std::atomic<int> theFirstSignal{0};

void onSignal(int number) {
    if (theSignals.fetch_add(1) == 0)
        theFirstSignal = number;
}

std::string wordOfAttempt(int64_t attempt) {
    const char* script = std::getenv("UNMASK_FAKE");
    std::string rest = script ? script : "ok";
    for (int64_t i = 1; i < attempt && rest.find(',') != std::string::npos; ++i)
        rest = rest.substr(rest.find(',') + 1);
    return rest.substr(0, rest.find(','));
}

class FakeRun {
 public:
    FakeRun(const RunFolder& folder, bool resume)
        : m_folder(folder), m_lock(RunLock::acquire(folder, 0)), m_writer(EventWriter::open(folder, attempt())) {
        const JournalSummary before = summariseJournal(folder);
        if (resume)
            m_writer.append(0, ResumedEvent{.fromStep = 0, .lastSeq = before.lastSeq});
        else
            m_writer.append(0, StartedEvent{.device = "no device"});
        beat();
    }
    int64_t attempt() const { return m_lock.holder().attempt; }

    void train(int64_t steps) {
        for (int64_t i = 0; i < steps; ++i) {
            ++m_step;
            m_writer.append(m_step, MetricsEvent{.tokens = m_step * 64,
                                                 .elapsedSeconds = static_cast<double>(m_step) * 0.01,
                                                 .values = {{"train/loss", 5.0 / static_cast<double>(m_step)}}});
        }
        m_writer.sync();
        beat();
    }
    void save() {
        m_writer.append(m_step, CheckpointEvent{.action = "saved", .folder = "step-" + std::to_string(m_step)});
        m_writer.sync();
    }
    int finish(const std::string& outcome, int code) {
        m_writer.append(m_step, FinishedEvent{.outcome = outcome, .reason = "as the test wished", .exitCode = code});
        m_writer.sync();
        return code;
    }

 private:
    void beat() {
        writeRunState(m_folder, {.attempt = attempt(),
                                 .phase = "training",
                                 .step = m_step,
                                 .seq = m_writer.lastSeq(),
                                 .durableSeq = m_writer.durableSeq(),
                                 .process = ownIdentity(),
                                 .heartbeat = ++m_beat,
                                 .writtenAt = utcNow()});
    }

    RunFolder m_folder;
    RunLock m_lock;
    EventWriter m_writer;
    int64_t m_step = 0;
    int64_t m_beat = 0;
};

int waitForSignals(FakeRun& run, bool deaf) {
    for (;;) {
        run.train(1);
        usleep(10'000);
        if (deaf || theSignals == 0)
            continue;
        const int code = theFirstSignal == SIGTERM ? 27 : 10;
        if (theSignals >= 2)
            return run.finish("stopped", code);
        for (int i = 0; i < 30 && theSignals < 2; ++i)  // saving takes a while
            usleep(10'000);
        if (theSignals < 2)
            run.save();
        return run.finish("stopped", code);
    }
}

int act(const std::string& subcommand, const RunFolder& folder, bool resume) {
    if (wordOfAttempt(1) == "refuse") {
        std::cerr << "the data is not to the worker's taste\n";
        return 20;
    }
    if (wordOfAttempt(1) == "early") {
        while (theSignals == 0)
            usleep(1'000);
        signal(theFirstSignal, SIG_DFL);
        raise(theFirstSignal);
    }
    if (wordOfAttempt(1) == "fulldisk")
        return 24;
    if (wordOfAttempt(1) == "unloadable") {
        std::cerr
            << "unmask-worker: error while loading shared libraries: libtorch_cpu.so: cannot open shared object\n";
        return 127;
    }
    if (subcommand != "rank") {
        std::cout << "text of a model that is none\n";
        return 0;
    }
    FakeRun run(folder, resume);
    std::string word = wordOfAttempt(run.attempt());
    if (word == "wait" || word == "deaf")
        return waitForSignals(run, word == "deaf");
    run.train(10);
    if (word.starts_with("save+")) {
        run.save();
        word = word.substr(5);
    }
    if (word == "ok")
        return run.finish("finished", 0);
    if (word.starts_with("exit"))
        return std::atoi(word.c_str() + 4);
    const int number = std::atoi(word.c_str() + 6);
    signal(number, SIG_DFL);  // a sanitizer would catch it and end with a code of its own
    kill(getpid(), number);
    pause();
    return 1;
}

void noteArguments(const RunFolder& folder, int argc, char** argv) {
    std::ofstream file(folder.path / "arguments.txt", std::ios::app);
    for (int i = 1; i < argc; ++i)
        file << argv[i] << '\n';
    for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "OMP_NUM_THREADS"})
        file << name << '=' << (std::getenv(name) ? std::getenv(name) : "") << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    unmask::RunFolder folder;
    bool resume = false;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--run" && i + 1 < argc)
            folder.path = argv[i + 1];
        resume = resume || std::string(argv[i]) == "--resume";
    }
    noteArguments(folder, argc, argv);
    try {
        return act(argc > 1 ? argv[1] : "", folder, resume);
    } catch (const unmask::Error& error) {
        std::cerr << error.what() << '\n';
        return static_cast<int>(error.code());
    }
}
