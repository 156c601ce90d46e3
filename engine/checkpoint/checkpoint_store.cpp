// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_store.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/checkpoint/retention.h"
#include "engine/checkpoint/state_copy.h"
#include "engine/protocol/version.h"

namespace unmask {
namespace {
constexpr int kTries = 2;
constexpr size_t kQuarantinesKept = 2;
}  // namespace

// Training thread and save thread meet only at `m_thread` (joined before the next save) and under m_mutex.
class CheckpointStore::State {
 public:
    State(RunFolder folder, const CheckpointConfig& config, std::string runId)
        : m_folder(std::move(folder)), m_runId(std::move(runId)), m_config(config) {}
    ~State() { join(); }

    std::optional<LoadedCheckpoint> loadNewest(int64_t maxStep) {
        m_search = searchCheckpoint(m_folder, m_runId, summariseJournal(m_folder), maxStep);
        m_findings = m_search.findings();
        m_searched = true;
        m_sound = m_search.sound;
        if (!m_search.loaded)
            return std::nullopt;
        m_resumedFrom = m_search.loaded->step;
        if (!m_search.acknowledged)
            m_sound.push_back(m_resumedFrom);
        LoadedCheckpoint loaded = std::move(*m_search.loaded);
        m_search.loaded.reset();
        m_lateAck = m_search.acknowledged ? std::nullopt : std::optional(std::pair(loaded.folder, loaded.manifestHash));
        return loaded;
    }

    void begin(EventWriter& writer) {
        if (!m_searched && !publishedSteps(m_folder.checkpoints()).empty())
            throw Error(ErrorCode::internal, "[checkpoint] " + m_folder.checkpoints().string() +
                                                 " holds checkpoints and none was loaded; nothing is saved over them");
        m_writer = &writer;
        // The intent is durable before the first rename, so a kill in between is finished by the next attempt.
        for (const FolderVerdict& verdict : m_search.verdicts)
            if (!verdict.journalled)
                append({verdict.action, verdict.folder, verdict.manifestHash, verdict.reason, 0});
        if (m_lateAck)
            append({"saved", m_lateAck->first, m_lateAck->second, "published before the engine was killed", 0});
        if (!m_search.verdicts.empty() || m_lateAck)
            writer.sync();
        for (const FolderVerdict& verdict : m_search.verdicts) {
            if (verdict.action == "removed")
                removeFolder(m_folder.checkpoints(), verdict.folder);
            else
                setAside(m_folder.checkpoints(), verdict.folder, verdict.action + "-" + verdict.folder);
        }
        removeLeftovers(m_folder.checkpoints());
        m_search = {};
    }

    void save(int64_t step, const TrainingStateView& view) {
        if (!m_writer)
            throw Error(ErrorCode::internal,
                        "[checkpoint] nothing is saved before a load or a fresh start was finished");
        join();
        if (m_fatal)
            std::rethrow_exception(m_fatal);
        if (isPublished(step)) {
            const std::lock_guard lock(m_mutex);
            m_failure.reset();
            return;
        }
        m_host.copy(view);  // complete before the loop goes on: later values must not be saved
        m_counters = view.counters;
        m_thread = std::thread([this, step] { write(step); });
    }

    void wait() {
        join();
        if (m_fatal)
            std::rethrow_exception(m_fatal);
    }

    int64_t lastSavedStep() const {
        const std::lock_guard lock(m_mutex);
        return m_sound.empty() ? -1 : *std::max_element(m_sound.begin(), m_sound.end());
    }
    std::optional<Error> lastFailure() const {
        const std::lock_guard lock(m_mutex);
        return m_failure;
    }
    const std::vector<std::string>& findings() const { return m_findings; }
    void setConfig(const CheckpointConfig& config) {
        const std::lock_guard lock(m_mutex);
        m_config = config;
    }

 private:
    void join() {
        if (m_thread.joinable())
            m_thread.join();
    }

    void append(CheckpointEvent event) { m_writer->append(m_resumedFrom < 0 ? 0 : m_resumedFrom, std::move(event)); }

    bool isPublished(int64_t step) const {
        const std::lock_guard lock(m_mutex);
        return std::count(m_sound.begin(), m_sound.end(), step) +
                   std::count(m_unsynced.begin(), m_unsynced.end(), step) >
               0;
    }

    // The save thread. No error leaves it: training goes on with the older checkpoints, and says so.
    void write(int64_t step) noexcept {
        std::optional<Error> failure;
        try {
            for (int attempt = 0; attempt < kTries; ++attempt) {
                failure = tryOnce(step);
                if (!failure || failure->code() == ErrorCode::nonFinite)
                    break;
            }
            if (failure && failure->code() != ErrorCode::nonFinite)
                m_writer->append(step, WarningEvent{"The checkpoint of step " + std::to_string(step) +
                                                    " could not be saved; training goes on and older ones stay. " +
                                                    plainMessage(*failure)});
        } catch (const Error& error) {
            failure = error;
            m_fatal = std::current_exception();  // the journal itself refuses: fenced out, or full beyond its bound
        } catch (...) {
            failure = Error(ErrorCode::internal, "[checkpoint] unexpected failure while saving");
            m_fatal = std::current_exception();
        }
        const std::lock_guard lock(m_mutex);
        m_failure = failure;
    }

    std::optional<Error> tryOnce(int64_t step) {
        Manifest manifest = describe(step);
        try {
            requireFreeSpace(m_folder.checkpoints(), bytesOf(m_host.parts()));
            if (const auto tensor = firstNonFinite(m_host.parts()))
                return quarantine(step, manifest, *tensor);
            // A checkpoint that outlives a power cut must not outlive the records of its steps: the curve would have a
            // hole that no resume fills.
            syncJournal();
            const std::string name = stepFolderName(step);
            publishFolder(m_folder.checkpoints(), name, m_host.parts(), manifest);
            if (auto failure = readBack(name, manifest))
                return failure;
        } catch (const Error& error) {
            return error;
        }
        return acknowledge(step, manifest);
    }

    void syncJournal() {
        try {
            m_writer->sync();
        } catch (const Error&) {  // acknowledge() says it, if it lasts
        }
    }

    Manifest describe(int64_t step) const {
        Manifest manifest;
        manifest.runId = m_runId;
        manifest.attempt = m_writer->attempt();
        manifest.step = step;
        manifest.created = utcNow();
        manifest.codeVersion = std::string(codeVersion());
        manifest.counters = m_counters;
        return manifest;
    }

    std::optional<Error> readBack(const std::string& name, const Manifest& manifest) {
        try {
            const Manifest found = verifyFolder(m_folder.checkpoints() / name, nullptr, Cache::drop);
            if (found.hash == manifest.hash)
                return std::nullopt;
            throw Error(ErrorCode::disk, "[checkpoint] " + name + " reads back as something else");
        } catch (const Error& error) {
            m_writer->append(manifest.step,
                             CheckpointEvent{"bad", name, manifest.hash, plainMessage(error), manifest.bytes()});
            setAside(m_folder.checkpoints(), name, "bad-" + name);
            return error;
        }
    }

    std::optional<Error> quarantine(int64_t step, Manifest& manifest, const std::string& tensor) {
        const std::string name = "quarantine-" + stepFolderName(step);
        if (std::filesystem::exists(m_folder.checkpoints() / name))
            removeFolder(m_folder.checkpoints(), name);
        publishFolder(m_folder.checkpoints(), name, m_host.parts(), manifest);
        const std::string reason = tensor + " holds NaN or an infinity";
        m_writer->append(step, CheckpointEvent{"quarantined", name, manifest.hash, reason, manifest.bytes()});
        m_quarantines.push_back(name);
        while (m_quarantines.size() > kQuarantinesKept) {
            removeFolder(m_folder.checkpoints(), m_quarantines.front());
            m_quarantines.erase(m_quarantines.begin());
        }
        return Error(ErrorCode::nonFinite, "[checkpoint] " + reason + "; kept as " + name + ", not as a checkpoint");
    }

    // Throws only what the journal throws on append.
    std::optional<Error> acknowledge(int64_t step, const Manifest& manifest) {
        const std::string name = stepFolderName(step);
        m_writer->append(step, CheckpointEvent{"saved", name, manifest.hash, "", manifest.bytes()});
        {
            const std::lock_guard lock(m_mutex);
            m_unsynced.push_back(step);
        }
        try {
            m_writer->sync();
        } catch (const Error& error) {
            m_writer->append(
                step, WarningEvent{name + " is on disk, but the journal cannot say so yet. " + plainMessage(error)});
            return std::nullopt;  // published; it counts from the next successful sync on
        }
        std::vector<int64_t> removable;
        {
            const std::lock_guard lock(m_mutex);
            m_sound.insert(m_sound.end(), m_unsynced.begin(), m_unsynced.end());
            m_unsynced.clear();
            removable = removableSteps({m_sound, m_config.keepLast, m_resumedFrom});
        }
        for (const int64_t old : removable)
            retire(step, old);
        return std::nullopt;
    }

    void retire(int64_t now, int64_t old) {
        const std::string name = stepFolderName(old);
        try {
            const std::string hash = readManifest(m_folder.checkpoints() / name).hash;
            m_writer->append(now, CheckpointEvent{"removed", name, hash, "newer checkpoints are verified", 0});
            removeFolder(m_folder.checkpoints(), name);
        } catch (const Error& error) {
            m_writer->append(now,
                             WarningEvent{"The old checkpoint " + name + " cannot be removed. " + plainMessage(error)});
        }
        const std::lock_guard lock(m_mutex);
        std::erase(m_sound, old);
    }

    const RunFolder m_folder;
    const std::string m_runId;
    EventWriter* m_writer = nullptr;
    bool m_searched = false;
    SearchResult m_search;
    std::vector<std::string> m_findings;
    std::optional<std::pair<std::string, std::string>> m_lateAck;  // folder and manifest hash
    int64_t m_resumedFrom = -1;

    HostState m_host;  // belongs to the save thread while it runs
    Json m_counters;
    std::vector<std::string> m_quarantines;
    std::exception_ptr m_fatal;
    std::thread m_thread;

    mutable std::mutex m_mutex;
    CheckpointConfig m_config;
    std::vector<int64_t> m_sound;     // acknowledged and on disk
    std::vector<int64_t> m_unsynced;  // published, their record not yet known to be durable
    std::optional<Error> m_failure;
};

CheckpointStore::CheckpointStore(RunFolder folder, const CheckpointConfig& config, std::string runId)
    : m_state(std::make_unique<State>(std::move(folder), config, std::move(runId))) {}
CheckpointStore::~CheckpointStore() = default;

std::optional<LoadedCheckpoint> CheckpointStore::loadNewest(int64_t maxStep) {
    return m_state->loadNewest(maxStep);
}
const std::vector<std::string>& CheckpointStore::findings() const {
    return m_state->findings();
}
void CheckpointStore::begin(EventWriter& writer) {
    m_state->begin(writer);
}
void CheckpointStore::save(int64_t step, const TrainingStateView& state) {
    m_state->save(step, state);
}
void CheckpointStore::wait() {
    m_state->wait();
}
int64_t CheckpointStore::lastSavedStep() const {
    return m_state->lastSavedStep();
}
std::string CheckpointStore::lastSavedFolder() const {
    const int64_t step = lastSavedStep();
    return step < 0 ? "" : stepFolderName(step);
}
std::optional<Error> CheckpointStore::lastFailure() const {
    return m_state->lastFailure();
}
void CheckpointStore::setConfig(const CheckpointConfig& config) {
    m_state->setConfig(config);
}

}  // namespace unmask
