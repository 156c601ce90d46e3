// SPDX-License-Identifier: Apache-2.0
// Subcommands that compute: this process becomes the worker, which knows their arguments.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>

#include "engine/base/error.h"
#include "engine/cli/subcommands.h"
#include "engine/launch/child_process.h"
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

// Where LibTorch may be missing this process stays, so that it can say so in words.
int watchWorker(const WorkerProgram& worker, std::vector<std::string> arguments) {
    ChildOptions options;
    options.executable = worker.executable;
    options.arguments = std::move(arguments);
    options.environment = workerEnvironment(worker, 0);
    options.nullInput = false;
    options.deathSignal = SIGTERM;
    const ExitStatus status = ChildProcess::start(options).wait();
    if (status.code == 127)
        throw Error(ErrorCode::badInput, "[cli] " + missingTorchSentence());
    return status.asShellCode();
}

int becomeWorker(const std::string& name, std::vector<std::string> arguments) {
    const WorkerProgram worker = findWorker();
    arguments.insert(arguments.begin(), name);
    if (!torchInstalled())
        return watchWorker(worker, std::move(arguments));
    arguments.insert(arguments.begin(), worker.executable.string());
    std::vector<std::string> environment = workerEnvironment(worker, 0);
    execve(worker.executable.c_str(), pointers(arguments).data(), pointers(environment).data());
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
