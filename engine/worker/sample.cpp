// SPDX-License-Identifier: Apache-2.0
// `sample`: text from a run's checkpoint, on standard output; --json has it to the letter and adds what is needed to
// get the same text again.
#include <iostream>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/train/run_sampler.h"
#include "engine/worker/open_model.h"
#include "engine/worker/subcommands.h"

namespace unmask::worker {

namespace {

struct SampleOptions {
    std::string run, checkpoint;
    std::optional<std::string> prompt;
    std::optional<int64_t> length, steps, block;
    std::optional<double> temperature;
    std::optional<uint64_t> seed;
    bool json = false;
};

ErrorCode writeSample(const SampleOptions& options) {
    OpenModel open = openModel(options.run, options.checkpoint, 1);
    RunSpec& spec = open.model.spec;
    const auto take = [](auto& setting, const auto& given) {
        if (given)
            setting = *given;
    };
    take(spec.sampling.prompt, options.prompt);
    take(spec.sampling.length, options.length);
    take(spec.sampling.denoisingSteps, options.steps);
    take(spec.sampling.blockSize, options.block);
    take(spec.sampling.temperature, options.temperature);
    take(spec.training.seed, options.seed);

    const auto start = SteadyClock::now();
    const SampleRequest request = sampleRequest(spec, *open.model.tokenizer, static_cast<uint64_t>(open.step));
    const SampleResult result = open.model.sampler->sample(request);
    const std::string text = writtenText(result, request.prompt.size(), *open.model.tokenizer);
    if (!options.json) {
        std::cout << harmless(spec.sampling.prompt + text) << std::endl;
        return ErrorCode::finished;
    }
    const Json answer{{"run", open.description.id},
                      {"checkpoint", open.checkpoint},
                      {"prompt", spec.sampling.prompt},
                      {"text", text},
                      {"length", request.length},
                      {"steps", request.steps},
                      {"block", request.blockSize},
                      {"temperature", numberToJson(request.temperature)},
                      {"seed", request.seed},
                      {"forwards", result.forwards},
                      {"seconds", numberToJson(secondsSince(start))},
                      {"tokens", result.tokens},
                      {"trace", result.trace}};
    std::cout << dumpLine(answer) << std::endl;
    return ErrorCode::finished;
}

}  // namespace

void addSample(CLI::App& app, Action& action) {
    const auto options = std::make_shared<SampleOptions>();
    CLI::App* command = app.add_subcommand("sample", "Let the model of a run write text");
    command->add_option("--run", options->run, "Run folder or id")->required();
    command->add_option("--checkpoint", options->checkpoint, "step-N; the newest good one when not given");
    command->add_option("--prompt", options->prompt, "Text to begin with");
    command->add_option("--length", options->length, "Tokens after the prompt");
    command->add_option("--steps", options->steps, "Forward passes for the whole text");
    command->add_option("--block", options->block, "Tokens written at a time, from left to right");
    command->add_option("--temperature", options->temperature, "0: always the likeliest token");
    command->add_option("--seed", options->seed, "Of the draws at a temperature above 0");
    command->add_flag("--json", options->json, "One JSON object instead of text");
    command->callback([options, &action] { action = [options] { return writeSample(*options); }; });
}

}  // namespace unmask::worker
