// SPDX-License-Identifier: Apache-2.0
// unmask-worker: the program that computes. unmask-engine starts it with library path and environment set.
#include <iostream>

#include "engine/ops/cpu_features.h"
#include "engine/train/run_training.h"
#include "engine/worker/subcommands.h"

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
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ErrorCode::badInput);
    }
    try {
        if (const std::string missing = missingCpuFeatures(); !missing.empty())
            throw Error{ErrorCode::hardware, "[worker] " + missing};
        return static_cast<int>(action());
    } catch (...) {
        const Error error = describeException(std::current_exception());
        std::cerr << error.what() << std::endl;
        return static_cast<int>(error.code());
    }
}
