// SPDX-License-Identifier: Apache-2.0
// How runs stand, each with the evidence for its word. Without arguments: all runs of the runs folder.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "engine/base/places.h"
#include "engine/cli/bridge.h"
#include "engine/cli/output.h"
#include "engine/cli/progress_state.h"
#include "engine/cli/quick_status.h"
#include "engine/cli/subcommands.h"
#include "engine/protocol/metric_names.h"

namespace unmask {
namespace {

struct StatusOptions {
    std::vector<std::string> runs;
    bool json = false;
};

struct Row {
    RunFolder folder;
    RunCard card;
    RunStatus status;
    std::map<std::string, double> values;
    std::vector<JournalDamage> damages;
};

// A list of many runs is read from the journals' ends; a run that was named is read whole, with its damages.
enum class Depth { tail, whole };

Row lookAt(const RunFolder& folder, Depth depth) {
    Row row{folder, readRunCard(folder), {}, {}, {}};
    if (depth == Depth::tail) {
        QuickLook look = lookQuickly(folder);
        row.status = std::move(look.status);
        row.values = std::move(look.tail.lastValues);
        return row;
    }
    RunObserver observer(folder);
    row.status = observer.observe();
    row.values = observer.journal().lastValues;
    row.damages = observer.journal().damages;
    return row;
}

std::vector<RunFolder> allRuns() {
    std::vector<RunFolder> folders;
    std::error_code failed;
    for (std::filesystem::directory_iterator entry(runsFolder(), failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const RunFolder folder{entry->path()};
        std::error_code ignored;
        if (std::filesystem::exists(folder.runFile(), ignored))
            folders.push_back(folder);
    }
    return folders;
}

Json toJson(const Row& row) {
    Json json;
    json["id"] = row.card.id;
    json["name"] = row.card.name;
    json["folder"] = row.folder.path.string();
    json["created"] = row.card.created;
    json.update(statusToJson(row.status));
    Json values = Json::object();
    for (const auto& [name, value] : row.values)
        values[name] = numberToJson(value);
    json["values"] = std::move(values);
    if (!row.card.problem.empty())
        json["problem"] = row.card.problem;
    for (const JournalDamage& damage : row.damages)
        json["damages"].push_back(
            Json{{"file", damage.file}, {"line", damage.line}, {"offset", damage.offset}, {"reason", damage.reason}});
    return json;
}

std::string valueWord(const Row& row, std::string_view name) {
    const auto found = row.values.find(std::string(name));
    return found == row.values.end() ? "-" : fixedNumber(found->second, 3);
}

std::string padded(std::string text, size_t width) {
    size_t characters = 0;
    for (const char byte : text)
        characters += (static_cast<unsigned char>(byte) & 0xC0) != 0x80 ? 1 : 0;
    return characters < width ? text + std::string(width - characters, ' ') : text;
}

void printTable(const std::vector<Row>& rows) {
    size_t nameWidth = 4;
    for (const Row& row : rows)
        nameWidth = std::max(nameWidth, std::min<size_t>(40, row.card.name.size()));
    printLine(padded("RUN", nameWidth) + "  STATE        STEP             LOSS      VALIDATION  WHY");
    for (const Row& row : rows) {
        const std::string steps = std::to_string(row.status.step) + "/" + std::to_string(row.status.totalSteps);
        const std::string name = row.card.name.empty() ? row.folder.path.filename().string() : row.card.name;
        printLine(harmless(padded(name, nameWidth) + "  " + padded(std::string(runWordName(row.status.word)), 11) +
                           "  " + padded(steps, 15) + "  " + padded(valueWord(row, metric::kTrainLoss), 8) + "  " +
                           padded(valueWord(row, metric::kValidationLoss), 10) + "  " +
                           plainMessage(row.status.evidence)));
        for (const JournalDamage& damage : row.damages)
            printLine(
                harmless("  damaged: " + damage.file + ", line " + std::to_string(damage.line) + ": " + damage.reason));
    }
}

int status(const StatusOptions& options) {
    std::vector<Row> rows;
    if (options.runs.empty()) {
        for (const RunFolder& folder : allRuns())
            rows.push_back(lookAt(folder, Depth::tail));
        std::stable_sort(rows.begin(), rows.end(),
                         [](const Row& left, const Row& right) { return left.card.created > right.card.created; });
    }
    for (const std::string& run : options.runs)
        rows.push_back(lookAt(findRun(run).orThrow(), Depth::whole));
    if (options.json) {
        Json list = Json::array();
        for (const Row& row : rows)
            list.push_back(toJson(row));
        printLine(dumpLine(list));
    } else if (rows.empty()) {
        printLine("There are no runs in " + runsFolder().string() + ".");
    } else {
        printTable(rows);
    }
    return 0;
}

}  // namespace

void addStatus(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<StatusOptions>();
    CLI::App* command = app.add_subcommand("status", "How runs stand, and why one may say so");
    command->add_option("run", options->runs, "Run folders or ids; all runs of the runs folder when none is given");
    command->add_flag("--json", options->json, "Print a JSON list");
    command->callback([options, &chosen] { chosen = [options] { return status(*options); }; });
}

}  // namespace unmask
