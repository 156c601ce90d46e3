// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/run_options.h"

#include <CLI/CLI.hpp>

#include "engine/base/error.h"

namespace unmask {

void addRunOptions(CLI::App& command, RunArguments& arguments) {
    addSpecOptions(command, arguments.spec);
    command.add_option("--run", arguments.folder, "Folder of the run; a new one in the runs folder when not given")
        ->type_name("DIR")
        ->each([](const std::string& folder) {  // an unset variable of a script, say; it means no folder of ours
            if (folder.empty())
                throw Error(ErrorCode::badInput, "[cli] --run takes a folder, and what it was given is empty");
        });
    command.add_flag(
        "--resume", arguments.resume,
        "Go on with the run in --run from its last good checkpoint; changeable settings may be given anew");
}

}  // namespace unmask
