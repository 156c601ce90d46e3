// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_search.h"

#include <algorithm>

#include "engine/checkpoint/checkpoint_store.h"
#include "engine/checkpoint/state_copy.h"

namespace unmask {
namespace {

constexpr int kSuspectAfterFailures = 2;

class Search {
 public:
    Search(const RunFolder& folder, std::string runId, const JournalSummary& journal, int64_t maxStep)
        : m_folder(folder), m_runId(std::move(runId)), m_journal(journal), m_maxStep(maxStep) {}

    SearchResult run() {
        std::vector<int64_t> steps = publishedSteps(m_folder.checkpoints());
        std::erase_if(steps, [&](int64_t step) { return finishesEarlierVerdict(step); });
        const std::vector<int64_t> all = steps;
        std::vector<int64_t> suspects;
        while (!steps.empty() && !m_result.loaded) {
            const int64_t step = steps.back();
            steps.pop_back();
            if (m_maxStep >= 0 && step > m_maxStep)
                continue;
            if (isSuspect(step))
                suspects.push_back(step);
            else
                tryFolder(step);
        }
        // A suspect is better than nothing.
        for (size_t i = 0; i < suspects.size() && !m_result.loaded; ++i)
            tryFolder(suspects[i]);
        if (!m_result.loaded)
            refuseSilentRestart();
        else
            supersedeNewer(all);
        return std::move(m_result);
    }

 private:
    const CheckpointEvent* lastWord(const std::string& name) const {
        const auto found = m_journal.lastCheckpoint.find(name);
        return found == m_journal.lastCheckpoint.end() ? nullptr : &found->second;
    }

    static std::string hashOnDisk(const std::filesystem::path& folder) {
        try {
            return readManifest(folder).hash;
        } catch (const Error&) {
            return "";
        }
    }

    // The journal already said bad, superseded or removed about this very folder; the writer died before the rename.
    bool finishesEarlierVerdict(int64_t step) {
        const std::string name = stepFolderName(step);
        const CheckpointEvent* word = lastWord(name);
        if (!word || (word->action != "bad" && word->action != "superseded" && word->action != "removed"))
            return false;
        const std::string hash = hashOnDisk(m_folder.checkpoints() / name);
        if (hash != word->manifestHash && !(word->action == "bad" && word->manifestHash.empty() && hash.empty()))
            return false;  // published again since then
        m_result.verdicts.push_back({name, word->action, hash, word->reason, true});
        return true;
    }

    bool isSuspect(int64_t step) const {
        const auto found = m_journal.failuresSince.find(stepFolderName(step));
        return found != m_journal.failuresSince.end() && found->second >= kSuspectAfterFailures;
    }

    void tryFolder(int64_t step) {
        const std::string name = stepFolderName(step);
        const auto path = m_folder.checkpoints() / name;
        const CheckpointEvent* word = lastWord(name);
        const bool acknowledged = word && word->action == "saved";
        try {
            const Manifest manifest = readManifest(path);
            if (acknowledged && manifest.hash != word->manifestHash)
                throw Error(ErrorCode::badInput, "its manifest is not the one that was acknowledged");
            if (!m_runId.empty() && manifest.runId != m_runId)
                throw Error(ErrorCode::badInput, "it belongs to the run " + manifest.runId);
            m_result.loaded = readCheckpoint(path, StateParts::everything);
            m_result.acknowledged = acknowledged;
        } catch (const Error& error) {
            m_result.verdicts.push_back({name, "bad", hashOnDisk(path), plainMessage(error), false});
        }
    }

    // Folders newer than the loaded one belong to a branch that is given up.
    void supersedeNewer(const std::vector<int64_t>& all) {
        const int64_t loaded = m_result.loaded->step;
        for (const int64_t step : all) {
            const std::string name = stepFolderName(step);
            const bool isBad = std::any_of(m_result.verdicts.begin(), m_result.verdicts.end(),
                                           [&](const FolderVerdict& v) { return v.folder == name; });
            if (step > loaded && !isBad)
                m_result.verdicts.push_back({name, "superseded", hashOnDisk(m_folder.checkpoints() / name),
                                             "training goes on from " + stepFolderName(loaded), false});
            const CheckpointEvent* word = lastWord(name);
            if (step <= loaded && word && word->action == "saved")
                m_result.sound.push_back(step);
        }
    }

    void refuseSilentRestart() const {
        std::string text;
        for (const std::string& finding : m_result.findings())
            text += "\n  " + finding;
        if (!m_journal.savedCheckpoints.empty() && m_maxStep < 0)
            throw Error(ErrorCode::noValidCheckpoint, "[checkpoint] the journal acknowledges " +
                                                          std::to_string(m_journal.savedCheckpoints.size()) +
                                                          " checkpoints (newest " + m_journal.savedCheckpoints.back() +
                                                          "), and none in " + m_folder.checkpoints().string() +
                                                          " is sound; training does not begin again by itself" + text);
        if (m_maxStep >= 0)
            throw Error(ErrorCode::badInput,
                        "[checkpoint] no sound checkpoint at or below step " + std::to_string(m_maxStep) + text);
    }

    const RunFolder& m_folder;
    const std::string m_runId;
    const JournalSummary& m_journal;
    const int64_t m_maxStep;
    SearchResult m_result;
};

}  // namespace

std::vector<std::string> SearchResult::findings() const {
    std::vector<std::string> texts;
    for (const FolderVerdict& verdict : verdicts)
        if (verdict.action == "bad" && !verdict.journalled)
            texts.push_back(verdict.folder + ": " + verdict.reason);
    return texts;
}

SearchResult searchCheckpoint(const RunFolder& folder, const std::string& runId, const JournalSummary& journal,
                              int64_t maxStep) {
    return Search(folder, runId, journal, maxStep).run();
}

LoadedCheckpoint readCheckpoint(const std::filesystem::path& checkpointFolder, StateParts parts) {
    LoadedCheckpoint loaded;
    const auto place = [&](const ManifestFile& file, const TensorInfo& info) -> void* {
        at::Tensor tensor = emptyHostTensor(info);
        void* data = tensor.data_ptr();
        auto& list = file.name == kWeightsFile ? loaded.weights : loaded.optimizer;
        list.push_back({info.name, std::move(tensor)});
        return data;
    };
    const std::string_view only = parts == StateParts::weights ? kWeightsFile : "";
    Manifest manifest = verifyFolder(checkpointFolder, place, Cache::keep, only);
    loaded.step = manifest.step;
    loaded.folder = checkpointFolder.filename().string();
    loaded.manifestHash = manifest.hash;
    loaded.counters = std::move(manifest.counters);
    return loaded;
}

LoadedCheckpoint readNewestCheckpoint(const RunFolder& folder, StateParts parts) {
    const JournalSummary journal = summariseJournal(folder);
    std::vector<std::string> reasons;
    std::vector<int64_t> steps;
    for (const std::string& name : journal.savedCheckpoints)
        if (const auto step = stepOfFolder(name))
            steps.push_back(*step);
    std::sort(steps.rbegin(), steps.rend());
    for (const int64_t step : steps) {
        const std::string name = stepFolderName(step);
        try {
            LoadedCheckpoint loaded = readCheckpoint(folder.checkpoints() / name, parts);
            if (loaded.manifestHash == journal.lastCheckpoint.at(name).manifestHash) {
                loaded.passedOver = std::move(reasons);
                return loaded;
            }
            reasons.push_back(name + ": its manifest is not the one that was acknowledged");
        } catch (const Error& error) {  // also a folder that retention removed while we looked
            reasons.push_back(name + ": " + plainMessage(error));
        }
    }
    std::string text;
    for (const std::string& reason : reasons)
        text += "\n  " + reason;
    throw Error(ErrorCode::noValidCheckpoint,
                "[checkpoint] " + folder.path.string() + " has no sound checkpoint yet" + text);
}

}  // namespace unmask
