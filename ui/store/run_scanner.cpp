// SPDX-License-Identifier: Apache-2.0
#include "ui/store/run_scanner.h"

#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kTickMs = 1000;
constexpr qint64 kPassMs = 5000;
constexpr qint64 kPassShare = 50;  // a pass over all folders takes at most this part of the time

void addToFingerprint(std::string& fingerprint, const std::filesystem::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) == 0)
        fingerprint += std::to_string(info.st_size) + "." + std::to_string(info.st_mtim.tv_sec) + "." +
                       std::to_string(info.st_mtim.tv_nsec);
    fingerprint += ";";
}

// Changes whenever the run's journal, end or writer does.
QString fingerprintOf(const RunFolder& folder) {
    std::string fingerprint;
    addToFingerprint(fingerprint, folder.runFile());
    addToFingerprint(fingerprint, journalFile(folder, lastJournalFileNumber(folder)));
    addToFingerprint(fingerprint, folder.exitFile());
    addToFingerprint(fingerprint, folder.lockFile());
    return fromUtf8(fingerprint);
}

}  // namespace

// Reading position in one journal.
struct RunScanner::Follower {
    Follower(const RunFolder& folder, const RecordMark& mark)
        : observer(folder), reader(folder), last(mark), proven(mark.seq == 0) {}

    RunObserver observer;
    EventReader reader;
    RecordMark last;
    bool proven;  // the record at `last` was met again, so the index holds this very history
    bool fromStart = false;
    size_t damagesTold = 0;
};

RunScanner::RunScanner(StoreWorker* worker, std::filesystem::path runsFolder, bool repeat)
    : m_worker(worker), m_runsFolder(std::move(runsFolder)), m_repeat(repeat) {}

RunScanner::~RunScanner() = default;

template <class F>
auto RunScanner::ask(F&& work) {
    decltype(work(*m_worker)) result{};
    QMetaObject::invokeMethod(
        m_worker, [&] { result = work(*m_worker); }, Qt::BlockingQueuedConnection);
    return result;
}

void RunScanner::beginAnew() {
    m_tracked.clear();
    m_known = false;
    m_firstPass = true;
    if (!m_repeat)
        return;
    lookNow();
    if (m_timer)
        return;
    m_timer = std::make_unique<QTimer>();
    m_timer->setInterval(kTickMs);
    connect(m_timer.get(), &QTimer::timeout, this, &RunScanner::tick);
    m_timer->start();
}

RebuildReport RunScanner::lookNow() {
    if (m_stopping)
        return {};
    RebuildReport report = passOverAll(m_firstPass);
    if (std::exchange(m_firstPass, false)) {
        m_firstReport = report;
        Q_EMIT firstPassFinished();
    }
    return report;
}

RebuildReport RunScanner::reportOfFirstPass() {
    if (m_firstPass)
        lookNow();
    return m_firstReport;
}

void RunScanner::tick() {
    if (m_stopping)
        return;
    if (m_sincePass.elapsed() > std::max(kPassMs, m_passMs * kPassShare))
        lookNow();
    else
        lookAtLiving();
}

void RunScanner::forgetRuns(const QStringList& keys) {
    std::erase_if(m_tracked, [&](const auto& entry) { return keys.contains(entry.second.key); });
}

void RunScanner::watch(const QString& folder) {
    m_tracked[toPath(folder).string()];
    lookAtLiving();
}

void RunScanner::learnKnown() {
    if (std::exchange(m_known, true))
        return;
    for (const KnownRun& run : ask([](StoreWorker& worker) { return worker.known(); }))
        if (!run.folder.isEmpty()) {
            Tracked& tracked = m_tracked[toPath(run.folder).string()];
            tracked.key = run.key;
            tracked.fingerprint = run.fingerprint;
        }
    for (const QString& folder : ask([](StoreWorker& worker) { return worker.openedFolders(); }))
        m_tracked[toPath(folder).string()];
}

std::vector<std::string> RunScanner::folders() const {
    std::set<std::string> all;
    for (const auto& [folder, tracked] : m_tracked)
        all.insert(folder);
    std::error_code error;
    for (std::filesystem::directory_iterator entry(m_runsFolder, error), end; !error && entry != end;
         entry.increment(error))
        if (std::filesystem::exists(entry->path() / "run.json", error))
            all.insert(entry->path().string());
    return {all.begin(), all.end()};
}

RebuildReport RunScanner::passOverAll(bool tellProgress) {
    RebuildReport report;
    QElapsedTimer duration;
    duration.start();
    learnKnown();
    const std::vector<std::string> all = folders();
    ask([](StoreWorker& worker) { return worker.setBulk(true), true; });
    int done = 0;
    for (const std::string& folder : all) {
        if (m_stopping)
            break;
        examine(folder, m_tracked[folder], report);
        ++done;
        if (tellProgress)
            Q_EMIT progressed(done, static_cast<int>(all.size()));
    }
    ask([](StoreWorker& worker) { return worker.setBulk(false), true; });
    m_passMs = duration.elapsed();
    m_sincePass.start();
    return report;
}

void RunScanner::lookAtLiving() {
    RebuildReport ignored;
    learnKnown();
    for (auto& [folder, tracked] : m_tracked)
        if (tracked.alive && !m_stopping)
            examine(folder, tracked, ignored);
}

void RunScanner::examine(const std::string& folder, Tracked& tracked, RebuildReport& report) {
    try {
        const QString fingerprint =
            fingerprintOf(RunFolder{folder});  // before reading, so that later changes are noticed
        if (!tracked.key.isEmpty() && fingerprint == tracked.fingerprint) {
            tracked.alive = false;
            return;
        }
        if (!tracked.follower && !beginFollowing(folder, tracked, report))
            return;
        const RunStatus status = tracked.follower->observer.observe();
        // What the index holds of a folder that is gone stays.
        const bool complete = status.word == RunWord::lost || readNew(folder, tracked, report);
        ask([&](StoreWorker& worker) { return worker.updateStatus(tracked.key, status); });
        ++report.runs;
        tracked.alive = status.alive();
        if (tracked.alive || !complete)
            return;
        tracked.fingerprint = fingerprint;
        tracked.follower.reset();
        ask([&](StoreWorker& worker) { return worker.setFingerprint(tracked.key, fingerprint), true; });
    } catch (const std::exception& error) {
        report.problems << fromUtf8(error.what());
        tracked.follower.reset();
    }
}

// Which run lies there now is asked anew each time: folders are moved, copied and replaced.
bool RunScanner::beginFollowing(const std::string& folder, Tracked& tracked, RebuildReport& report) {
    const RunFolder place{folder};
    const auto description = readRunDescription(place);
    if (description) {
        tracked.key = ask([&](StoreWorker& worker) { return worker.add(place, description.value()); });
    } else if (tracked.key.isEmpty()) {
        tracked.alive = false;
        std::error_code error;
        if (std::filesystem::exists(place.path, error))
            report.problems << fromUtf8(description.error().what());
        return false;
    }
    const auto known = ask([&](StoreWorker& worker) { return worker.known(tracked.key); });
    if (!known || toPath(known->folder).string() != folder) {
        tracked = {};  // forgotten, or the run was found at another place
        tracked.alive = false;
        return false;
    }
    tracked.follower = std::make_unique<Follower>(place, known->mark);
    return true;
}

// False when the index refused a batch: it holds less than was thought, and the next look begins again at its mark.
bool RunScanner::readNew(const std::string& folder, Tracked& tracked, RebuildReport& report) {
    Follower& follower = *tracked.follower;
    while (!m_stopping) {
        const auto lines = follower.reader.readLines(follower.proven ? follower.last.seq + 1 : follower.last.seq);
        auto batch = std::make_shared<RecordBatch>();
        batch->fromStart = follower.fromStart;
        batch->afterSeq = follower.last.seq;
        for (const auto& line : lines)
            appendLine(*batch, line.bytes);
        const auto& damages = follower.reader.damages();
        for (; follower.damagesTold < damages.size(); ++follower.damagesTold)
            batch->damages.push_back(damages[follower.damagesTold].file + ", line " +
                                     std::to_string(damages[follower.damagesTold].line) + ": " +
                                     damages[follower.damagesTold].reason);
        if (!follower.proven) {
            const bool same = !lines.empty() && lines.front().seq == follower.last.seq &&
                              statedCrc(lines.front().bytes) == follower.last.crc;
            if (lines.empty() && follower.reader.lastSeq() == 0)
                return true;  // the journal is gone: what the index holds stays
            if (!same) {      // another history lies here now: read all of it
                follower.reader = EventReader(RunFolder{folder});
                follower.last = {};
                follower.fromStart = true;
                follower.proven = true;
                follower.damagesTold = 0;
                continue;
            }
            follower.proven = true;
        }
        if (lines.empty() && batch->damages.empty() && !batch->fromStart)
            return true;
        const IngestOutcome outcome =
            ask([&](StoreWorker& worker) { return worker.ingest(tracked.key, RecordBatchPtr(batch)); });
        if (outcome == IngestOutcome::gap || outcome == IngestOutcome::failed) {
            tracked.follower.reset();
            return false;
        }
        follower.fromStart = false;
        if (!batch->records.empty())
            follower.last = batch->last;
        report.records += static_cast<qint64>(batch->records.size());
        if (lines.empty())
            return true;
    }
    return false;
}

}  // namespace unmask::ui
