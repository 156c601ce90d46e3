// SPDX-License-Identifier: Apache-2.0
// The power goes at each call that a run makes on its folder. What was not synced by then is lost, torn or there, as
// the model of the disk draws it; afterwards each acknowledged record and checkpoint must be found, and the run must
// come to the same end. UNMASK_POWER_CUT_STEPS is the length of the run; the seed is fixed, UNMASK_KILL_SEED replaces
// it and is named with every failure.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "engine/base/durable_file.h"
#include "engine/checkpoint/checkpoint_store.h"
#include "engine/checkpoint/manifest.h"
#include "engine/data/token_store.h"
#include "engine/data/token_store_writer.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"
#include "tests/e2e/miniature_run.h"
#include "tests/support/disk_model.h"
#include "tests/support/temp_run.h"

namespace unmask::test {
namespace {
namespace fs = std::filesystem;

#ifndef UNMASK_POWER_CUT_STEPS
#define UNMASK_POWER_CUT_STEPS 12
#endif
constexpr MiniatureOptions kOptions{.steps = UNMASK_POWER_CUT_STEPS};

// What had been promised when a call began.
struct Promised {
    bool created = false;  // the run folder
    int64_t durableSeq = 0;
    int64_t savedStep = 0;
};
struct Moment {
    Promised before;
    IoStep step;
};

// Every call below a folder, in true order. One at a time: the listener is a plain function.
class Recording {
 public:
    explicit Recording(const fs::path& root, IoFaultPlan plan = {}) {
        s_now = this;
        unmaskArmIoFault(&plan, root.c_str(), nullptr);
        unmaskListenToIo([] { s_now->m_before = s_now->promised(); },
                         [](const IoCall& call) {
                             s_now->m_moments.push_back({s_now->m_before, IoStep(call)});
                         });
    }
    ~Recording() { stop(); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    const std::vector<Moment>& stop() {
        if (s_now == this) {
            unmaskListenToIo(nullptr, nullptr);
            const IoFaultPlan nothing;
            unmaskArmIoFault(&nothing, "/nowhere", nullptr);
            m_before = promised();
            s_now = nullptr;
        }
        return m_moments;
    }
    Promised promisedAtTheEnd() const { return m_before; }

    Promises promises;
    std::atomic<bool> created{false};

 private:
    Promised promised() const { return {created, promises.durableSeq, promises.savedStep}; }

    static inline Recording* s_now = nullptr;
    std::vector<Moment> m_moments;
    Promised m_before;
};

struct SeenLine {
    int64_t attempt = 0;
    std::string bytes;
};
std::map<int64_t, SeenLine> linesOf(const RunFolder& folder) {
    std::map<int64_t, SeenLine> lines;
    EventReader reader(folder);
    for (auto some = reader.readLines(); !some.empty(); some = reader.readLines())
        for (auto& line : some) {
            const auto head = readLineHead(line.bytes);
            lines[line.seq] = {head ? head->attempt : 0, std::move(line.bytes)};
        }
    return lines;
}

// Loss by step as a chart draws it. Unlike shownCurve it takes gaps in the numbers: what was not durable may be lost.
std::map<int64_t, double> curveOf(const RunFolder& folder) {
    std::map<int64_t, double> curve;
    EventReader reader(folder);
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records) {
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                curve.erase(curve.upper_bound(resumed->fromStep), curve.end());
            if (const auto* metrics = std::get_if<MetricsEvent>(&record.event)) {
                EXPECT_TRUE(curve.emplace(record.step, metrics->values.at("train/loss")).second)
                    << "two points for step " << record.step;
            }
        }
    return curve;
}

// Of every manifest that was written whole: where a sync failed, a step may have been published twice.
std::set<std::string> hashesIn(const std::vector<Moment>& moments) {
    std::set<std::string> hashes;
    for (const Moment& moment : moments)
        if (moment.step.kind == IoCall::Kind::write)
            if (const auto manifest = decodeManifest(moment.step.data))
                hashes.insert(manifest.value().hash);
    return hashes;
}

class PowerCut : public testing::Test {
 protected:
    void SetUp() override {
        if (fs::is_directory("/dev/shm"))  // there are thousands of folders
            ::setenv("TMPDIR", "/dev/shm", 1);
        const char* given = std::getenv("UNMASK_KILL_SEED");
        m_seed = given ? static_cast<uint32_t>(std::atol(given)) : 20261201u;
        m_random.seed(m_seed);
        m_trash.emplace();
    }
    void TearDown() override { ::unsetenv("TMPDIR"); }

    RunFolder runBelow(const fs::path& root) const { return {root / "runs" / "Lauf ä 跑"}; }

    // From nothing, or from whatever is there, to the end.
    std::vector<double> train(const fs::path& root, Promises& promises, std::atomic<bool>* created = nullptr) const {
        const RunFolder run = runBelow(root);
        if (!fs::exists(run.runFile())) {
            RunDescription description;
            description.id = "power-cut";
            createRunFolder(run, description);
        }
        if (created)
            *created = true;
        return trainMiniature(run, kOptions, promises);
    }

    void makeReference() {
        const TempFolder root;
        Promises ignored;
        m_weights = train(root.path(), ignored);
        m_curve = curveOf(runBelow(root.path()));
        ASSERT_EQ(m_curve.size(), static_cast<size_t>(kOptions.steps));
    }

    // What must hold of a folder after the cut. `seen` are the records that had been written, durable or not.
    void checkPromises(const RunFolder& run, const Promised& promised, const std::map<int64_t, SeenLine>& seen,
                       const std::set<std::string>& hashes) const {
        if (promised.created) {
            const auto description = readRunDescription(run);
            ASSERT_TRUE(description.ok()) << description.error().what();
        }
        const auto left = linesOf(run);
        for (int64_t seq = 1; seq <= promised.durableSeq; ++seq) {
            ASSERT_TRUE(left.contains(seq)) << "record " << seq << " was durable and is lost";
            ASSERT_EQ(left.at(seq).bytes, seen.at(seq).bytes);
        }
        CheckpointStore store(run, {Interval::steps(kOptions.saveEvery), kOptions.keepLast}, "");
        const auto loaded = store.loadNewest();
        ASSERT_GE(loaded ? loaded->step : 0, promised.savedStep) << "an acknowledged checkpoint is lost";
        if (loaded) {
            ASSERT_TRUE(hashes.contains(loaded->manifestHash)) << loaded->folder << " was never published";
        }
        ASSERT_NO_THROW(RunObserver(run).observe());
    }

    // Goes on from what is left. A record that somebody may have read never turns into another one.
    void finishAndCompare(const fs::path& root, const std::map<int64_t, SeenLine>& seen) const {
        Promises ignored;
        const auto weights = train(root, ignored);
        ASSERT_EQ(std::memcmp(weights.data(), m_weights.data(), weights.size() * sizeof(double)), 0);
        const RunFolder run = runBelow(root);
        const auto curve = curveOf(run);
        ASSERT_EQ(curve.size(), m_curve.size()) << "points are missing";
        for (const auto& [step, loss] : m_curve)
            ASSERT_EQ(std::memcmp(&curve.at(step), &loss, sizeof loss), 0) << step;
        for (const auto& [seq, line] : linesOf(run))
            if (const auto found = seen.find(seq); found != seen.end() && found->second.attempt == line.attempt) {
                ASSERT_EQ(line.bytes, found->second.bytes) << "the same number and attempt for two records";
            }
    }

    fs::path freshPlace() { return m_trash->path() / std::to_string(m_places++); }

    // One cut after the calls that `disk` has heard of.
    void cut(const DiskModel& disk, const Promised& promised, Damage damage, const std::map<int64_t, SeenLine>& seen,
             const std::set<std::string>& hashes) {
        const fs::path place = freshPlace();
        disk.afterPowerCut(damage, m_random, place);
        checkPromises(runBelow(place), promised, seen, hashes);
        if (!HasFatalFailure())
            finishAndCompare(place, seen);
        ++m_cuts;
        if (!HasFatalFailure())
            fs::remove_all(place);
    }

    std::map<int64_t, SeenLine> seenIn(const DiskModel& disk) {
        const fs::path place = freshPlace();
        disk.afterPowerCut(Damage::nothingLost, m_random, place);
        auto lines = linesOf(runBelow(place));
        fs::remove_all(place);
        return lines;
    }

    Damage anyDamage() { return kDamages[m_random() % std::size(kDamages)]; }

    uint32_t m_seed = 0;
    std::mt19937 m_random;
    std::optional<TempFolder> m_trash;
    int m_places = 0;
    int m_cuts = 0;
    std::vector<double> m_weights;
    std::map<int64_t, double> m_curve;
};

TEST_F(PowerCut, theModelKnowsWhatASyncIsFor) {
    const TempFolder root;
    DiskModel disk(root.path());
    Recording recording(root.path());
    writeAll(FileDescriptor(::open((root.path() / "a").c_str(), O_WRONLY | O_CREAT, 0644)).get(), "not synced", "a");
    createFile(root.path() / "b", "synced");
    replaceFile(root.path() / "b", "news", Durability::news);
    replaceFile(root.path() / "c", "durable", Durability::durable);
    fs::create_directory(root.path() / "d");
    for (const Moment& moment : recording.stop())
        disk.apply(moment.step);
    const auto left = [&](Damage damage) {
        const fs::path place = freshPlace();
        disk.afterPowerCut(damage, m_random, place);
        return place;
    };
    const fs::path lost = left(Damage::allUnsyncedLost);
    EXPECT_EQ(readBytes(lost / "c"), "durable");
    EXPECT_TRUE(fs::exists(lost / "a")) << "its name went to the disk with the folder";
    EXPECT_EQ(readBytes(lost / "a"), "");
    EXPECT_EQ(readBytes(lost / "b"), "") << "renamed before its bytes were synced, and the folder was synced later";
    EXPECT_FALSE(fs::exists(lost / "d"));
    const fs::path all = left(Damage::nothingLost);
    EXPECT_EQ(readBytes(all / "a"), "not synced");
    EXPECT_EQ(readBytes(all / "b"), "news");
    EXPECT_TRUE(fs::is_directory(all / "d"));
}

TEST_F(PowerCut, whatWasAcknowledgedIsThereAfterACutAtEachCall) {
    SCOPED_TRACE("UNMASK_KILL_SEED=" + std::to_string(m_seed));
    makeReference();
    const TempFolder root;
    DiskModel disk(root.path());
    Recording recording(root.path());
    train(root.path(), recording.promises, &recording.created);
    const auto& moments = recording.stop();
    const auto hashes = hashesIn(moments);
    ASSERT_EQ(recording.promisedAtTheEnd().savedStep, kOptions.steps);
    for (size_t i = 0; i <= moments.size(); ++i) {
        SCOPED_TRACE("after call " + std::to_string(i));
        const Promised promised = i < moments.size() ? moments[i].before : recording.promisedAtTheEnd();
        const auto seen = seenIn(disk);
        for (const Damage damage : kDamages) {
            SCOPED_TRACE("damage " + std::to_string(static_cast<int>(damage)));
            cut(disk, promised, damage, seen, hashes);
            ASSERT_FALSE(HasFailure());
        }
        if (i < moments.size())
            disk.apply(moments[i].step);
    }
    std::printf("%zu calls, %d cuts\n", moments.size(), m_cuts);
    EXPECT_GT(moments.size(), 150u);
}

// The power goes again while the run recovers from the first cut.
TEST_F(PowerCut, aSecondCutDuringRecoveryLosesNoMore) {
    SCOPED_TRACE("UNMASK_KILL_SEED=" + std::to_string(m_seed));
    makeReference();
    const TempFolder first;
    DiskModel disk(first.path());
    Recording recording(first.path());
    train(first.path(), recording.promises, &recording.created);
    const auto& moments = recording.stop();
    for (size_t i = 0; i < moments.size(); ++i) {
        disk.apply(moments[i].step);
        if (m_random() % 4 != 0)
            continue;
        const fs::path place = freshPlace();
        disk.afterPowerCut(anyDamage(), m_random, place);
        DiskModel again(place);
        Recording recovery(place);
        recovery.promises.durableSeq = moments[i].before.durableSeq;
        recovery.promises.savedStep = moments[i].before.savedStep;
        train(place, recovery.promises, &recovery.created);
        const auto& later = recovery.stop();
        auto hashes = hashesIn(moments);
        hashes.merge(hashesIn(later));
        const size_t chosen = m_random() % later.size();
        SCOPED_TRACE("after call " + std::to_string(i) + " and then " + std::to_string(chosen));
        for (size_t j = 0; j < chosen; ++j)
            again.apply(later[j].step);
        const auto seen = seenIn(again);
        for (const Damage damage : kDamages) {
            cut(again, later[chosen].before, damage, seen, hashes);
            ASSERT_FALSE(HasFailure()) << static_cast<int>(damage);
        }
        fs::remove_all(place);
    }
    EXPECT_GT(m_cuts, 100);
}

// A sync fails, so those bytes may never reach the disk, whatever is synced later; then the power goes.
TEST_F(PowerCut, aFailedSyncIsNeverTakenForASuccess) {
    SCOPED_TRACE("UNMASK_KILL_SEED=" + std::to_string(m_seed));
    makeReference();
    std::vector<long> syncs;
    {
        const TempFolder root;
        Recording recording(root.path());
        train(root.path(), recording.promises);
        for (const Moment& moment : recording.stop())
            syncs.push_back(moment.step.kind == IoCall::Kind::sync);
    }
    for (size_t at = 0; at < syncs.size(); ++at) {
        if (!syncs[at])
            continue;
        SCOPED_TRACE("failed at call " + std::to_string(at + 1));
        const TempFolder root;
        DiskModel disk(root.path());
        Recording recording(root.path(), {.fault = IoFault::fail, .at = static_cast<long>(at + 1), .error = EIO});
        try {
            train(root.path(), recording.promises, &recording.created);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::disk) << error.what();
        }
        const auto& moments = recording.stop();
        const auto hashes = hashesIn(moments);
        for (size_t i = 0; i < moments.size(); ++i) {
            disk.apply(moments[i].step);
            if (i < at || m_random() % 16 != 0)
                continue;
            SCOPED_TRACE("after call " + std::to_string(i));
            const Promised promised = i + 1 < moments.size() ? moments[i + 1].before : recording.promisedAtTheEnd();
            cut(disk, promised, anyDamage(), seenIn(disk), hashes);
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(m_cuts, 100);
}

// The cache of imported texts: a store that bears its name is whole.
TEST_F(PowerCut, aTokenStoreIsWholeOrNotThere) {
    const TempFolder root;
    const fs::path stores = root.path() / "cache" / "stores";
    DiskModel disk(root.path());
    Recording recording(root.path());
    const auto tokenizer = makeTokenizer({});
    {
        TokenStoreWriter writer(stores, *tokenizer);
        for (int i = 0; i < 100; ++i) {
            writer.text("a line of text number " + std::to_string(i));
            writer.endDocument();
        }
        writer.publish("store", {}, "data hash");
        recording.created = true;
    }
    const auto& moments = recording.stop();
    const std::string tokens = readBytes(stores / "store" / kStoreTokens);
    int found = 0;
    for (size_t i = 0; i <= moments.size(); ++i) {
        for (const Damage damage : kDamages)
            for (int round = 0; round < 10; ++round) {
                const fs::path place = freshPlace();
                disk.afterPowerCut(damage, m_random, place);
                const fs::path store = place / "cache" / "stores" / "store";
                if (fs::exists(store)) {
                    ++found;
                    ASSERT_NO_THROW(TokenStore::open(store)) << "after call " << i;
                    ASSERT_EQ(readBytes(store / kStoreTokens), tokens);
                }
                fs::remove_all(place);
            }
        if (i < moments.size())
            disk.apply(moments[i].step);
    }
    EXPECT_GT(found, 10);
}

}  // namespace
}  // namespace unmask::test
