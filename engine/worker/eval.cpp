// SPDX-License-Identifier: Apache-2.0
// `eval`: the likelihood bound of a run's validation split, or of a text.
#include <cmath>
#include <iostream>

#include "engine/base/clock.h"
#include "engine/base/durable_file.h"
#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/eval/chain_losses.h"
#include "engine/worker/open_model.h"
#include "engine/worker/subcommands.h"

namespace unmask::worker {

namespace {

struct EvalOptions {
    std::string run, checkpoint, file;
    std::optional<std::string> text;
    int64_t draws = 0;
    uint64_t seed = 42;
    bool json = false;
};

constexpr int64_t kRows = 32;
constexpr int64_t kTextDraws = 16;

struct Measured {
    double nats = 0;  // in all
    int64_t tokens = 0;
    int64_t bytes = 0;  // of raw text; 0 when unknown
    int64_t draws = 0;
};

Measured measureSplit(OpenModel& open, const EvalOptions& options) {
    RunSpec& spec = open.model.spec;
    if (options.draws > 0)
        spec.validation.draws = options.draws;
    const AssembledData data = assembleData(spec, importData(spec));
    const auto bound = assembleValidation(spec, data, *open.model.tokenizer);
    if (!bound)
        throw Error{ErrorCode::badInput, "[eval] this run holds nothing back for validation; give --file or --text"};
    const BoundEstimate estimate = bound->run(*open.model.runner);
    const int64_t tokens = estimate.tokens / spec.validation.draws;
    return {estimate.nats * static_cast<double>(tokens), tokens, 0, spec.validation.draws};
}

// Pieces of the model's length, each with the end-of-document token where the text ends, as in training.
Measured measureText(OpenModel& open, const EvalOptions& options) {
    const std::string text = options.text ? *options.text : readWholeFile(options.file);
    if (text.empty())
        throw Error{ErrorCode::badInput, "[eval] the text is empty"};
    if (const auto bad = firstInvalidUtf8(text))
        throw Error{ErrorCode::badInput, "[eval] the text is not UTF-8: byte " + std::to_string(*bad)};
    auto ids = open.model.tokenizer->encode(text);
    ids.push_back(open.model.tokenizer->endOfDocument());
    Measured measured{.tokens = static_cast<int64_t>(ids.size()), .bytes = static_cast<int64_t>(text.size())};
    measured.draws = options.draws > 0 ? options.draws : kTextDraws;
    const auto length = static_cast<size_t>(open.model.spec.model.sequenceLength);
    const RowLosses losses = lossesOf(*open.model.runner);
    for (size_t begin = 0; begin < ids.size(); begin += length)
        measured.nats += textBound(losses, std::span(ids).subspan(begin, std::min(length, ids.size() - begin)),
                                   {.draws = measured.draws,
                                    .seed = options.seed,
                                    .text = begin / length,
                                    .maskToken = open.model.tokenizer->mask()});
    return measured;
}

ErrorCode evaluate(const EvalOptions& options) {
    OpenModel open = openModel(options.run, options.checkpoint, kRows);
    const auto start = SteadyClock::now();
    const bool split = !options.text && options.file.empty();
    const Measured measured = split ? measureSplit(open, options) : measureText(open, options);
    const double nats = measured.nats / static_cast<double>(measured.tokens);
    Json answer{{"run", open.description.id},
                {"checkpoint", open.checkpoint},
                {"of", split          ? "validation split"
                       : options.text ? "text"
                                      : options.file},
                {"nats_per_token", numberToJson(nats)},
                {"perplexity", numberToJson(std::exp(nats))},
                {"tokens", measured.tokens},
                {"draws", measured.draws},
                {"is_bound", true},
                {"seconds", numberToJson(secondsSince(start))}};
    if (measured.bytes > 0)
        answer["bits_per_byte"] = numberToJson(measured.nats / std::log(2.0) / static_cast<double>(measured.bytes));
    if (options.json)
        std::cout << dumpLine(answer) << std::endl;
    else
        std::cout << open.checkpoint << ": at most " << formatNumber(std::round(nats * 1e4) / 1e4)
                  << " nats a token over " << measured.tokens << " tokens, " << measured.draws << " draws each"
                  << std::endl;
    return ErrorCode::finished;
}

}  // namespace

void addEval(CLI::App& app, Action& action) {
    const auto options = std::make_shared<EvalOptions>();
    CLI::App* command = app.add_subcommand("eval", "Likelihood bound of the validation split or of a text");
    command->add_option("--run", options->run, "Run folder or id")->required();
    command->add_option("--checkpoint", options->checkpoint, "step-N; the newest good one when not given");
    auto* file = command->add_option("--file", options->file, "UTF-8 text to measure");
    command->add_option("--text", options->text, "Text to measure")->excludes(file);
    command->add_option("--draws", options->draws, "Masks drawn a sample")->check(CLI::Range(1, 1 << 15));
    command->add_option("--seed", options->seed, "Of the masks of a text");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &action] { action = [options] { return evaluate(*options); }; });
}

}  // namespace unmask::worker
