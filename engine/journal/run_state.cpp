// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/run_state.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/text.h"

namespace unmask {
namespace {
constexpr size_t kMaxStateBytes = size_t{1} << 20;

constexpr std::array<std::pair<RunWord, std::string_view>, 9> kWords{{{RunWord::starting, "starting"},
                                                                      {RunWord::running, "running"},
                                                                      {RunWord::paused, "paused"},
                                                                      {RunWord::stalled, "stalled"},
                                                                      {RunWord::interrupted, "interrupted"},
                                                                      {RunWord::lost, "lost"},
                                                                      {RunWord::failed, "failed"},
                                                                      {RunWord::stopped, "stopped"},
                                                                      {RunWord::finished, "finished"}}};

// None when the file is absent, half there or not understood: both files are news beside the journal.
std::optional<Json> readSmallJson(const std::filesystem::path& file) {
    try {
        const std::string bytes = readWholeFile(file, kMaxStateBytes);
        auto json = parseJson(bytes);
        if (json && json.value().is_object())
            return std::move(json).orThrow();
    } catch (const Error&) {
    }
    return std::nullopt;
}

int64_t integer(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

std::string text(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}
}  // namespace

double steadySecondsNow() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string_view runWordName(RunWord word) {
    for (const auto& [value, name] : kWords)
        if (value == word)
            return name;
    return "lost";
}

RunWord runWordFromName(std::string_view name) {
    for (const auto& [value, word] : kWords)
        if (word == name)
            return value;
    return RunWord::lost;
}

void writeRunState(const RunFolder& folder, const RunState& state) {
    Json json;
    json["attempt"] = state.attempt;
    json["phase"] = toValidUtf8(state.phase);
    json["step"] = state.step;
    json["total_steps"] = state.totalSteps;
    json["seq"] = state.seq;
    json["durable_seq"] = state.durableSeq;
    json["pid"] = state.process.pid;
    json["start_time"] = state.process.startTime;
    json["boot_id"] = state.process.bootId;
    json["heartbeat"] = state.heartbeat;
    json["written_at"] = utcNow();
    json["steady_seconds"] = steadySecondsNow();
    json["socket"] = "control.sock";
    replaceFile(folder.stateFile(), dumpLine(json) + '\n', Durability::news);
}

std::optional<RunState> readRunState(const RunFolder& folder) {
    const auto json = readSmallJson(folder.stateFile());
    if (!json)
        return std::nullopt;
    RunState state;
    state.attempt = integer(*json, "attempt");
    state.phase = text(*json, "phase");
    state.step = integer(*json, "step");
    state.totalSteps = integer(*json, "total_steps");
    state.seq = integer(*json, "seq");
    state.durableSeq = integer(*json, "durable_seq");
    state.process = {integer(*json, "pid"), static_cast<uint64_t>(integer(*json, "start_time")),
                     text(*json, "boot_id")};
    state.heartbeat = integer(*json, "heartbeat");
    state.writtenAt = text(*json, "written_at");
    if (const auto steady = json->find("steady_seconds"); steady != json->end() && steady->is_number())
        state.steadySeconds = steady->get<double>();
    return state;
}

void writeExitRecord(const RunFolder& folder, const ExitRecord& record) {
    Json json;
    json["attempt"] = record.attempt;
    json["outcome"] = record.outcome;
    json["reason"] = toValidUtf8(record.reason);
    json["exit_code"] = record.exitCode;
    json["last_step"] = record.lastStep;
    json["written_at"] = utcNow();
    replaceFile(folder.exitFile(), json.dump(2) + '\n', Durability::durable);
}

std::optional<ExitRecord> readExitRecord(const RunFolder& folder) {
    const auto json = readSmallJson(folder.exitFile());
    if (!json)
        return std::nullopt;
    ExitRecord record;
    record.attempt = integer(*json, "attempt");
    record.outcome = text(*json, "outcome");
    record.reason = text(*json, "reason");
    record.exitCode = integer(*json, "exit_code");
    record.lastStep = integer(*json, "last_step");
    record.writtenAt = text(*json, "written_at");
    if (record.outcome.empty())
        return std::nullopt;
    return record;
}

}  // namespace unmask
