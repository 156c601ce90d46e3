// SPDX-License-Identifier: Apache-2.0
// unmask-worker: the program that computes. unmask-engine starts it with library path and environment set.
#include <algorithm>
#include <iostream>

#include "engine/base/text.h"
#include "engine/ops/cpu_features.h"
#include "engine/train/run_training.h"
#include "engine/worker/subcommands.h"

namespace unmask {
namespace {

// People know it as a part of unmask-engine, which hands their arguments over as they are.
void complain(const std::string& message) {
    std::cerr << "unmask-engine: " << harmless(message) << std::endl;
}

// An option that is not known gets the nearest name; for the rest CLI11's own sentence is clear.
std::string sentenceFor(const CLI::App& app, const CLI::ParseError& error) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    const std::vector<std::string> extras =
        commands.empty() ? std::vector<std::string>() : commands.front()->remaining();
    const auto option =
        std::find_if(extras.begin(), extras.end(), [](const auto& word) { return word.starts_with("-"); });
    if (extras.empty())
        return error.what();
    const std::string word = option == extras.end() ? extras.front() : option->substr(0, option->find('='));
    std::vector<std::string> names;
    for (const CLI::Option* each : commands.front()->get_options())
        for (const std::string& name : each->get_lnames())
            names.push_back("--" + name);
    const auto near = nearestName(word, names);
    return commands.front()->get_name() + " does not know \"" + word + "\"" +
           (near ? "; did you mean " + *near + "?" : "; --help lists what it takes");
}

}  // namespace
}  // namespace unmask

int main(int argc, char** argv) {
    using namespace unmask;
    CLI::App app{"Computes for unmask-engine: trains a run, samples from it, evaluates it, measures speed"};
    app.require_subcommand(1);
    worker::Action action;
    worker::addRank(app, action);
    worker::addSample(app, action);
    worker::addEval(app, action);
    worker::addBench(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        complain(sentenceFor(app, error));
        return static_cast<int>(ErrorCode::badInput);
    }
    try {
        if (const std::string missing = missingCpuFeatures(); !missing.empty())
            throw Error{ErrorCode::hardware, "[worker] " + missing};
        return static_cast<int>(action());
    } catch (...) {
        const Error error = describeException(std::current_exception());
        complain(plainMessage(error));
        return static_cast<int>(error.code());
    }
}
