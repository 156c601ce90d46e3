// SPDX-License-Identifier: Apache-2.0
#include "engine/cli/layout_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "engine/base/text.h"

namespace unmask {
namespace {

constexpr size_t kShown = 5;

std::string count(int64_t value) {
    return std::to_string(value);
}

// Three digits are more than such a figure is worth, and no fewer look like a guess.
std::string seconds(double value) {
    std::array<char, 32> text{};
    const bool small = value < 1;
    const double shown = small ? value * 1e3 : value;
    std::snprintf(text.data(), text.size(), shown < 10 ? "%.2f" : (shown < 100 ? "%.1f" : "%.0f"), shown);
    return value <= 0 ? "0" : std::string(text.data()) + (small ? " ms" : " s");
}

std::string bytes(int64_t value) {
    return formatBytes(static_cast<double>(value));
}

// Columns that count characters, not bytes: layouts are written with ×.
size_t width(const std::string& text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

using Row = std::vector<std::string>;

std::vector<std::string> aligned(const std::vector<Row>& rows) {
    std::vector<size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    std::vector<std::string> lines;
    for (const Row& row : rows) {
        std::string line = " ";
        for (size_t i = 0; i < row.size(); ++i)
            line += " " + row[i] + (i + 1 < row.size() ? std::string(widths[i] - width(row[i]) + 1, ' ') : "");
        lines.push_back(std::move(line));
    }
    return lines;
}

Row rowOf(const RunSpec& spec, const LayoutPlan& plan) {
    const int64_t micro = plan.parallel.microBatchSize > 0
                              ? plan.parallel.microBatchSize
                              : spec.training.batchSize / std::max<int64_t>(1, plan.parallel.dataParallelSize);
    Row row{layoutWords(plan.parallel).en, count(plan.worldSize), count(plan.microBatches) + " × " + count(micro),
            bytes(plan.mostBytes()) + (plan.capacityBytes > 0 ? " of " + formatBytes(plan.capacityBytes) : "")};
    if (plan.time) {
        const double tokens = static_cast<double>(spec.training.batchSize * spec.model.sequenceLength);
        for (const double part :
             {plan.time->total(), plan.time->compute, plan.time->communication, plan.time->bubble, plan.time->update})
            row.push_back(seconds(part));
        row.push_back(formatCount(tokens / plan.time->total()));
    } else {
        row.insert(row.end(), {"unknown", "", "", "", "", ""});
    }
    row.push_back(plan.runsToday() ? "yes" : "not yet");
    return row;
}

void addMemory(const LayoutPlan& plan, std::vector<std::string>& lines) {
    const StageMemory* const fullest = plan.fullest();
    if (!fullest)
        return;
    const MemoryBytes& memory = fullest->bytes;
    std::string line = "  Memory of the fullest device: ";
    line += "weights " + bytes(memory.weights) + ", gradients " + bytes(memory.gradients) + ", optimizer " +
            bytes(memory.optimizer) + ", activations " + bytes(memory.activations) + ", logits " +
            bytes(memory.logits) + ", work space " + bytes(memory.buffers) + ", communication " +
            bytes(memory.communication) + ", program " + bytes(memory.overhead);
    lines.push_back(line);
}

void addProblems(const std::vector<Problem>& problems, const std::string& before, std::vector<std::string>& lines) {
    for (const Problem& problem : problems)
        lines.push_back("  " + (problem.severity == Severity::error ? before : "Note: ") + problem.en);
}

void addRecommended(const LayoutReport& report, std::vector<std::string>& lines) {
    const LayoutChoice& best = report.choices.front();
    const bool fits = best.plan.fits.value_or(true);
    lines.push_back((fits ? "Recommended: " : "Nearest to fitting: ") + layoutWords(best.plan.parallel).en);
    for (const Sentence& reason : best.reasons)
        lines.push_back("  " + reason.en);
    addMemory(best.plan, lines);
    addProblems(best.plan.limits, "Not yet: ", lines);
    if (report.runsToday)
        lines.push_back("  What this version runs on these machines: " +
                        layoutWords(report.runsToday->plan.parallel).en);
    else if (!best.plan.runsToday())
        lines.push_back("  This version runs no layout of this model on these machines.");
}

void addAsSet(const LayoutReport& report, std::vector<std::string>& lines) {
    if (!report.asSet)
        return;
    lines.push_back("As set: " + layoutWords(report.asSet->parallel).en +
                    (report.asSet->legal ? "" : ", which is not legal"));
    addProblems(report.asSet->problems, "", lines);
    if (report.asSet->legal) {
        addMemory(*report.asSet, lines);
        addProblems(report.asSet->limits, "Not yet: ", lines);
    }
    if (report.nearest)
        lines.push_back("  The nearest legal layout: " + layoutWords(*report.nearest).en);
}

}  // namespace

LayoutReport reportLayouts(const RunSpec& spec, const MachineSet& machines) {
    LayoutReport report{spec, machines, recommendLayouts(spec, machines, kShown), {}, {}, {}};
    if (!report.choices.empty() && !report.choices.front().plan.runsToday()) {
        std::vector<LayoutChoice> today = recommendLayouts(spec, machines, 1, Reach::runsToday);
        if (!today.empty())
            report.runsToday = std::move(today.front());
    }
    if (spec.parallel == ParallelConfig{})
        return report;
    report.asSet = planLayout(spec, machines);
    if (!report.asSet->legal)
        report.nearest = nearestLegalLayout(spec, &machines);
    return report;
}

std::vector<std::string> reportLines(const LayoutReport& report) {
    const RunSpec& spec = report.spec;
    std::vector<std::string> lines;
    lines.push_back("Model: " + formatCount(static_cast<double>(countParameters(resolvedModel(spec)).total)) +
                    " parameters, " + std::string(wordOf(spec.training.precision)) + ", a batch of " +
                    count(spec.training.batchSize) + " rows of " + count(spec.model.sequenceLength) + " tokens");
    LayoutPlan any;
    any.projection = !report.machines.found;
    lines.push_back(layoutClaim(any, report.machines).en);
    std::vector<Row> rows{{"layout", "ranks", "micro-batches × rows", "memory a rank", "step", "compute",
                           "communication", "bubble", "update", "tokens/s", "runs today"}};
    for (const LayoutChoice& choice : report.choices)
        rows.push_back(rowOf(spec, choice.plan));
    if (report.asSet && report.asSet->legal) {
        rows.push_back(rowOf(spec, *report.asSet));
        rows.back().front() = "as set: " + rows.back().front();
    }
    for (std::string& line : aligned(rows))
        lines.push_back(std::move(line));
    if (report.choices.empty())
        lines.push_back("No layout of this model and batch is legal on these machines.");
    else
        addRecommended(report, lines);
    addAsSet(report, lines);
    return lines;
}

Json reportToJson(const LayoutReport& report) {
    const auto choiceToJson = [&](const LayoutChoice& choice) {
        Json json = layoutToJson(choice.plan, report.machines);
        json["reasons"] = Json::array();
        for (const Sentence& reason : choice.reasons)
            json["reasons"].push_back({{"en", reason.en}, {"zh", reason.zh}});
        return json;
    };
    Json layouts = Json::array();
    for (const LayoutChoice& choice : report.choices)
        layouts.push_back(choiceToJson(choice));
    Json nearest = nullptr;
    if (report.nearest) {
        RunSpec spec;
        spec.parallel = *report.nearest;
        nearest = specToJson(spec).at("parallel");
    }
    return {{"machines", machinesToJson(report.machines)},
            {"projection", !report.machines.found},
            {"layouts", std::move(layouts)},  // best first
            {"runs_today", report.runsToday ? choiceToJson(*report.runsToday) : Json(nullptr)},
            {"as_set", report.asSet ? layoutToJson(*report.asSet, report.machines) : Json(nullptr)},
            {"nearest", std::move(nearest)}};
}

}  // namespace unmask
