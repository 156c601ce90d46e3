// SPDX-License-Identifier: Apache-2.0
#include "ui/client/bridge_lines.h"

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

std::string textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int64_t integerOf(const Json& object, const char* key, int64_t fallback = 0) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : fallback;
}

RunStatus statusOf(const Json& object) {
    RunStatus status;
    status.word = runWordFromName(textOf(object, "word"));
    status.evidence = textOf(object, "evidence");
    status.phase = textOf(object, "phase");
    status.attempt = integerOf(object, "attempt");
    status.step = integerOf(object, "step");
    status.totalSteps = integerOf(object, "total_steps");
    status.seq = integerOf(object, "seq");
    status.durableSeq = integerOf(object, "durable_seq");
    return status;
}

BridgeHello helloOf(const Json& object) {
    BridgeHello hello;
    hello.protocol = static_cast<int>(integerOf(object, "protocol"));
    hello.codeVersion = fromUtf8(textOf(object, "code_version"));
    hello.runId = fromUtf8(textOf(object, "id"));
    hello.status = statusOf(object);
    return hello;
}

}  // namespace

Result<BridgeLine> decodeBridgeLine(std::string_view line) {
    auto parsed = parseJson(line);
    if (!parsed)
        return parsed.error();
    const Json& object = parsed.value();
    const std::string kind = object.is_object() ? textOf(object, "bridge") : std::string();
    if (kind == "hello")
        return BridgeLine{helloOf(object)};
    if (kind == "state")
        return BridgeLine{statusOf(object)};
    if (kind == "answer") {
        const auto accepted = object.find("accepted");
        return BridgeLine{BridgeAnswer{fromUtf8(textOf(object, "id")),
                                       accepted != object.end() && accepted->is_boolean() && accepted->get<bool>(),
                                       fromUtf8(textOf(object, "detail"))}};
    }
    return Error(ErrorCode::badInput, "[client] the bridge said something this studio does not know: " + kind);
}

}  // namespace unmask::ui
