// SPDX-License-Identifier: Apache-2.0
// The disk fails under the real engine: at chosen calls through the preloaded fault library, and for real on a small
// volume that is full. The run goes on or ends in words, and once there is room again it is resumed to the same result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>

#include "engine/base/sha256.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"
#include "tests/e2e/cli_support.h"
#include "tests/e2e/run_history.h"

namespace unmask::test {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class KillDisk : public CliTest {
 protected:
    std::vector<std::string> arguments(int64_t steps, const std::string& run) const {
        return with(tiny("train", steps, run),
                    {"--checkpoint-interval", "7", "--validation-interval", "never", "--set", "keep_last=2"});
    }

    void makeReference(int64_t steps) {
        m_steps = steps;
        ASSERT_EQ(run(arguments(steps, "reference")), 0) << m_errors;
        m_reference = RunHistory(runFolder("reference"));
        m_weights = weightsHash(runFolder("reference"));
    }

    std::string weightsHash(const RunFolder& folder) const {
        return sha256OfFile(folder.checkpoints() / ("step-" + std::to_string(m_steps)) / "weights.safetensors");
    }

    // Without faults: starts or resumes, and must come to the same end.
    enum class BrokenLines { refused, allowed };
    void finishAndCompare(const std::string& name, BrokenLines broken = BrokenLines::refused) {
        const RunFolder folder = runFolder(name);
        const bool known = fs::exists(folder.runFile());
        ASSERT_EQ(run(known ? with(arguments(m_steps, name), {"--resume"}) : arguments(m_steps, name)), 0)
            << m_output << m_errors;
        const RunHistory history(folder);
        ASSERT_EQ(history.firstDifference(m_reference), "");
        ASSERT_EQ(history.problems(), "");
        if (broken == BrokenLines::refused) {
            ASSERT_EQ(history.damages(), "");
        }
        ASSERT_EQ(weightsHash(folder), m_weights);
    }

    std::string warningsOf(const RunFolder& folder) const {
        std::string text;
        EventReader reader(folder);
        for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
            for (const EventRecord& record : records)
                if (const auto* warning = std::get_if<WarningEvent>(&record.event))
                    text += warning->text + "\n";
        return text;
    }

    int64_t m_steps = 0;
    RunHistory m_reference;
    std::string m_weights;
};

TEST_F(KillDisk, faultsAtChosenCallsOfTheRealEngine) {
    UNMASK_NEEDS_WORKER();
    makeReference(30);
    ASSERT_FALSE(HasFatalFailure());
    const auto environment = m_environment;
    const fs::path log = place("calls.log");
    m_environment["LD_PRELOAD"] = UNMASK_BINARY_DIR "/bin/libunmask_io_fault.so";
    m_environment["ASAN_OPTIONS"] = "verify_asan_link_order=0";  // the preloaded library stands before the sanitizer
    m_environment["UNMASK_IO_FAULT_PATH"] = place("faulty").string();
    m_environment["UNMASK_IO_FAULT"] = "count";
    m_environment["UNMASK_IO_FAULT_LOG"] = log.string();
    ASSERT_EQ(run(arguments(30, "faulty-0")), 0) << m_errors;
    const std::string lines = readBytes(log);
    const auto calls = static_cast<uint32_t>(std::count(lines.begin(), lines.end(), '\n'));
    ASSERT_GT(calls, 100u) << "the library was not preloaded";
    m_environment.erase("UNMASK_IO_FAULT_LOG");
    const auto faulty = m_environment;

    const char* given = std::getenv("UNMASK_KILL_SEED");
    const uint32_t seed = given ? static_cast<uint32_t>(std::atol(given)) : std::random_device()();
    SCOPED_TRACE("UNMASK_KILL_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    int number = 0;
    for (const std::string fault :
         {"fail:N:ENOSPC:once", "fail:N:EIO:once", "fail:N:ENOSPC:forever", "fail:N:EDQUOT:forever", "short:N",
          "kill:N", "killafter:N", "fail:N:EIO:forever"}) {
        std::string plan = fault;
        plan.replace(plan.find('N'), 1, std::to_string(1 + random() % calls));
        SCOPED_TRACE(plan);
        const std::string name = "faulty-" + std::to_string(++number);
        m_environment = faulty;
        m_environment["UNMASK_IO_FAULT"] = plan;
        const int code = run(arguments(30, name));
        EXPECT_THAT(code, testing::AnyOf(0, 24, 128 + 9)) << m_errors;
        if (code == 24) {
            EXPECT_THAT(m_output + m_errors, HasSubstr("faulty")) << "people are told which file";
        }
        m_environment = environment;
        finishAndCompare(name, fault.ends_with("forever") ? BrokenLines::allowed : BrokenLines::refused);
        ASSERT_FALSE(HasFatalFailure());
    }
}

// A volume of its own, in memory.
class SmallVolume {
 public:
    SmallVolume(const fs::path& place, const char* size) : m_place(place) {
        fs::create_directories(place);
        m_mounted = ::mount("tmpfs", place.c_str(), "tmpfs", 0, (std::string("size=") + size).c_str()) == 0;
        m_reason = m_mounted ? 0 : errno;
    }
    ~SmallVolume() {
        if (m_mounted)
            ::umount2(m_place.c_str(), MNT_DETACH);
    }
    bool mounted() const { return m_mounted; }
    std::string reason() const { return std::strerror(m_reason); }
    void fillLeaving(uintmax_t bytes) const {
        std::ofstream filler(m_place / "filler", std::ios::binary | std::ios::app);
        const std::string page(4096, 'x');
        while (fs::space(m_place).available > bytes && filler.write(page.data(), 4096).flush()) {
        }
    }
    void makeRoom() const { fs::remove(m_place / "filler"); }

 private:
    fs::path m_place;
    bool m_mounted = false;
    int m_reason = 0;
};

TEST_F(KillDisk, noRoomForCheckpointsIsSaidWithVolumeAndBytes) {
    UNMASK_NEEDS_WORKER();
    const SmallVolume volume(place("small"), "4m");
    if (!volume.mounted())
        GTEST_SKIP() << "a small volume cannot be mounted here: " << volume.reason();
    makeReference(60);
    ASSERT_FALSE(HasFatalFailure());
    volume.fillLeaving(400 << 10);
    const int code = run(arguments(60, "small/run"));
    EXPECT_EQ(code, 24) << m_output << m_errors;
    const RunFolder folder = runFolder("small/run");
    EXPECT_THAT(warningsOf(folder), HasSubstr("could not be saved; training goes on"));
    EXPECT_THAT(warningsOf(folder), HasSubstr(folder.checkpoints().string() + " needs "));
    EXPECT_THAT(warningsOf(folder), HasSubstr(" free"));
    EXPECT_EQ(RunHistory(folder).curve().size(), 60u) << "the curve goes on though nothing can be saved";
    const JournalSummary summary = summariseJournal(folder);  // the end record had room that was held for it
    ASSERT_TRUE(summary.failed.has_value());
    EXPECT_EQ(summary.failed->error, "disk");
    EXPECT_THAT(summary.failed->reason, HasSubstr(" free"));
    EXPECT_FALSE(summary.savedCheckpoints.empty());
    EXPECT_EQ(RunObserver(folder).observe().word, RunWord::failed);
    volume.makeRoom();
    finishAndCompare("small/run");
}

TEST_F(KillDisk, aVolumeThatFillsUpUnderTheRunLosesNothing) {
    UNMASK_NEEDS_WORKER();
    const SmallVolume volume(place("small"), "6m");
    if (!volume.mounted())
        GTEST_SKIP() << "a small volume cannot be mounted here: " << volume.reason();
    makeReference(600);
    ASSERT_FALSE(HasFatalFailure());
    const RunFolder folder = runFolder("small/run");
    JournalWitness witness(folder);
    int code = -1;
    {
        EngineProgram engine = start(arguments(600, "small/run"));
        engine.closeInput();
        ASSERT_TRUE(eventually([&] { return summariseJournal(folder).savedCheckpoints.size() >= 2; }));
        volume.fillLeaving(0);
        code = engine.wait(120);
    }
    EXPECT_EQ(witness.complaint(), "");
    // The room held for the journal may let it end well; otherwise it says why it did not.
    EXPECT_THAT(code, testing::AnyOf(0, 24));
    EXPECT_EQ(RunObserver(folder).observe().word, code == 0 ? RunWord::finished : RunWord::failed);
    volume.makeRoom();
    finishAndCompare("small/run");
    EXPECT_EQ(witness.complaint(), "");
}

}  // namespace
}  // namespace unmask::test
