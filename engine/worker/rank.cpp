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

ErrorCode trainRank(const RankOptions& options) {
    installStopSignals();
    const char* world = std::getenv("WORLD_SIZE");
    if (world && parseInteger(world).value_or(1) > 1)
        throw Error{ErrorCode::badInput,
                    "[worker] this build trains on one device; WORLD_SIZE is " + std::string(world)};
    TrainingRequest request{.folder = {options.run}, .resume = options.resume};
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
