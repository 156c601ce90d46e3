// SPDX-License-Identifier: Apache-2.0
// What a run says about itself, one struct a kind. Kinds and fields may be added, never renamed or reused: old runs
// stay readable. JSON codec, equality and tests derive from `fields`; a visitor that misses a kind does not compile.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/json.h"
#include "engine/protocol/field_spec.h"

namespace unmask {

struct StartedEvent {
    static constexpr std::string_view kind = "started";
    std::string runId;
    std::string host;
    std::string device;  // "CPU, 2 threads" or "NVIDIA H200"
    std::string codeVersion;
    int64_t parameters = 0;
    int64_t trainingSamples = 0;
    int64_t validationSamples = 0;
    int64_t tokensPerStep = 0;
    bool operator==(const StartedEvent&) const = default;
    static constexpr auto fields = std::tuple{field("run_id", &StartedEvent::runId),
                                              field("host", &StartedEvent::host),
                                              field("device", &StartedEvent::device),
                                              field("code_version", &StartedEvent::codeVersion),
                                              field("parameters", &StartedEvent::parameters),
                                              field("training_samples", &StartedEvent::trainingSamples),
                                              field("validation_samples", &StartedEvent::validationSamples),
                                              field("tokens_per_step", &StartedEvent::tokensPerStep)};
};

// First record of every later attempt. Readers drop records of older attempts beyond last_seq and mark points with
// step > from_step as superseded.
struct ResumedEvent {
    static constexpr std::string_view kind = "resumed";
    int64_t fromStep = 0;
    int64_t lastSeq = 0;
    std::string checkpoint;  // folder name; empty when it starts again at step 0
    std::string host;
    std::string device;
    std::vector<std::string> changed;  // "training.steps: 500 → 900"
    bool operator==(const ResumedEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("from_step", &ResumedEvent::fromStep),    field("last_seq", &ResumedEvent::lastSeq),
                   field("checkpoint", &ResumedEvent::checkpoint), field("host", &ResumedEvent::host),
                   field("device", &ResumedEvent::device),         field("changed", &ResumedEvent::changed)};
};

// importing, loading, planning, first step, training, validating, sampling, saving, stopping
struct PhaseEvent {
    static constexpr std::string_view kind = "phase";
    std::string name;
    std::string detail;
    bool operator==(const PhaseEvent&) const = default;
    static constexpr auto fields = std::tuple{field("name", &PhaseEvent::name), field("detail", &PhaseEvent::detail)};
};

struct MetricsEvent {
    static constexpr std::string_view kind = "metrics";
    int64_t tokens = 0;                    // consumed so far, by all ranks
    double elapsedSeconds = 0;             // pauses not counted, over all attempts
    std::map<std::string, double> values;  // keyed by metric_names
    bool operator==(const MetricsEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("tokens", &MetricsEvent::tokens), field("elapsed", &MetricsEvent::elapsedSeconds),
                   field("values", &MetricsEvent::values)};
};

struct DeviceEvent {
    static constexpr std::string_view kind = "device";
    std::map<std::string, double> values;  // a figure that cannot be read is a missing key
    bool operator==(const DeviceEvent&) const = default;
    static constexpr auto fields = std::tuple{field("values", &DeviceEvent::values)};
};

struct SampleEvent {
    static constexpr std::string_view kind = "sample";
    std::string prompt;
    std::string text;
    double seconds = 0;
    bool operator==(const SampleEvent&) const = default;
    static constexpr auto fields = std::tuple{field("prompt", &SampleEvent::prompt), field("text", &SampleEvent::text),
                                              field("seconds", &SampleEvent::seconds)};
};

// action: saved (the acknowledgement), quarantined, bad, superseded, removed
struct CheckpointEvent {
    static constexpr std::string_view kind = "checkpoint";
    std::string action;
    std::string folder;  // "step-100", below checkpoints/
    std::string manifestHash;
    std::string reason;
    int64_t bytes = 0;
    bool operator==(const CheckpointEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("action", &CheckpointEvent::action), field("folder", &CheckpointEvent::folder),
                   field("manifest_hash", &CheckpointEvent::manifestHash), field("reason", &CheckpointEvent::reason),
                   field("bytes", &CheckpointEvent::bytes)};
};

struct SuggestionEvent {
    static constexpr std::string_view kind = "suggestion";
    std::string rule;  // "plateau", "divergence", "overfitting", …
    std::string text;
    std::string action;
    int64_t firstStep = 0;
    int64_t lastStep = 0;
    bool operator==(const SuggestionEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("rule", &SuggestionEvent::rule), field("text", &SuggestionEvent::text),
                   field("action", &SuggestionEvent::action), field("first_step", &SuggestionEvent::firstStep),
                   field("last_step", &SuggestionEvent::lastStep)};
};

struct AnomalyEvent {
    static constexpr std::string_view kind = "anomaly";
    std::string what;  // "non_finite_loss", "non_finite_gradient"
    std::string detail;
    bool operator==(const AnomalyEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("what", &AnomalyEvent::what), field("detail", &AnomalyEvent::detail)};
};

struct LogEvent {
    static constexpr std::string_view kind = "log";
    std::string text;
    bool operator==(const LogEvent&) const = default;
    static constexpr auto fields = std::tuple{field("text", &LogEvent::text)};
};

struct WarningEvent {
    static constexpr std::string_view kind = "warning";
    std::string text;
    bool operator==(const WarningEvent&) const = default;
    static constexpr auto fields = std::tuple{field("text", &WarningEvent::text)};
};

// Answer to a command: accepted or not, and what came of it.
struct CommandEvent {
    static constexpr std::string_view kind = "command";
    std::string id;
    std::string command;
    bool accepted = true;
    std::string detail;
    bool operator==(const CommandEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("id", &CommandEvent::id), field("command", &CommandEvent::command),
                   field("accepted", &CommandEvent::accepted), field("detail", &CommandEvent::detail)};
};

struct PausedEvent {
    static constexpr std::string_view kind = "paused";
    bool operator==(const PausedEvent&) const = default;
    static constexpr std::tuple<> fields{};
};

struct ContinuedEvent {
    static constexpr std::string_view kind = "continued";
    double pausedSeconds = 0;
    bool operator==(const ContinuedEvent&) const = default;
    static constexpr auto fields = std::tuple{field("paused_seconds", &ContinuedEvent::pausedSeconds)};
};

// outcome: "finished" (planned steps reached) or "stopped" (by the user or the scheduler)
struct FinishedEvent {
    static constexpr std::string_view kind = "finished";
    std::string outcome;
    std::string reason;
    std::string checkpoint;  // folder of the last good one; empty when there is none
    int64_t exitCode = 0;
    bool operator==(const FinishedEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("outcome", &FinishedEvent::outcome), field("reason", &FinishedEvent::reason),
                   field("checkpoint", &FinishedEvent::checkpoint), field("exit_code", &FinishedEvent::exitCode)};
};

struct FailedEvent {
    static constexpr std::string_view kind = "failed";
    std::string error;   // word of ErrorCode
    std::string reason;  // sentence
    int64_t exitCode = 29;
    bool operator==(const FailedEvent&) const = default;
    static constexpr auto fields =
        std::tuple{field("error", &FailedEvent::error), field("reason", &FailedEvent::reason),
                   field("exit_code", &FailedEvent::exitCode)};
};

// A kind this program does not know, kept as it is.
struct UnknownEvent {
    std::string kind;
    Json payload;
    bool operator==(const UnknownEvent&) const = default;
};

using Event = std::variant<StartedEvent, ResumedEvent, PhaseEvent, MetricsEvent, DeviceEvent, SampleEvent,
                           CheckpointEvent, SuggestionEvent, AnomalyEvent, LogEvent, WarningEvent, CommandEvent,
                           PausedEvent, ContinuedEvent, FinishedEvent, FailedEvent, UnknownEvent>;

struct EventRecord {
    int64_t seq = 0;      // 1, 2, 3, … over all attempts
    int64_t attempt = 1;  // fencing token: grows whenever a writer takes the run
    std::string time;     // UTC, for display
    int64_t step = 0;     // finished updates
    Event event;
    bool operator==(const EventRecord&) const = default;
};

std::string_view kindOf(const Event& event);

// One line without its newline; ends in ,"crc":"hhhhhhhh"} over all bytes before that.
std::string encodeRecord(const EventRecord& record);
// Checks the CRC before it parses. The error says whether the line is damaged or merely not understood.
Result<EventRecord> decodeRecord(std::string_view line);

}  // namespace unmask
