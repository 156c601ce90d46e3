// SPDX-License-Identifier: Apache-2.0
// `rank`: one rank of a run. The supervisor has made folder and run.json.
#include <cstdlib>
#include <iostream>

#include "engine/base/text.h"
#include "engine/train/run_training.h"
#include "engine/train/stop_signals.h"
#include "engine/worker/subcommands.h"

namespace unmask::worker {

namespace {

struct RankOptions {
    std::string run;
    bool resume = false;
    std::vector<std::string> settings;
};

int64_t numberIn(const char* variable, int64_t otherwise) {
    const char* const text = std::getenv(variable);
    if (!text)
        return otherwise;
    const auto number = parseInteger(text);
    if (!number)
        throw Error{ErrorCode::badInput, "[worker] " + std::string(variable) + " is not a number: " + text};
    return *number;
}

// Who this is among how many, in the variables that torchrun and the supervisor set; none for a process alone.
std::optional<TeamPlace> teamPlace() {
    const int64_t worldSize = numberIn("WORLD_SIZE", 1);
    if (worldSize <= 1)
        return std::nullopt;
    TeamPlace place{.worldSize = static_cast<int>(worldSize), .rank = static_cast<int>(numberIn("RANK", 0))};
    if (const char* const file = std::getenv("UNMASK_MEETING")) {
        place.meeting.file = file;
        return place;
    }
    const char* const address = std::getenv("MASTER_ADDR");
    place.meeting.address = address ? address : "127.0.0.1";
    place.meeting.port = static_cast<int>(numberIn("MASTER_PORT", 29500));
    return place;
}

ErrorCode trainRank(const RankOptions& options) {
    installStopSignals();
    TrainingRequest request{.folder = {options.run}, .resume = options.resume, .settings = {}, .team = teamPlace()};
    for (const std::string& setting : options.settings) {
        const size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw Error{ErrorCode::badInput, "[worker] --set takes path=value, not '" + setting + "'"};
        request.settings.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
    return runTraining(request, std::cerr);
}

}  // namespace

void addRank(CLI::App& app, Action& action) {
    const auto options = std::make_shared<RankOptions>();
    CLI::App* command = app.add_subcommand("rank", "Train a run");
    command->add_option("--run", options->run, "Run folder")->required();
    command->add_flag("--resume", options->resume, "Go on from the last good checkpoint");
    command->add_option("--set", options->settings, "path=value of a changeable setting")
        ->take_all()
        ->allow_extra_args(false);
    command->callback([options, &action] { action = [options] { return trainRank(*options); }; });
}

}  // namespace unmask::worker
