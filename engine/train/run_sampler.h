// SPDX-License-Identifier: Apache-2.0
// Lets the model of a run write some text: a sample event, and a file below samples/.
#pragma once

#include "engine/journal/run_folder.h"
#include "engine/metrics/recorder.h"
#include "engine/train/assemble_run.h"

namespace unmask {

// The request that a run's sampling settings describe; `request` tells the samples of one run apart.
SampleRequest sampleRequest(const RunSpec& spec, const Tokenizer& tokenizer, uint64_t request);
// What was written after the prompt, up to the end of the text, as valid UTF-8.
std::string writtenText(const SampleResult& result, size_t promptTokens, const Tokenizer& tokenizer);

class RunSampler {
 public:
    RunSampler(const AssembledModel& run, RunFolder folder, Recorder& recorder)
        : m_run(run), m_folder(std::move(folder)), m_recorder(recorder) {}
    void run(int64_t step);
    void follow(int64_t step) const;  // computes the same beside the rank that runs, and keeps nothing

 private:
    const AssembledModel& m_run;
    RunFolder m_folder;
    Recorder& m_recorder;
};

}  // namespace unmask
