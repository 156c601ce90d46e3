// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz_targets.h"

#include <fcntl.h>
#include <stdlib.h>  // NOLINT: mkdtemp
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "engine/base/crc32c.h"
#include "engine/base/durable_file.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/checkpoint/manifest.h"
#include "engine/data/json_record.h"
#include "engine/interop/safetensors.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"
#include "engine/protocol/commands.h"
#include "engine/protocol/spec_json.h"

namespace unmask::fuzz {
namespace {

void promise(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

// One journal line. A mutated line never has its checksum right, so it is also tried with the right one.
void runRecord(std::string_view bytes) {
    const std::string sealed = std::string(bytes) + ",\"crc\":\"" + crc32cHex(bytes) + "\"}";
    for (const std::string_view line : {bytes, std::string_view(sealed)}) {
        (void)readLineHead(line);
        const auto record = decodeRecord(line);
        if (!record)
            continue;
        const std::string again = encodeRecord(record.value());
        const auto back = decodeRecord(again);
        promise(back.ok(), "a record that was accepted is refused when written anew");
        promise(encodeRecord(back.value()) == again, "a record changes when it is written and read");
    }
}

std::vector<std::string> recordSeeds() {
    std::vector<std::string> seeds;
    const auto add = [&](Event event) {
        std::string line = encodeRecord({7, 2, "2026-12-01T10:00:00.000000000Z", 3, std::move(event)});
        line.resize(line.size() - 18);
        seeds.push_back(std::move(line));
    };
    add(MetricsEvent{5, 1.5, {{"train/loss", 2.5}, {"train/grad_norm", 1e300 * 1e300}}});
    add(ResumedEvent{10, 6, "step-10", "host", "CPU", {"training.steps: 1 → 2"}});
    add(CheckpointEvent{"saved", "step-3", std::string(64, 'a'), "", 1000});
    add(FailedEvent{"disk", "full", 24});
    add(UnknownEvent{"later", Json{{"deep", {1, {2, {3}}}}}});
    return seeds;
}

// One folder a process, gone at its end.
const RunFolder& scratchRun() {
    static const struct Scratch {
        Scratch() {
            const std::filesystem::path memory = "/dev/shm";  // where there is one: files are written by the thousand
            const auto place = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
            std::string name = (place / "unmask-fuzz-XXXXXX").string();
            promise(::mkdtemp(name.data()) != nullptr, "mkdtemp");
            run.path = name;
        }
        ~Scratch() {
            std::error_code ignored;
            std::filesystem::remove_all(run.path, ignored);
        }
        RunFolder run;
    } scratch;
    return scratch.run;
}

// A whole journal file, in chunks of the least size so that every boundary is met.
void runJournal(std::string_view bytes) {
    const RunFolder& run = scratchRun();
    replaceFile(run.eventsFile(), bytes, Durability::news);
    EventReader reader(run);
    int64_t read = 0;
    for (auto lines = reader.readLines(1, 1); !lines.empty(); lines = reader.readLines(1, 1))
        for (const auto& line : lines) {
            promise(line.seq >= 1, "a seq below 1");
            read += static_cast<int64_t>(line.bytes.size()) + 1;
        }
    promise(read <= static_cast<int64_t>(bytes.size()) + 1, "more was read than is there");
    promise(reader.goodEnd() <= static_cast<int64_t>(bytes.size()), "the good end lies behind the file");
    (void)summariseJournal(run);
}

std::vector<std::string> journalSeeds() {
    std::string bytes;
    for (int64_t seq = 1; seq <= 4; ++seq)
        bytes += encodeRecord({seq, 1, "", seq, MetricsEvent{seq, 1, {{"a", 1.0 / static_cast<double>(seq)}}}}) + "\n";
    return {bytes, bytes + "{\"seq\":5", "", "\n\n" + bytes};
}

void runManifest(std::string_view bytes) {
    const std::string sealed = std::string(bytes) + ",\"sha256\":\"" + sha256Hex(bytes) + "\"}\n";
    for (const std::string_view text : {bytes, std::string_view(sealed)}) {
        auto manifest = decodeManifest(text);
        if (!manifest)
            continue;
        for (const ManifestFile& file : manifest.value().files)
            promise(file.name.find('/') == std::string::npos && file.name != ".." && file.name != ".",
                    "a file name leads out of the folder");
        const std::string again = encodeManifest(manifest.value());
        const auto back = decodeManifest(again);
        promise(back.ok() && back.value() == manifest.value(), "a manifest changes when it is written and read");
    }
}

std::vector<std::string> manifestSeeds() {
    Manifest manifest;
    manifest.runId = "r";
    manifest.step = 12;
    manifest.files = {{"weights.safetensors", 5, std::string(64, 'a'), {{"t", "F32", {1, 2}, std::string(64, 'b')}}}};
    manifest.counters = {{"x", 0.1}, {"list", {1, 2}}};
    const std::string whole = encodeManifest(manifest);
    return {whole.substr(0, whole.find(",\"sha256\":\"" + manifest.hash))};
}

void runSafetensors(std::string_view bytes) {
    const auto header = parseSafetensorsHeader(bytes, bytes.size());
    if (!header)
        return;
    uint64_t total = 0;
    for (const TensorInfo& tensor : header.value().tensors)
        total += tensor.bytes();
    promise(header.value().dataStart + total == bytes.size(), "tensors do not fill the file exactly");
}

std::vector<std::string> safetensorsSeeds() {
    const auto file = [](const std::string& header, size_t data) {
        std::string bytes;
        for (int i = 0; i < 8; ++i)
            bytes += static_cast<char>(header.size() >> (8 * i));
        return bytes + header + std::string(data, 'x');
    };
    return {
        file("{}", 0),
        file(
            R"({"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}})",
            9),
        file(R"({"__metadata__":{"k":"v"},"e":{"dtype":"F4","shape":[0],"data_offsets":[0,0]}})", 0)};
}

void runSpec(std::string_view bytes) {
    const auto json = parseJson(bytes);
    if (!json)
        return;
    const auto spec = specFromJson(json.value());
    if (!spec)
        return;
    (void)checkSpec(spec.value());
    const auto back = specFromJson(specToJson(spec.value()));
    promise(back.ok() && back.value() == spec.value(), "a run file changes when it is written and read");
}

std::vector<std::string> specSeeds() {
    return {specToJson(RunSpec{}).dump(), "{}",
            R"({"training":{"steps":5},"checkpoint":{"checkpoint_interval":"10min"}})",
            R"({"spec":{"model":{"width":64,"norm":"layer_norm"}}})"};
}

void runCommand(std::string_view bytes) {
    const auto command = decodeCommand(bytes);
    if (!command)
        return;
    const auto back = decodeCommand(encodeCommand(command.value()));
    promise(back.ok() && back.value() == command.value(), "a command changes when it is written and read");
}

std::vector<std::string> commandSeeds() {
    std::vector<std::string> seeds;
    for (const CommandKind kind : {CommandKind::pause, CommandKind::stop, CommandKind::sample})
        seeds.push_back(encodeCommand({"id-1", kind, false, "", {}}));
    seeds.push_back(encodeCommand({"id-2", CommandKind::set, true, "training.steps", 900}));
    return seeds;
}

// The small files beside the journal: any of them may have been torn by a power cut, and all are read each second.
void runRunFiles(std::string_view bytes) {
    const RunFolder& run = scratchRun();
    for (const auto& file : {run.stateFile(), run.exitFile(), run.lockFile()})
        replaceFile(file, bytes, Durability::news);
    (void)readRunState(run);
    (void)readLockHolder(run);
    (void)readExitRecord(run);
}

std::vector<std::string> runFilesSeeds() {
    const RunFolder& run = scratchRun();
    writeRunState(run, {.attempt = 2, .phase = "training", .step = 7, .seq = 9, .process = ownIdentity()});
    writeExitRecord(run, {2, "failed", "the disk is full", 24, 7, ""});
    return {readWholeFile(run.stateFile(), 1 << 20), readWholeFile(run.exitFile(), 1 << 20),
            R"({"host":"h","pid":1,"start_time":2,"boot_id":"b","attempt":3,"released":false})"};
}

// One line of somebody's JSON lines: the importer's own parser and the strict one agree on what is JSON.
void runDocument(std::string_view bytes) {
    std::string text;
    const auto fault = JsonRecordParser("").parse(bytes, text);
    if (fault) {
        promise(fault->offset >= 0 && fault->offset <= static_cast<int64_t>(bytes.size()), "a fault outside the line");
        return;
    }
    promise(!firstInvalidUtf8(text), "a document that is not valid UTF-8");
    promise(parseJson(bytes, kDataJsonDepth).ok(), "a document from a line that is not JSON");
}

std::vector<std::string> documentSeeds() {
    return {R"({"text":"é 世 \u00e9 \ud83d\ude00","tags":["a",{"b":null}],"score":-1.5e3})",
            R"({"instruction":"say \"hi\"","input":"","output":"hi\\"})", R"({"content":"x","deep":{"x":[[],{}]}})"};
}

constexpr std::array<Target, 8> kTargets{{{"record", runRecord, recordSeeds},
                                          {"journal", runJournal, journalSeeds},
                                          {"manifest", runManifest, manifestSeeds},
                                          {"safetensors", runSafetensors, safetensorsSeeds},
                                          {"run_file", runSpec, specSeeds},
                                          {"command", runCommand, commandSeeds},
                                          {"run_files", runRunFiles, runFilesSeeds},
                                          {"document", runDocument, documentSeeds}}};

}  // namespace

std::span<const Target> targets() {
    return kTargets;
}

const Target* findTarget(std::string_view name) {
    for (const Target& target : kTargets)
        if (target.name == name)
            return &target;
    return nullptr;
}

}  // namespace unmask::fuzz
