// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_training.h"

#include <unistd.h>

#include <algorithm>
#include <new>
#include <optional>
#include <ostream>

#include "engine/base/text.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_lock.h"
#include "engine/metrics/health_watch.h"
#include "engine/planner/model_shape.h"
#include "engine/protocol/spec_json.h"
#include "engine/protocol/version.h"
#include "engine/train/control_socket.h"
#include "engine/train/live_settings.h"
#include "engine/train/run_history.h"
#include "engine/train/train_loop.h"

namespace unmask {

namespace {

bool leadsIn(const TrainingRequest& request) {
    return !request.team || request.team->rank == 0;
}

// Where this rank keeps its journal.
RunFolder ownFolder(const TrainingRequest& request) {
    if (leadsIn(request))
        return request.folder;
    const RunFolder own{request.folder.path / "ranks" / std::to_string(request.team->rank)};
    std::filesystem::create_directories(own.path);
    return own;
}

// One attempt. Objects come into being in the order of the members; each needs those before it.
class Attempt {
 public:
    Attempt(const TrainingRequest& request, RunDescription description)
        : m_run(request.folder),
          m_folder(ownFolder(request)),
          m_place(request.team),
          m_leads(leadsIn(request)),
          m_description(std::move(description)),
          m_lock(RunLock::acquire(m_folder)),
          m_before(summariseJournal(m_folder)),
          m_journal(EventWriter::open(m_folder, m_lock.attempt())),
          m_store(m_run, m_description.spec.checkpoint, m_description.id) {
        m_spec = m_description.spec;
        if (!m_leads)
            return;                                       // the leading rank will say what is trained and from where
        if (m_before.lastAttempt > 0 && !request.resume)  // the supervisor says so too; this holds for everybody
            throw Error{ErrorCode::badInput, "[train] " + m_folder.path.string() +
                                                 " has been trained before; give --resume to go on with it"};
        m_goesOn = m_before.lastAttempt > 0 || (request.resume && !publishedSteps(m_folder.checkpoints()).empty());
        if (request.resume)
            replayChanges(m_spec, m_folder);
        for (const auto& [path, text] : request.settings) {
            auto change = applySettingText(m_spec, path, text);
            if (const std::string line = std::move(change).orThrow(); !line.empty())
                m_changed.push_back(line);
        }
    }

    ErrorCode run(std::ostream& errors) {
        try {
            m_heartbeat.emplace(m_folder, m_journal, m_recorder.step(), [this] { endNow(); });
            m_heartbeat->setTotalSteps(m_spec.training.steps);
            const LoopEnd end = train();
            conclude(FinishedEvent{end.code == ErrorCode::finished ? "finished" : "stopped", end.reason,
                                   m_store.lastSavedFolder(), static_cast<int64_t>(end.code)});
            return m_leads ? end.code : ErrorCode::finished;
        } catch (...) {
            const Error error = describeException(std::current_exception());
            errors << error.what() << std::endl;
            return fail(error);
        }
    }

 private:
    LoopEnd train() {
        if (m_leads && m_goesOn)
            openCheckpoint();
        meetOthers();
        Control control(m_journal, m_clock, readAnswers(m_folder));
        std::optional<ControlSocket> socket;
        if (m_leads)
            socket.emplace(
                m_folder, [&](Command command) { control.submit(std::move(command)); },
                [&](const std::string& reason) { m_journal.append(m_recorder.step(), WarningEvent{reason}); });
        const HealthWatch health(m_journal, m_folder.path, m_recorder.step());

        m_heartbeat->enter("planning");
        prepareDevice(shareOfNode());
        for (const std::string& warning : refuseWhatCannotRun(m_spec))
            m_journal.append(m_recorder.step(), WarningEvent{warning});
        const ImportedData data = importInTurn();
        m_heartbeat->enter("loading");
        const auto objects = assembleRun(m_spec, data, m_team ? &*m_team : nullptr);
        TrainLoop loop(*objects, m_folder, {m_journal, m_clock, m_recorder, control, *m_heartbeat, m_store});
        begin(*objects, loop);
        return loop.run();
    }

    void meetOthers() {
        if (!m_place) {
            if (m_spec.parallel.worldSize() > 1)
                throw Error{ErrorCode::badInput, "[train] the layout is made for " +
                                                     std::to_string(m_spec.parallel.worldSize()) +
                                                     " processes; start them with 'train' or 'start'"};
            return;
        }
        m_heartbeat->enter("meeting");
        m_team.emplace(*m_place, m_spec.parallel, m_spec.launch.hangTimeout, std::string(codeVersion()));
        const Json word = Json::parse(
            m_team->agree(m_leads ? dumpLine(Json{{"spec", specToJson(m_spec)},
                                                  {"goes_on", m_goesOn},
                                                  {"checkpoint", m_loaded ? m_loaded->manifestHash : std::string()}})
                                  : std::string()));
        if (!m_leads)
            follow(word);
    }

    // What the leading rank has found out, and the same checkpoint.
    void follow(const Json& word) {
        m_spec = specFromJson(word.at("spec")).orThrow();
        m_goesOn = word.at("goes_on").get<bool>();
        if (!m_goesOn)
            return;
        m_loaded = m_store.loadNewest();
        if ((m_loaded ? m_loaded->manifestHash : std::string()) != word.at("checkpoint").get<std::string>())
            throw Error{ErrorCode::badInput, "[train] rank " + std::to_string(m_place->rank) +
                                                 " finds another checkpoint than rank 0: do both see the same folder?"};
        if (m_loaded)
            m_recorder.resumeFrom(m_loaded->step, 0);
    }

    // The ranks share the cores of the node.
    RunSpec shareOfNode() const {
        RunSpec spec = m_spec;
        if (m_place && spec.training.threads > 0)
            spec.training.threads = std::max<int64_t>(1, spec.training.threads / m_place->worldSize);
        return spec;
    }

    // The leading rank imports, the others then find its stores in the cache.
    ImportedData importInTurn() {
        if (m_team && !m_leads)
            m_team->gatherHere();
        ImportedData data = importFiles();
        if (m_team && m_leads)
            m_team->gatherHere();
        return data;
    }

    // The first record of a later attempt says where it goes on, so the checkpoint is found before anything is written.
    void openCheckpoint() {
        m_loaded = m_store.loadNewest();
        for (const PastPoint& point : pastPoints(m_folder, m_loaded ? m_loaded->step : 0))
            m_recorder.remember(point.step, point.values);
        m_journal.append(m_loaded ? m_loaded->step : 0,
                         ResumedEvent{.fromStep = m_loaded ? m_loaded->step : 0,
                                      .lastSeq = m_journal.lastSeq(),
                                      .checkpoint = m_loaded ? m_loaded->folder : std::string(),
                                      .host = toValidUtf8(hostName()),
                                      .device = describeDevice(m_spec),
                                      .changed = m_changed});
        if (m_loaded && m_before.lastSeq == 0)
            m_journal.append(m_loaded->step,
                             WarningEvent{"the journal of this run is gone, and with it the curves up to "
                                          "step " +
                                          std::to_string(m_loaded->step)});
        m_store.begin(m_journal);
        if (m_loaded)
            m_recorder.resumeFrom(m_loaded->step, 0);
    }

    void begin(AssembledRun& run, TrainLoop& loop) {
        if (!m_goesOn) {
            m_journal.append(0, StartedEvent{.runId = m_description.id,
                                             .host = toValidUtf8(hostName()),
                                             .device = describeDevice(m_spec),
                                             .codeVersion = std::string(codeVersion()),
                                             .parameters = countParameters(run.model->config()).total,
                                             .trainingSamples = run.data.training->sampleCount(),
                                             .validationSamples = run.data.validation->sampleCount(),
                                             .tokensPerStep = m_spec.training.batchSize * m_spec.model.sequenceLength});
            if (m_leads)
                m_store.begin(m_journal);
        }
        m_store.setConfig(m_spec.checkpoint);
        if (m_loaded)
            loop.restore(*m_loaded);
        else
            initialise(run);
        m_loaded.reset();
    }

    ImportedData importFiles() {
        m_heartbeat->enter("importing");
        ImportedData data = importData(m_spec, [](const ImportProgress&) { return stopSignal().count == 0; });
        describeImport(data.training, "data");
        if (data.validation)
            describeImport(*data.validation, "validation data");
        if (!m_description.dataHash.empty() && m_description.dataHash != data.training.dataHash)
            throw Error{ErrorCode::badInput,
                        "[train] the data files are not those this run was started with; start a new run with them"};
        return data;
    }

    void describeImport(const PreparedStore& prepared, const std::string& what) {
        const ImportReport& report = prepared.report;
        const auto say = [&](Event event) { m_journal.append(m_recorder.step(), std::move(event)); };
        say(LogEvent{what + (prepared.reused ? " taken from the cache: " : " imported: ") +
                     std::to_string(report.documents) + (report.documents == 1 ? " document, " : " documents, ") +
                     formatCount(static_cast<double>(report.tokens)) + " tokens"});
        for (const std::string& note : report.notes)
            say(WarningEvent{note});
        if (report.badLines > 0)
            say(WarningEvent{std::to_string(report.badLines) + " lines of the " + what +
                             " could not be used and were skipped" +
                             (report.kept.empty() ? "" : "; the first: " + report.describe(report.kept.front()))});
    }

    ErrorCode fail(const Error& error) {
        m_store.wait();
        if (error.code() == ErrorCode::stopped) {  // asked to end before the loop began
            const ErrorCode code = stopSignal().count > 0 ? stopSignal().exitCode : ErrorCode::stopped;
            conclude(FinishedEvent{"stopped", error.what(), m_store.lastSavedFolder(), static_cast<int64_t>(code)});
            return code;
        }
        conclude(FailedEvent{std::string(errorWord(error.code())), error.what(), static_cast<int64_t>(error.code())});
        return error.code();
    }

    void conclude(Event end) {
        try {
            m_journal.append(m_recorder.step(), std::move(end));
            m_journal.sync();
        } catch (const Error&) {  // the exit code still says how it ended
        }
    }

    // A second signal while the loop is busy: the end record, and out. Threads of a save in flight are not waited for;
    // what they leave is a temporary folder that the next attempt clears away.
    [[noreturn]] void endNow() {
        const ErrorCode code = stopSignal().exitCode;
        conclude(FinishedEvent{"stopped", "ended by a second signal, without a checkpoint", m_store.lastSavedFolder(),
                               static_cast<int64_t>(code)});
        unlink(m_folder.controlSocket().c_str());
        unlink(m_folder.controlToken().c_str());
        _exit(static_cast<int>(code));
    }

    RunFolder m_run;     // of all ranks
    RunFolder m_folder;  // of this one
    std::optional<TeamPlace> m_place;
    bool m_leads;
    RunDescription m_description;
    RunSpec m_spec;
    std::vector<std::string> m_changed;
    RunLock m_lock;  // first: what the journal says is only final while nobody else can write
    JournalSummary m_before;
    bool m_goesOn = false;  // has been trained before, by its journal or by checkpoints whose journal is gone
    EventWriter m_journal;
    CheckpointStore m_store;
    std::optional<LoadedCheckpoint> m_loaded;
    std::optional<RankTeam> m_team;
    TrainingClock m_clock;
    Recorder m_recorder{m_journal, m_clock};
    std::optional<Heartbeat> m_heartbeat;  // last: its final state.json knows the end record
};

}  // namespace

ErrorCode runTraining(const TrainingRequest& request, std::ostream& errors) {
    try {
        Attempt attempt(request, readRunDescription(request.folder).orThrow());
        return attempt.run(errors);
    } catch (...) {  // nothing could be journalled: no run folder, or somebody else holds it
        const Error error = describeException(std::current_exception());
        errors << error.what() << std::endl;
        return error.code();
    }
}

Error describeException(std::exception_ptr exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::hostOutOfMemory,
                     "[train] this computer has no memory left; a smaller micro_batch_size "
                     "or activation_checkpointing=full needs less"};
    } catch (const std::exception& error) {
        const std::string_view what = error.what();
        if (what.find("CUDA out of memory") != std::string_view::npos)
            return Error{ErrorCode::gpuOutOfMemory,
                         "[train] the GPU has no memory left; a smaller micro_batch_size or "
                         "activation_checkpointing=selective or full needs less, or another program holds it"};
        if (what.find("not enough memory") != std::string_view::npos)
            return Error{ErrorCode::hostOutOfMemory,
                         "[train] this computer has no memory left; a smaller "
                         "micro_batch_size or activation_checkpointing=full needs less"};
        return Error{ErrorCode::internal, "[train] " + std::string(what.substr(0, what.find('\n')))};
    } catch (...) {
        return Error{ErrorCode::internal, "[train] an unknown error"};
    }
}

}  // namespace unmask
