// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/event_writer.h"

#include <deque>
#include <mutex>
#include <string>
#include <variant>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/journal/disk_reserve.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/journal_file.h"

namespace unmask {
namespace {
constexpr size_t kTelemetryBound = size_t{32} << 20;  // bytes kept in memory before telemetry is dropped
constexpr size_t kHardBound = size_t{256} << 20;      // before training itself is held up
constexpr size_t kSyncBound = size_t{16} << 20;       // written but not durable, before append syncs by itself
constexpr int kMaxFiles = 1000;

bool isTelemetry(const Event& event) {
    return std::holds_alternative<DeviceEvent>(event) || std::holds_alternative<LogEvent>(event) ||
           std::holds_alternative<SampleEvent>(event);
}
}  // namespace

// Two mutexes: m_mutex guards the queue and the file position and is held for the length of one write; m_syncMutex lets
// one thread wait for the disk meanwhile. Order: m_syncMutex before m_mutex.
class EventWriter::State {
 public:
    State(RunFolder folder, int64_t attempt) : m_folder(std::move(folder)), m_attempt(attempt) {}

    void open() {
        DiskReserve::removeLeftover(m_folder.path);
        EventReader reader(m_folder);
        while (!reader.readLines().empty()) {
        }
        if (reader.lastAttempt() > m_attempt)
            throw Error(ErrorCode::internal, "[journal] attempt " + std::to_string(m_attempt) +
                                                 " cannot write after attempt " + std::to_string(reader.lastAttempt()));
        m_fileNumber = reader.fileNumber();
        m_file = JournalFile::openAt(journalFile(m_folder, m_fileNumber), reader.goodEnd());
        m_lastSeq = m_durableSeq = reader.lastSeq();
        m_file.sync();  // what a killed writer left may not be on disk yet
        m_reserve.hold(m_folder.path);
    }

    int64_t append(int64_t step, Event event) {
        std::unique_lock lock(m_mutex);
        if (m_queuedBytes > kTelemetryBound && isTelemetry(event)) {
            ++m_dropped;
            return m_lastSeq;
        }
        if (m_queuedBytes > kHardBound)
            throw Error(ErrorCode::disk, "[journal] " + formatBytes(static_cast<double>(m_queuedBytes)) +
                                             " of records cannot be written to " + m_file.describe());
        if (m_dropped > 0 && m_queuedBytes < kTelemetryBound / 2) {
            const int64_t dropped = std::exchange(m_dropped, 0);
            push(step, WarningEvent{std::to_string(dropped) +
                                    " device, log or sample records were dropped: the disk was full"});
        }
        const int64_t seq = push(step, std::move(event));
        flush();
        const bool full = m_written > 0 && m_writtenBytes > kSyncBound;
        lock.unlock();
        if (full)
            trySync();
        return seq;
    }

    void sync() {
        std::unique_lock syncLock(m_syncMutex);
        std::unique_lock lock(m_mutex);
        flush();
        const bool allWritten = m_written == m_queue.size();
        const int64_t upTo = m_written == 0 ? m_durableSeq : m_queue[m_written - 1].seq;
        const bool durable = m_written == 0 || syncFile(lock);
        if (durable)
            forget(upTo);
        else
            continueInNewFile();
        if (!allWritten)
            throw m_file.fullError(m_queuedBytes);
    }

    void trySync() noexcept {
        try {
            sync();
        } catch (const Error&) {  // the next sync() of the caller says it
        }
    }

    int64_t lastSeq() const {
        const std::lock_guard lock(m_mutex);
        return m_lastSeq;
    }
    int64_t durableSeq() const {
        const std::lock_guard lock(m_mutex);
        return m_durableSeq;
    }
    int64_t attempt() const { return m_attempt; }

 private:
    struct Entry {
        int64_t seq;
        std::string line;  // with its newline
    };

    int64_t push(int64_t step, Event event) {
        EventRecord record{m_lastSeq + 1, m_attempt, utcNow(), step, std::move(event)};
        std::string line = encodeRecord(record) + '\n';
        m_queuedBytes += line.size();
        m_queue.push_back({record.seq, std::move(line)});
        return m_lastSeq = record.seq;
    }

    // Writes what is queued; on failure the rest stays queued for the next time.
    void flush() {
        checkFence();
        while (m_written < m_queue.size()) {
            std::string batch;
            size_t count = 0;
            for (size_t i = m_written; i < m_queue.size() && batch.size() < (size_t{1} << 20); ++i, ++count)
                batch += m_queue[i].line;
            if (!m_file.write(batch) && !(m_file.isFull() && m_reserve.release() && m_file.write(batch)))
                return;
            m_written += count;
            m_writtenBytes += batch.size();
        }
    }

    // Somebody else's bytes behind our end: a later attempt means that we have lost the run.
    void checkFence() {
        if (!m_file.hasForeignBytes())
            return;
        EventReader reader(m_folder);
        while (!reader.readLines().empty()) {
        }
        if (reader.lastAttempt() > m_attempt)
            throw Error(ErrorCode::internal, "[journal] attempt " + std::to_string(reader.lastAttempt()) +
                                                 " has taken this run; attempt " + std::to_string(m_attempt) + " ends");
        m_file.adoptForeignBytes();
    }

    // Called with both mutexes; lets go of `lock` while the disk works.
    bool syncFile(std::unique_lock<std::mutex>& lock) {
        const int descriptor = m_file.descriptor();
        lock.unlock();
        const bool good = JournalFile::syncDescriptor(descriptor);
        lock.lock();
        return good;
    }

    void forget(int64_t upTo) {
        while (!m_queue.empty() && m_queue.front().seq <= upTo) {
            m_queuedBytes -= m_queue.front().line.size();
            m_writtenBytes -= m_queue.front().line.size();
            m_queue.pop_front();
            --m_written;
        }
        m_durableSeq = std::max(m_durableSeq, upTo);
    }

    // After a failed fdatasync the kernel may have dropped the pages and calls them clean: a second call would lie. So
    // everything not durable is written anew elsewhere. The old file is cut back, so that it holds no bytes in doubt.
    void continueInNewFile() {
        const int number = lastJournalFileNumber(m_folder) + 1;
        if (number > kMaxFiles)
            throw Error(ErrorCode::disk, "[journal] " + std::to_string(kMaxFiles) + " journal files failed to sync");
        std::string bytes;
        for (const Entry& entry : m_queue)
            bytes += entry.line;
        JournalFile fresh = JournalFile::create(journalFile(m_folder, number), bytes);  // throws Error(disk)
        m_file.cutBack(m_writtenBytes);
        m_file = std::move(fresh);
        m_fileNumber = number;
        m_written = m_queue.size();
        m_writtenBytes = m_queuedBytes;
        forget(m_lastSeq);
    }

    const RunFolder m_folder;
    const int64_t m_attempt;
    std::mutex m_syncMutex;
    mutable std::mutex m_mutex;
    JournalFile m_file;
    DiskReserve m_reserve;
    int m_fileNumber = 1;
    std::deque<Entry> m_queue;  // everything not known to be durable
    size_t m_written = 0;       // how many of them are in the file
    size_t m_queuedBytes = 0;
    size_t m_writtenBytes = 0;
    int64_t m_lastSeq = 0;
    int64_t m_durableSeq = 0;
    int64_t m_dropped = 0;
};

EventWriter::EventWriter(std::unique_ptr<State> state) : m_state(std::move(state)) {}
EventWriter::EventWriter(EventWriter&&) noexcept = default;
EventWriter& EventWriter::operator=(EventWriter&&) noexcept = default;
EventWriter::~EventWriter() {
    if (m_state)
        m_state->trySync();
}

EventWriter EventWriter::open(const RunFolder& folder, int64_t attempt) {
    auto state = std::make_unique<State>(folder, attempt);
    state->open();
    return EventWriter(std::move(state));
}

int64_t EventWriter::append(int64_t step, Event event) {
    return m_state->append(step, std::move(event));
}
void EventWriter::sync() {
    m_state->sync();
}
int64_t EventWriter::lastSeq() const {
    return m_state->lastSeq();
}
int64_t EventWriter::durableSeq() const {
    return m_state->durableSeq();
}
int64_t EventWriter::attempt() const {
    return m_state->attempt();
}

}  // namespace unmask
