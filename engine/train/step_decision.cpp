// SPDX-License-Identifier: Apache-2.0
#include "engine/train/step_decision.h"

namespace unmask {

std::string toText(const StepDecision& decision) {
    // Most steps decide nothing, and this is said at each.
    if (decision == StepDecision{})
        return {};
    return Json{{"evaluate", decision.evaluate},  {"sample", decision.sample},        {"save", decision.save},
                {"stop", decision.stop},          {"save_first", decision.saveFirst}, {"paused", decision.paused},
                {"exit_code", decision.exitCode}, {"reason", decision.reason},        {"settings", decision.settings}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

StepDecision stepDecisionFrom(const std::string& text) {
    if (text.empty())
        return {};
    try {
        const Json json = Json::parse(text);
        StepDecision decision;
        decision.evaluate = json.at("evaluate").get<bool>();
        decision.sample = json.at("sample").get<bool>();
        decision.save = json.at("save").get<bool>();
        decision.stop = json.at("stop").get<bool>();
        decision.saveFirst = json.at("save_first").get<bool>();
        decision.paused = json.at("paused").get<bool>();
        decision.exitCode = json.at("exit_code").get<int64_t>();
        decision.reason = json.at("reason").get<std::string>();
        decision.settings = json.at("settings").get<std::vector<std::pair<std::string, std::string>>>();
        return decision;
    } catch (const Json::exception& error) {
        throw Error{ErrorCode::communication, std::string("[train] rank 0 said what cannot be read: ") + error.what()};
    }
}

}  // namespace unmask
