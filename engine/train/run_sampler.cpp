// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_sampler.h"

#include <algorithm>

#include "engine/base/durable_file.h"
#include "engine/tokenizer/display_text.h"

namespace unmask {

SampleRequest sampleRequest(const RunSpec& spec, const Tokenizer& tokenizer, uint64_t request) {
    return {.prompt = tokenizer.encode(spec.sampling.prompt),
            .length = spec.sampling.length,
            .steps = spec.sampling.denoisingSteps,
            .blockSize = spec.sampling.blockSize,
            .temperature = spec.sampling.temperature,
            .seed = static_cast<uint64_t>(spec.training.seed),
            .request = request};
}

std::string writtenText(const SampleResult& result, size_t promptTokens, const Tokenizer& tokenizer) {
    const auto begin = result.tokens.begin() + static_cast<std::ptrdiff_t>(promptTokens);
    const auto end = std::find(begin, result.tokens.end(), tokenizer.endOfDocument());
    return displayText(tokenizer, std::span<const int32_t>(begin, end));
}

void RunSampler::follow(int64_t step) const {
    m_run.sampler->sample(sampleRequest(m_run.spec, *m_run.tokenizer, static_cast<uint64_t>(step)));
}

void RunSampler::run(int64_t step) {
    const auto start = SteadyClock::now();
    const SampleRequest request = sampleRequest(m_run.spec, *m_run.tokenizer, static_cast<uint64_t>(step));
    const SampleResult result = m_run.sampler->sample(request);
    const std::string text = writtenText(result, request.prompt.size(), *m_run.tokenizer);
    m_recorder.append(SampleEvent{m_run.spec.sampling.prompt, text, secondsSince(start)});
    try {
        replaceFile(m_folder.samples() / ("step-" + std::to_string(step) + ".txt"),
                    m_run.spec.sampling.prompt + text + "\n", Durability::news);
    } catch (const Error& error) {  // the journal has it; a full disk must not end the training here
        m_recorder.append(WarningEvent{error.what()});
    }
}

}  // namespace unmask
