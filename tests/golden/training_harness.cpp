// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/training_harness.h"

#include <limits>

#include "engine/train/whole_state.h"

namespace unmask::test {

// Tells the test of each global batch before it is computed, and otherwise is the real objective.
class Training::WatchedObjective final : public Objective {
 public:
    WatchedObjective(std::unique_ptr<Objective> real, Training& training, BeforeStep beforeStep)
        : m_real(std::move(real)), m_training(training), m_beforeStep(std::move(beforeStep)) {}

    void beginStep(const GlobalBatch& batch) override {
        m_real->beginStep(batch);
        if (m_beforeStep && batch.step != m_last)
            m_beforeStep(batch.step, m_training);
        m_last = batch.step;
    }
    NoisyBatch corrupt(const MicroBatch& batch) const override {
        NoisyBatch noisy = m_real->corrupt(batch);
        if (std::exchange(m_training.m_breakNext, false))
            for (double& weight : noisy.weights)
                weight = std::numeric_limits<double>::quiet_NaN();
        return noisy;
    }
    const BatchFigures& figures() const override { return m_real->figures(); }

 private:
    std::unique_ptr<Objective> m_real;
    Training& m_training;
    BeforeStep m_beforeStep;
    int64_t m_last = -1;
};

RunSpec tinySpec() {
    RunSpec spec;
    spec.model.layers = 2;
    spec.model.width = 32;
    spec.model.heads = 2;
    spec.model.feedForwardWidth = 64;
    spec.model.sequenceLength = 32;
    spec.training.steps = 12;
    spec.training.batchSize = 8;
    spec.training.threads = 1;
    spec.optimizer.learningRate = 3e-3;
    spec.validation.interval = Interval::steps(4);
    spec.validation.samples = 16;
    spec.checkpoint.interval = Interval::steps(5);
    return spec;
}

std::filesystem::path writeTinyData(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "documents.jsonl";
    std::string text;
    uint32_t state = 12345;
    for (int document = 0; document < 300; ++document) {
        text += "{\"text\":\"";
        const int words = 1 + document % 13;
        for (int word = 0; word < words; ++word) {
            state = state * 1664525u + 1013904223u;
            text += std::string(word == 0 ? "" : " ") + (state >> 30 == 0 ? "the tide"
                                                         : state >> 31    ? "stone"
                                                                          : "a river");
        }
        text += "\"}\n";
    }
    writeBytes(file, text);
    return file;
}

Training::Training(const RunSpec& given, const RunFolder& folder, const std::filesystem::path& dataFolder,
                   BeforeStep beforeStep, bool resume)
    : m_folder(folder),
      m_journal(EventWriter::open(folder, summariseJournal(folder).lastAttempt + 1)),
      m_store(folder, given.checkpoint, "tiny"),
      m_recorder(m_journal, m_clock) {
    RunSpec spec = given;
    spec.data.files = {(dataFolder / "documents.jsonl").string()};
    const auto loaded = resume ? m_store.loadNewest() : std::nullopt;
    if (resume)
        m_journal.append(loaded->step, ResumedEvent{.fromStep = loaded->step, .lastSeq = m_journal.lastSeq()});
    else
        m_journal.append(0, StartedEvent{.runId = "tiny"});
    m_store.begin(m_journal);
    m_heartbeat = std::make_unique<Heartbeat>(folder, m_journal, m_recorder.step(), [] {});
    m_control = std::make_unique<Control>(m_journal, m_clock, readAnswers(folder));
    prepareDevice(spec);
    m_objects = assembleRun(spec, importData(spec, {}, {.storesFolder = dataFolder / "stores"}));
    m_objects->objective =
        std::make_unique<WatchedObjective>(std::move(m_objects->objective), *this, std::move(beforeStep));
    m_loop = std::make_unique<TrainLoop>(
        *m_objects, folder, LoopServices{m_journal, m_clock, m_recorder, *m_control, *m_heartbeat, m_store});
    if (loaded)
        m_loop->restore(*loaded);
    else
        m_objects->model->initialise(static_cast<uint64_t>(spec.training.seed));
}

Training::~Training() = default;

LoopEnd Training::run() {
    return m_loop->run();
}

std::map<std::string, std::vector<double>> Training::weights() const {
    std::map<std::string, std::vector<double>> all;
    for (const NamedTensor& each : weightsOf(*m_objects->model)) {
        const at::Tensor values = each.tensor.to(at::kDouble).contiguous();
        all[each.name].assign(values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
    }
    return all;
}

}  // namespace unmask::test
