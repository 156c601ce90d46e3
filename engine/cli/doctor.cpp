// SPDX-License-Identifier: Apache-2.0
// What this machine has and lacks, in words. Always ends with 0: a lack is a finding, not a fault.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/cli/machine_checks.h"
#include "engine/cli/output.h"
#include "engine/cli/subcommands.h"
#include "engine/launch/worker_program.h"
#include "engine/protocol/version.h"

namespace unmask {
namespace {

Json toJson(const Hardware& hardware, const std::vector<MachineCheck>& checks) {
    Json json = hardwareToJson(hardware);
    json["code_version"] = codeVersion();
    json["libtorch"] = Json{{"folder", torchFolder().string()},
                            {"installed", torchInstalled()},
                            {"version", torchInstalled() ? torchVersion(torchFolder()) : ""}};
    Json list = Json::array();
    for (const MachineCheck& check : checks)
        list.push_back(Json{{"topic", check.topic}, {"state", checkStateWord(check.state)}, {"text", check.text}});
    json["checks"] = std::move(list);
    return json;
}

void print(const std::vector<MachineCheck>& checks) {
    int missing = 0;
    for (const MachineCheck& check : checks) {
        const char* mark = check.state == CheckState::good   ? "ok      "
                           : check.state == CheckState::note ? "note    "
                                                             : "MISSING ";
        printLine(harmless(mark + check.topic + ": " + check.text));
        missing += check.state == CheckState::missing ? 1 : 0;
    }
    printLine(missing == 0 ? "Everything that training needs is here."
                           : "Training is not possible yet: see the lines marked MISSING.");
}

}  // namespace

void addDoctor(CLI::App& app, Action& chosen) {
    auto asJson = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("doctor", "What this machine has and lacks");
    command->add_flag("--json", *asJson, "Print the hardware description that the planner reads");
    command->callback([asJson, &chosen] {
        chosen = [asJson] {
            const Hardware hardware = detectHardware();
            const auto checks = checkMachine(hardware);
            if (*asJson)
                printLine(dumpLine(toJson(hardware, checks)));
            else
                print(checks);
            return 0;
        };
    });
}

}  // namespace unmask
