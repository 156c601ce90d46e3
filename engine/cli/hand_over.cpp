// SPDX-License-Identifier: Apache-2.0
// Subcommands that compute: this process becomes the worker, which knows their arguments.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>

#include "engine/base/error.h"
#include "engine/cli/subcommands.h"
#include "engine/launch/worker_program.h"

namespace unmask {
namespace {

struct Handed {
    const char* name;
    const char* summary;
};
constexpr std::array<Handed, 3> kHanded{{{"sample", "Let a trained model write text"},
                                         {"eval", "Measure a trained model on text"},
                                         {"bench", "Measure how fast this machine trains"}}};

int becomeWorker(const std::string& name, std::vector<std::string> arguments) {
    const WorkerProgram worker = findWorker();
    if (!torchInstalled() && worker.torchLibraries.empty())
        throw Error(ErrorCode::badInput, "[cli] LibTorch is not in " + torchFolder().string() +
                                             "; './run build' fetches it, or name its folder in UNMASK_TORCH_DIR");
    arguments.insert(arguments.begin(), {worker.executable.string(), name});
    std::vector<std::string> environment = workerEnvironment(worker, 0);
    std::vector<char*> argumentPointers;
    std::vector<char*> environmentPointers;
    for (std::string& text : arguments)
        argumentPointers.push_back(text.data());
    for (std::string& text : environment)
        environmentPointers.push_back(text.data());
    argumentPointers.push_back(nullptr);
    environmentPointers.push_back(nullptr);
    execve(worker.executable.c_str(), argumentPointers.data(), environmentPointers.data());
    throw systemError("[cli] cannot start " + worker.executable.string(), errno);
}

}  // namespace

void addHandOver(CLI::App& app, Action& chosen) {
    for (const Handed& handed : kHanded) {
        const std::string name = handed.name;
        CLI::App* command = app.add_subcommand(name, handed.summary);
        command->prefix_command()->set_help_flag();  // all arguments, --help too, are the worker's
        command->callback([command, name, &chosen] {
            chosen = [name, arguments = command->remaining()] { return becomeWorker(name, arguments); };
        });
    }
}

}  // namespace unmask
