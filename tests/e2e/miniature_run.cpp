// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/miniature_run.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/checkpoint/checkpoint_store.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/event_writer.h"
#include "engine/journal/run_lock.h"

namespace unmask::test {
namespace {

constexpr int64_t kWidth = 8;

class Miniature {
 public:
    TrainingStateView view(int64_t step) const {
        TrainingStateView state;
        state.weights = {{"w", m_weights}};
        state.optimizer = {{"m.w", m_moments}};
        state.counters = {{"step", step}};
        return state;
    }

    double update(int64_t step) {
        auto* w = m_weights.data_ptr<double>();
        auto* m = m_moments.data_ptr<double>();
        double loss = 0;
        for (int64_t i = 0; i < kWidth; ++i) {
            const double gradient = w[i] - std::sin(static_cast<double>(step * kWidth + i));
            m[i] = 0.9 * m[i] + 0.1 * gradient;
            w[i] -= 0.3 * m[i];
            loss += gradient * gradient / kWidth;
        }
        return loss;
    }

    std::vector<double> weights() const {
        const auto* w = m_weights.data_ptr<double>();
        return {w, w + kWidth};
    }

 private:
    at::Tensor m_weights = at::zeros({kWidth}, at::kDouble);
    at::Tensor m_moments = at::zeros({kWidth}, at::kDouble);
};

void syncOrGoOn(EventWriter& writer, Promises& promises) {
    try {
        writer.sync();
    } catch (const Error&) {
        ++promises.warnings;
    }
    promises.durableSeq = writer.durableSeq();
}

}  // namespace

std::vector<double> trainMiniature(const RunFolder& folder, const MiniatureOptions& options, Promises& promises) {
    const RunLock lock = RunLock::acquire(folder);
    const std::string id = readRunDescription(folder).orThrow().id;
    CheckpointStore store(folder, {Interval::steps(options.saveEvery), options.keepLast}, id);
    Miniature model;
    const auto loaded = store.loadNewest();
    if (loaded)
        restoreState(*loaded, model.view(0));
    int64_t step = loaded ? loaded->step : 0;

    EventWriter writer = EventWriter::open(folder, lock.attempt());
    if (writer.lastSeq() == 0)
        promises.appendedSeq = writer.append(0, StartedEvent{.runId = id});
    else
        promises.appendedSeq =
            writer.append(step, ResumedEvent{step, writer.lastSeq(), loaded ? loaded->folder : "", "", "", {}});
    store.begin(writer);
    while (step < options.steps) {
        MetricsEvent metrics;
        metrics.values["train/loss"] = model.update(++step);
        promises.appendedSeq = writer.append(step, metrics);
        if (step % 3 == 0)
            syncOrGoOn(writer, promises);
        if (step % options.saveEvery == 0) {
            store.save(step, model.view(step));
            store.wait();
            if (store.lastFailure())
                ++promises.warnings;
            promises.durableSeq = writer.durableSeq();
            promises.savedStep = std::max<int64_t>(promises.savedStep, store.lastSavedStep());
        }
    }
    promises.appendedSeq = writer.append(step, FinishedEvent{"finished", "all steps done", store.lastSavedFolder(), 0});
    writer.sync();
    promises.durableSeq = writer.durableSeq();
    if (store.lastFailure())
        throw *store.lastFailure();
    return model.weights();
}

std::map<int64_t, double> shownCurve(const RunFolder& folder, BrokenLines broken) {
    EventReader reader(folder);
    std::map<int64_t, double> curve;
    std::set<int64_t> numbers;
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records) {
            EXPECT_TRUE(numbers.insert(record.seq).second) << "record " << record.seq << " came twice";
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                curve.erase(curve.upper_bound(resumed->fromStep), curve.end());
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (!metrics || !metrics->values.contains("train/loss"))
                continue;
            EXPECT_TRUE(curve.emplace(record.step, metrics->values.at("train/loss")).second)
                << "two points for step " << record.step;
        }
    for (const JournalDamage& damage : reader.damages())
        if (broken == BrokenLines::refused || damage.reason.find("missing") != std::string::npos)
            ADD_FAILURE() << damage.file << " line " << damage.line << ": " << damage.reason;
    EXPECT_EQ(numbers.size(), numbers.empty() ? 0u : static_cast<size_t>(*numbers.rbegin())) << "numbers are missing";
    return curve;
}

}  // namespace unmask::test
