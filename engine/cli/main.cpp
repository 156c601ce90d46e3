// SPDX-License-Identifier: Apache-2.0
// unmask-engine: everything about runs but the computing itself. No torch here, so it starts in milliseconds and runs
// where LibTorch is missing. All faults end here: one sentence, and the code that belongs to them.
#include <CLI/CLI.hpp>
#include <new>

#include "engine/base/text.h"
#include "engine/cli/output.h"
#include "engine/cli/spec_options.h"
#include "engine/cli/subcommands.h"
#include "engine/protocol/version.h"

namespace unmask {
namespace {

void addSubcommands(CLI::App& app, Action& chosen) {
    addTrain(app, chosen);
    addStart(app, chosen);
    addSupervise(app, chosen);
    addAttach(app, chosen);
    addStatus(app, chosen);
    addCommand(app, chosen);
    addPlan(app, chosen);
    addHandOver(app, chosen);
    addData(app, chosen);
    addDoctor(app, chosen);
    addSettings(app, chosen);
}

std::string wordsOf(const CLI::App& command) {
    std::string words;
    for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
        words += (words.empty() ? "" : ", ") + each->get_name();
    return words;
}

// A misspelt subcommand or option gets the nearest name; for the rest CLI11's own sentence is clear.
std::string sentenceFor(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
    const std::string word = argc > 1 ? argv[1] : "";
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; }))
        if (each->get_name() != "supervise")
            names.push_back(each->get_name());
    if (word.empty())
        return "say what to do, for example 'unmask-engine train'; 'unmask-engine --help' lists everything";
    if (!word.starts_with('-') && std::find(names.begin(), names.end(), word) == names.end() && word != "supervise") {
        const auto near = nearestName(word, names);
        return "there is no command \"" + toValidUtf8(word) + "\"" +
               (near ? "; did you mean " + *near + "?" : "; 'unmask-engine --help' lists all");
    }
    for (const CLI::App* command : app.get_subcommands()) {
        refuseUnknown(*command);
        if (command->get_subcommands().empty() &&
            !command->get_subcommands([](const CLI::App*) { return true; }).empty())
            return command->get_name() + " needs to be told what to do: " + wordsOf(*command);
    }
    return toValidUtf8(error.what());
}

int runProgram(int argc, char** argv) {
    CLI::App app{"Unmask engine: trains diffusion language models and says how they stand."};
    app.set_version_flag("--version", std::string(codeVersion()));
    app.require_subcommand(1);
    Action chosen;
    addSubcommands(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        complain(sentenceFor(app, error, argc, argv));
        return static_cast<int>(ErrorCode::badInput);
    }
    return chosen();
}

}  // namespace
}  // namespace unmask

int main(int argc, char** argv) {
    using unmask::ErrorCode;
    try {
        return unmask::runProgram(argc, argv);
    } catch (const unmask::Error& error) {
        unmask::complain(unmask::plainMessage(error));
        return static_cast<int>(error.code());
    } catch (const std::bad_alloc&) {
        unmask::complain("the memory of this computer is not enough for that");
        return static_cast<int>(ErrorCode::hostOutOfMemory);
    } catch (const std::exception& error) {
        unmask::complain(std::string("internal error: ") + error.what());
        return static_cast<int>(ErrorCode::internal);
    }
}
