// SPDX-License-Identifier: Apache-2.0
// Evaluation and samples come before a save at the same step: a run that dies right after the save and is resumed from
// it then misses no point of its curves. A resume never repeats what is due at its first step.
#include "engine/train/train_loop.h"

#include "engine/base/text.h"
#include "engine/optimizer/learning_rate.h"
#include "engine/train/live_settings.h"
#include "engine/train/whole_state.h"

namespace unmask {

TrainLoop::TrainLoop(AssembledRun& run, const RunFolder& folder, const LoopServices& services)
    : m_run(run),
      m_services(services),
      m_trainStep(makeTrainStep({*run.objective, *run.model, *run.runner, *run.optimizer, run.replicas.get(),
                                 run.sharers.get(), run.stages.get()})),
      m_sampler(run, folder, services.recorder),
      m_saveEvery(run.spec.checkpoint.interval, run.data.stepsPerEpoch, services.clock),
      m_evaluateEvery(run.spec.validation.interval, run.data.stepsPerEpoch, services.clock),
      m_sampleEvery(run.spec.sampling.interval, run.data.stepsPerEpoch, services.clock) {
    m_services.control.onSetting(
        [this](const Command& command, std::string& detail) { return changeSetting(command, detail); });
}

LoopEnd TrainLoop::run() {
    begin();
    while (m_step < m_run.spec.training.steps) {
        const StepDecision decision = decide();
        if (decision.evaluate)
            evaluate();
        if (decision.sample)
            sample(m_wishes.samples);
        if (decision.stop)
            return finish(decision);
        if (decision.save)
            save(m_wishes.checkpoints);
        if (decision.paused)
            continue;

        takeStep();
    }
    m_wishes = {};
    return finish({});
}

StepDecision TrainLoop::decide() {
    if (!m_run.team)
        return ownDecision();
    if (leads()) {
        const StepDecision decision = ownDecision();
        m_run.team->agree(toText(decision));
        return decision;
    }
    const StepDecision decision = stepDecisionFrom(m_run.team->agree({}));  // a pause waits here
    follow(decision);
    return decision;
}

StepDecision TrainLoop::ownDecision() {
    if (m_services.control.asked())
        collect(true);
    m_wishes = m_services.control.agree(m_step);  // a pause waits here
    const bool atOnce = m_wishes.stop && !m_wishes.saveFirst;
    StepDecision decision;
    decision.evaluate = !atOnce && m_evaluateEvery.due(m_step);
    decision.sample = !atOnce && (m_sampleEvery.due(m_step) || !m_wishes.samples.empty());
    decision.save = !m_wishes.stop && (m_saveEvery.due(m_step) || !m_wishes.checkpoints.empty());
    decision.stop = m_wishes.stop;
    decision.saveFirst = m_wishes.saveFirst;
    decision.paused = m_wishes.paused;
    decision.exitCode = m_wishes.stop ? static_cast<int64_t>(m_wishes.exitCode) : 0;
    decision.reason = m_wishes.reason;
    decision.settings = std::exchange(m_changedSettings, {});
    return decision;
}

void TrainLoop::follow(const StepDecision& decision) {
    for (const auto& [path, value] : decision.settings)
        applyLiveSetting(m_run.spec, path, Json::parse(value)).orThrow();
    m_services.heartbeat.setTotalSteps(m_run.spec.training.steps);
}

void TrainLoop::restore(const LoadedCheckpoint& checkpoint) {
    requireSameData(checkpoint);
    restoreInto(m_run, checkpoint);
    m_run.model->roundMasters();
    const auto number = [&](const char* name) -> double {
        const auto found = checkpoint.counters.find(name);
        if (found == checkpoint.counters.end() || !found->is_number())
            throw Error{ErrorCode::noValidCheckpoint, "[train] " + checkpoint.folder + " lacks the counter " + name};
        return found->get<double>();
    };
    m_step = m_startStep = m_recorded = checkpoint.step;
    m_run.optimizer->setUpdates(static_cast<int64_t>(number("optimizer_updates")));
    if (checkpoint.counters.contains("loss_scale"))
        m_run.optimizer->setLossScale(number("loss_scale"));
    m_services.clock.start(number("elapsed"));
    m_services.recorder.resumeFrom(m_step, static_cast<int64_t>(number("tokens")));
}

// The cursor of a run is a place in its data: with other text it would go on in silence with other samples.
void TrainLoop::requireSameData(const LoadedCheckpoint& checkpoint) const {
    const auto differs = [&](const char* name, const std::string& now) {
        const auto found = checkpoint.counters.find(name);
        return found != checkpoint.counters.end() && *found != now;
    };
    if (differs("data_hash", m_run.data.dataHash))
        throw Error{ErrorCode::badInput,
                    "[train] the data files have changed since this run was started; bring back the old ones, or start "
                    "a new run"};
    if (differs("tokenizer_hash", m_run.data.tokenizerHash))
        throw Error{ErrorCode::badInput, "[train] the tokenizer has changed since this run was started"};
}

void TrainLoop::begin() {
    if (m_startStep == 0)
        m_services.clock.start(0);
    m_loader =
        std::make_unique<BatchLoader>(*m_run.data.training, LoaderOptions{.firstStep = m_step,
                                                                          .microRows = m_run.spec.effectiveMicroBatch(),
                                                                          .paddingId = m_run.tokenizer->padding(),
                                                                          .share = rowShare(m_run.team)});
    for (Due* each : {&m_saveEvery, &m_evaluateEvery, &m_sampleEvery})
        each->startAt(m_step);
    m_services.heartbeat.setTotalSteps(m_run.spec.training.steps);
    m_services.heartbeat.enter("first step");
}

void TrainLoop::takeStep() {
    const LoadedBatch batch = m_loader->next();
    const OptimizerConfig& config = m_run.spec.optimizer;
    m_trainStep->queue(batch, config, learningRate(config, m_run.spec.training.steps, m_step));
    ++m_step;
    collect(false);
}

void TrainLoop::collect(bool all) {
    for (const StepResult& result : m_trainStep->finished(all)) {
        heldBack(result);
        m_services.recorder.endStep(++m_recorded, result.figures);
        if (m_recorded == m_startStep + 1)
            m_services.heartbeat.enter("training");
    }
}

void TrainLoop::heldBack(const StepResult& result) {
    const std::string update = "update " + std::to_string(m_recorded + 1);
    for (const HeldBack& failure : result.failures) {
        const bool second = ++m_failures > 1;
        m_services.recorder.append(AnomalyEvent{
            failure.what, update + ": loss " + formatNumber(failure.loss) + ", gradient norm " +
                              formatNumber(failure.gradNorm) + "; " +
                              (second ? "the second try failed too" : "the update was held back and is tried again")});
        if (!second)
            continue;
        m_services.checkpoints.wait();
        const std::string kept = m_services.checkpoints.lastSavedFolder();
        throw Error{ErrorCode::nonFinite,
                    "[train] " + update + " has a " +
                        (result.failures.front().what == "non_finite_loss" ? "loss" : "gradient") +
                        " that is not a finite number, twice; the weights were left alone" +
                        (kept.empty() ? "" : " and " + kept + " is kept") + ". Resume with a lower learning_rate"};
    }
    if (result.applied)
        m_failures = 0;
}

void TrainLoop::evaluate() {
    if (!m_run.validationBound || m_evaluatedAt == m_step)
        return;
    const PhaseScope phase(m_services.heartbeat, "validating");
    collect(true);
    m_services.recorder.validation(m_step, m_run.validationBound->run(*m_run.runner).nats);
    m_evaluatedAt = m_step;
}

void TrainLoop::sample(const std::vector<Command>& commands) {
    const PhaseScope phase(m_services.heartbeat, "sampling");
    collect(true);
    if (leads())
        m_sampler.run(m_step);
    else if (samplesAlong())
        m_sampler.follow(m_step);
    for (const Command& command : commands)
        m_services.control.answer(command, true, "sample written at step " + std::to_string(m_step));
}

// The weights that the leader samples from are in this rank's keeping, too.
bool TrainLoop::samplesAlong() const {
    const bool sameCopy = m_run.team->mesh().place(MeshDimension::data) == 0;
    return m_run.replicas->sharesValues() || sameCopy;
}

void TrainLoop::save(const std::vector<Command>& commands) {
    const PhaseScope phase(m_services.heartbeat, "saving");
    collect(true);
    TrainingStateView state = stateOf(m_run);
    state.counters = {{"step", m_step},
                      {"tokens", m_services.recorder.tokens()},
                      {"elapsed", m_services.clock.elapsed()},
                      {"optimizer_updates", m_run.optimizer->updates()},
                      {"loss_scale", m_run.optimizer->lossScale()},
                      {"batches", m_step},
                      {"seed", m_run.spec.training.seed},
                      {"data_hash", m_run.data.dataHash},
                      {"tokenizer_hash", m_run.data.tokenizerHash}};
    if (!leads())
        return;
    m_services.checkpoints.save(m_step, state);
    if (commands.empty())
        return;
    m_services.checkpoints.wait();
    const auto failure = m_services.checkpoints.lastFailure();
    for (const Command& command : commands)
        m_services.control.answer(
            command, !failure, failure ? plainMessage(*failure) : "saved " + m_services.checkpoints.lastSavedFolder());
}

LoopEnd TrainLoop::finish(const StepDecision& decision) {
    collect(true);
    if (!decision.stop && m_step > m_startStep) {
        evaluate();
        if (m_run.spec.sampling.interval.unit != Interval::Unit::never)
            sample({});
    }
    m_services.heartbeat.enter("stopping");
    const std::string at = "step " + std::to_string(m_step);
    for (const Command& command : m_wishes.stops)
        m_services.control.answer(command, true, "stopping at " + at);
    if (decision.saveFirst && m_step > 0)
        save({});
    m_services.checkpoints.wait();
    if (decision.saveFirst)
        requireSaved();
    m_services.control.refuseRest("the run has ended");
    if (m_run.team)
        m_run.team->gatherHere();  // who ends first would look like one that was lost
    if (!decision.stop)
        return {ErrorCode::finished,
                "all " + std::to_string(m_step) + (m_step == 1 ? " update done" : " updates done")};
    return {static_cast<ErrorCode>(decision.exitCode),
            decision.reason + " at " + at + (decision.saveFirst ? "" : ", without a checkpoint")};
}

void TrainLoop::requireSaved() const {
    if (const auto failure = m_services.checkpoints.lastFailure())
        throw Error{failure->code(), "[train] the last checkpoint could not be written: " + plainMessage(*failure)};
}

Outcome TrainLoop::changeSetting(const Command& command, std::string& detail) {
    const auto changed = applyLiveSetting(m_run.spec, command.setting, command.value);
    if (!changed.ok())
        return changed.error();
    m_changedSettings.emplace_back(command.setting, command.value.dump());
    detail = changed.value().empty() ? command.setting + " has this value already" : changed.value();
    m_services.checkpoints.setConfig(m_run.spec.checkpoint);
    m_services.heartbeat.setTotalSteps(m_run.spec.training.steps);
    return Nothing{};
}

}  // namespace unmask
