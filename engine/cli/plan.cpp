// SPDX-License-Identifier: Apache-2.0
// What a run would take on this machine: parameters, memory by part, time, and what stands in its way. With --machines:
// which layouts suit it there.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/text.h"
#include "engine/cli/layout_report.h"
#include "engine/cli/output.h"
#include "engine/cli/prepare_run.h"
#include "engine/cli/subcommands.h"
#include "engine/planner/machine_text.h"

namespace unmask {
namespace {

struct PlanOptions {
    SpecArguments spec;
    std::string machines;
    bool json = false;
};

Json toJson(const CheckedSpec& checked) {
    Json json = planToJson(checked.plan);
    Json problems = Json::array();
    for (const Problem& problem : checked.problems)
        problems.push_back({{"path", problem.path},
                            {"severity", problem.severity == Severity::error ? "error" : "warning"},
                            {"en", problem.en},
                            {"zh", problem.zh}});
    json["problems"] = std::move(problems);
    return json;
}

void row(const std::string& label, const std::string& value) {
    printLine("  " + label + std::string(label.size() < 24 ? 24 - label.size() : 1, ' ') + value);
}

void printPlan(const CheckedSpec& checked) {
    const Plan& plan = checked.plan;
    const auto count = [](int64_t n) { return formatCount(static_cast<double>(n)); };
    const auto bytes = [](int64_t n) { return formatBytes(static_cast<double>(n)); };
    printLine("Parameters: " + count(plan.parameters.total) +
              (plan.parameters.active == plan.parameters.total
                   ? ""
                   : ", of which a token goes through " + count(plan.parameters.active)));
    row("embedding", count(plan.parameters.embedding));
    row("attention", count(plan.parameters.attention));
    row("feed-forward", count(plan.parameters.feedForward));
    row("norms", count(plan.parameters.norms));
    row("head", count(plan.parameters.head));
    const bool several = checked.spec.parallel.worldSize() > 1;
    printLine((several ? "Memory of a process: " : "Memory: ") + bytes(plan.memory.total()));
    row("weights", bytes(plan.memory.weights));
    row("gradients", bytes(plan.memory.gradients));
    row("optimizer", bytes(plan.memory.optimizer));
    row("activations", bytes(plan.memory.activations));
    row("logits", bytes(plan.memory.logits));
    row("work space", bytes(plan.memory.buffers));
    if (plan.memory.communication > 0)
        row("communication", bytes(plan.memory.communication));
    row("program and libraries", bytes(plan.memory.overhead));
    printLine(plan.verdict.en);
    printLine("A step: " + count(plan.tokensPerStep) + " tokens in " + std::to_string(plan.microSteps) +
              (plan.microSteps == 1 ? " micro-batch, " : " micro-batches, ") + formatCount(plan.flopsPerStep) +
              " floating-point operations");
    printLine("Time: " + (plan.totalSeconds ? "about " + formatDuration(*plan.totalSeconds) + " for " +
                                                  count(checked.spec.training.steps) + " steps (an estimate)"
                                            : std::string("unknown, the speed of this machine was not measured")));
}

// The device is what is described, and the sizes are what is asked for, so neither stands in the way of the answer.
RunSpec modelToLayOut(const PlanOptions& options) {
    RunSpec spec = composeNewSpec(options.spec);
    RunSpec model = spec;
    model.parallel = {};
    model.training.device = DeviceChoice::automatic;
    refuseProblems(checkSpec(model), [](const std::string&) {});
    spec.model = resolvedModel(spec);
    return spec;
}

int planLayouts(const PlanOptions& options) {
    const RunSpec spec = modelToLayOut(options);
    const MachinesRead read = readMachines(options.machines, spec, detectHardware());
    if (!read.machines)
        throw Error(ErrorCode::badInput, "[cli] " + read.problem.en);
    const LayoutReport report = reportLayouts(spec, *read.machines);
    if (options.json) {
        printLine(dumpLine(reportToJson(report)));
        return 0;
    }
    for (const std::string& line : reportLines(report))
        printLine(line);
    return 0;
}

int plan(const PlanOptions& options) {
    if (!options.machines.empty())
        return planLayouts(options);
    const CheckedSpec checked = checkAndPlan(composeNewSpec(options.spec));
    if (options.json) {
        printLine(dumpLine(toJson(checked)));  // problems are part of the answer, not a failure of asking
        return 0;
    }
    if (checked.plan.parameters.total > 0)
        printPlan(checked);
    refuseProblems(checked.problems, printLine);
    return 0;
}

}  // namespace

void addPlan(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<PlanOptions>();
    CLI::App* command = app.add_subcommand("plan", "Parameters, memory and time of a run, without starting it");
    addSpecOptions(*command, options->spec);
    command->add_option("--machines", options->machines,
                        "Lay the run out on other machines: \"8 x A100 80 GB on 2 nodes\", \"2 nodes of 8 H100\", "
                        "\"cpu\", \"here\"");
    command->add_flag("--json", options->json, "Print a JSON object");
    command->callback([command, options, &chosen] {
        refuseUnknown(*command);
        chosen = [options] { return plan(*options); };
    });
}

}  // namespace unmask
