// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/prepare_run.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/base/places.h"
#include "engine/base/text.h"
#include "engine/cli/output.h"
#include "engine/cli/prepare_data.h"
#include "engine/cli/resume_run.h"
#include "engine/journal/run_lock.h"
#include "engine/protocol/version.h"

namespace unmask {
namespace {

std::string shortName(const RunSpec& spec) {
    if (!spec.launch.name.empty())
        return spec.launch.name;
    if (!spec.model.preset.empty() && spec.model.preset != "custom")
        return spec.model.preset;
    return "run";
}

RunFolder folderFor(const std::string& chosen, const std::string& id) {
    if (chosen.empty())
        return {runsFolder() / id};
    if (firstInvalidUtf8(chosen))
        throw Error(ErrorCode::badInput, "[cli] the name of the run folder is not valid UTF-8");
    std::filesystem::path path = std::filesystem::absolute(chosen).lexically_normal();
    return {path.has_filename() ? path : path.parent_path()};
}

// A disk that is full half-way must not leave a folder that is no run. What another engine made meanwhile stays.
void createOrNothing(const RunFolder& folder, const RunDescription& description) {
    std::error_code failed;
    const bool wasThere = std::filesystem::exists(folder.path, failed);
    try {
        createRunFolder(folder, description);
    } catch (...) {
        if (!std::filesystem::exists(folder.runFile(), failed)) {
            for (const auto& part : {folder.logs(), folder.checkpoints(), folder.samples()})
                std::filesystem::remove(part, failed);
            if (!wasThere)
                std::filesystem::remove(folder.path, failed);
        }
        throw;
    }
}

PreparedRun prepareNew(const RunArguments& arguments, const Say& say) {
    PreparedRun run;
    CheckedSpec checked = checkAndPlan(composeNewSpec(arguments.spec));
    refuseProblems(checked.problems, say);
    run.worker = findWorker();
    run.spec = std::move(checked.spec);

    RunDescription& description = run.description;
    description.id = newRunId(shortName(run.spec));
    const RunFolder folder = folderFor(arguments.folder, description.id);
    requireFreeForARun(folder);  // before the import, which may take long

    const PreparedStore store = importData(run.spec, say);
    if (run.spec.launch.name.empty())
        run.spec.launch.name = description.id;
    description.name = run.spec.launch.name;
    description.spec = run.spec;
    description.formatVersion = kRunFormatVersion;
    description.codeVersion = codeVersion();
    description.created = utcNow();
    description.dataHash = store.dataHash;
    description.tokenizerHash = store.tokenizerHash;
    createOrNothing(folder, description);
    run.createdHere = true;
    run.plan = launchPlan(folder, run.spec, false, {});
    return run;
}

// One field, one sentence: the first that says it as gravely.
void addProblems(std::vector<Problem>& problems, const std::vector<Problem>& more) {
    for (const Problem& problem : more) {
        const bool known = std::any_of(problems.begin(), problems.end(), [&](const Problem& other) {
            return other.path == problem.path &&
                   (other.severity == problem.severity || other.severity == Severity::error);
        });
        if (!known)
            problems.push_back(problem);
    }
}

}  // namespace

RunSpec resolveSpec(RunSpec spec) {
    spec.model = resolvedModel(spec);
    if (spec.training.device == DeviceChoice::automatic && !builtForGpus())
        spec.training.device = DeviceChoice::cpu;  // else whoever computes knows whether the GPU can be used
    if (spec.training.threads == 0)
        spec.training.threads = usableCores();
    if (spec.parallel.microBatchSize == 0)
        spec.parallel.microBatchSize = spec.effectiveMicroBatch();
    return spec;
}

CheckedSpec checkAndPlan(const RunSpec& spec) {
    CheckedSpec checked;
    checked.problems = checkSpec(spec);
    checked.spec = spec;
    if (hasErrors(checked.problems))
        return checked;  // numbers that fit no rule would mislead the planner
    checked.spec = resolveSpec(spec);
    checked.plan = planRun(checked.spec, detectHardware());
    addProblems(checked.problems, checkSpec(checked.spec));
    addProblems(checked.problems, checked.plan.problems);
    return checked;
}

void refuseProblems(const std::vector<Problem>& problems, const Say& say) {
    std::string message;
    for (const Problem& problem : problems) {
        const std::string line = (problem.path.empty() ? "" : problem.path + ": ") + problem.en;
        if (problem.severity == Severity::warning)
            say("Warning: " + line);
        else
            message += (message.empty() ? "" : "; ") + line;
    }
    if (!message.empty())
        throw Error(ErrorCode::badInput, "[cli] " + message);
}

LaunchPlan launchPlan(const RunFolder& folder, const RunSpec& spec, bool resume, std::vector<std::string> settings) {
    LaunchPlan plan;
    plan.folder = folder;
    plan.resume = resume;
    plan.settings = std::move(settings);
    plan.restartBudget = spec.launch.restartBudget;
    plan.threads = spec.training.threads;
    plan.worldSize = static_cast<int>(spec.parallel.worldSize());
    return plan;
}

PreparedRun prepareRun(const RunArguments& arguments, const Say& say) {
    if (!arguments.resume)
        return prepareNew(arguments, say);
    if (arguments.folder.empty())
        throw Error(ErrorCode::badInput, "[cli] --resume needs --run with the folder or id of the run");
    return prepareResume(arguments, say);
}

bool withdrawRun(const PreparedRun& run) {
    const RunFolder& folder = run.plan.folder;
    if (!run.createdHere || isLocked(folder) || summariseJournal(folder).lastSeq > 0)
        return false;
    std::error_code failed;
    const bool hasCheckpoint = !std::filesystem::is_empty(folder.checkpoints(), failed);
    if (failed || hasCheckpoint)
        return false;
    std::filesystem::remove_all(folder.path, failed);
    return !failed;
}

}  // namespace unmask
