// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/doors.h"

#include <algorithm>
#include <array>

namespace unmask::architecture {

namespace {

Rooms operator+(const Rooms& a, const Rooms& b) {
    Rooms sum = a;
    sum.insert(b.begin(), b.end());
    return sum;
}

std::map<std::string, Rooms, std::less<>> makeDoors() {
    const Rooms shelf{"engine/base", "engine/protocol", "engine/journal", "engine/planner", "engine/insight"};
    std::map<std::string, Rooms, std::less<>> table;
    table["engine/base"] = {};
    table["engine/protocol"] = {"engine/base"};
    for (const char* room : {"engine/journal", "engine/planner", "engine/insight"})
        table[room] = {"engine/protocol", "engine/base"};

    table["kernels/common"] = {};
    table["engine/tokenizer"] = table["engine/interop"] = shelf;
    table["engine/data"] = shelf + Rooms{"engine/tokenizer"};
    table["engine/ops"] = shelf + Rooms{"kernels"};
    table["engine/model"] = table["engine/optimizer"] = table["engine/metrics"] = shelf + Rooms{"engine/ops"};
    table["engine/runtime"] = shelf + Rooms{"engine/model", "engine/ops"};
    table["engine/objective"] = shelf + Rooms{"engine/model", "engine/data", "engine/ops"};
    table["engine/checkpoint"] = shelf + Rooms{"engine/interop", "engine/ops"};
    table["engine/parallel"] = shelf + Rooms{"engine/runtime", "engine/model", "engine/optimizer", "engine/ops"};
    table["engine/sample"] = table["engine/eval"] = shelf + Rooms{"engine/objective", "engine/model",   "engine/data",
                                                                  "engine/tokenizer", "engine/runtime", "engine/ops"};
    const Rooms above{"engine/tokenizer",  "engine/interop",   "engine/data",    "engine/ops",       "engine/model",
                      "engine/metrics",    "engine/optimizer", "engine/runtime", "engine/objective", "engine/sample",
                      "engine/checkpoint", "engine/parallel",  "engine/eval"};
    table["engine/train"] = shelf + above;
    table["engine/plugin"] = shelf + Rooms{"engine/objective", "engine/optimizer", "engine/parallel", "engine/model"};
    table["engine/launch"] = shelf;
    table["engine/cli"] = shelf + Rooms{"engine/launch", "engine/data", "engine/tokenizer"};
    table["engine/worker"] = shelf + above + Rooms{"engine/train", "engine/plugin"};

    table["ui/settings"] = {"engine/base"};  // where settings lie
    table["ui/style"] = {};
    table["ui/client"] = table["ui/store"] = shelf + Rooms{"ui/settings"};
    table["ui/remote"] = shelf + Rooms{"ui/settings", "ui/client"};
    table["ui/models"] = shelf + Rooms{"ui/client", "ui/store", "ui/settings"};  // numbers as people write them
    table["ui/widgets"] = {"ui/style", "ui/settings"};
    table["ui/charts"] = table["ui/forms"] = shelf + Rooms{"ui/widgets", "ui/style", "ui/settings"};
    table["ui/pages"] = shelf + Rooms{"ui/models", "ui/charts", "ui/forms", "ui/widgets",
                                      "ui/client", "ui/remote", "ui/style", "ui/settings"};
    table["ui/main_window"] = table["ui/pages"] + Rooms{"ui/pages"};
    table["app"] = table["ui/main_window"] + Rooms{"ui/main_window", "ui/store"};
    return table;
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return name.starts_with(b); });
}

bool isTorch(std::string_view include) {
    return isOneOf(include, {"ATen/", "torch/", "c10/", "caffe2/"});
}
bool isDistributed(std::string_view include) {
    return include.find("c10d") != std::string_view::npos || isOneOf(include, {"nccl", "gloo/"});
}
bool isQt(std::string_view include) {
    return include.size() > 1 && include[0] == 'Q' && (include[1] >= 'A' && include[1] <= 'Z') &&
           !include.ends_with(".h");
}
bool isProject(std::string_view include) {
    return isOneOf(include, {"engine/", "ui/", "app/", "kernels/", "tests/"});
}

std::string foreignHeader(std::string_view room, std::string_view include) {
    const bool engine = isUnder(room, "engine");
    if (include == "torch/torch.h")
        return "torch/torch.h costs 20 seconds a file; take single ATen headers";
    if (isTorch(include) && !mayUseTorch(room))
        return "LibTorch is not for this room";
    if (isDistributed(include) && room != "engine/parallel")
        return "NCCL, Gloo and c10d are for engine/parallel only";
    if (isQt(include) && (engine || isUnder(room, "kernels")))
        return "there is no Qt in the engine";
    if (include == "regex")
        return "std::regex overflows its stack on long text";
    return {};
}

std::string closedDoor(std::string_view room, std::string_view include) {
    const std::string target = roomOf(include);
    if (target == room || (isUnder(room, "kernels") && target == "kernels/common"))
        return {};
    const auto entry = doors().find(room);
    if (entry == doors().end())
        return isUnder(room, "kernels") ? "a kernel includes kernels/common and its own folder only"
                                        : "this room is not in the table of doors";
    const bool open =
        entry->second.contains(target) || (isUnder(target, "kernels") && entry->second.contains("kernels"));
    return open ? "" : std::string(room) + " has no door to " + (target.empty() ? "this" : target);
}

std::string roomOfTarget(const std::string& target) {
    for (std::string_view house : {"engine", "ui"})
        if (target.starts_with(std::string(house) + "_"))
            return std::string(house) + "/" + target.substr(house.size() + 1);
    return {};
}

}  // namespace

const std::map<std::string, Rooms, std::less<>>& doors() {
    static const std::map<std::string, Rooms, std::less<>> table = makeDoors();
    return table;
}

bool mayUseTorch(std::string_view room) {
    constexpr std::array<std::string_view, 9> kWithout{"engine/base",    "engine/protocol",  "engine/journal",
                                                       "engine/planner", "engine/insight",   "engine/launch",
                                                       "engine/cli",     "engine/tokenizer", "engine/data"};
    return isUnder(room, "engine") && std::find(kWithout.begin(), kWithout.end(), room) == kWithout.end();
}

std::vector<std::string> wrongIncludes(const SourceText& file) {
    const std::string room = roomOf(file.path);
    std::vector<std::string> wrong;
    for (const Include& include : includesOf(file.text)) {
        std::string reason = foreignHeader(room, include.name);
        const std::string beside = file.path.substr(0, file.path.rfind('/') + 1) + include.name;
        const bool generated = findSource(beside) == nullptr;  // by CMake, into the build folder
        if (reason.empty() && isProject(include.name))
            reason = closedDoor(room, include.name);
        else if (reason.empty() && include.quoted && !generated)
            reason = "includes of the project are written from the root";
        if (!reason.empty())
            wrong.push_back(file.path + ":" + std::to_string(include.line) + " includes " + include.name + ": " +
                            reason);
    }
    return wrong;
}

std::vector<std::string> wrongLibraries(const SourceText& file) {
    const std::string room = roomOf(file.path);
    std::vector<std::string> wrong;
    for (const auto& call : cmakeCalls(file.text, "unmask_room")) {
        if (room != "app" && roomOfTarget(call.front()) != room)
            wrong.push_back(file.path + ": target " + call.front() + " is not named after its folder");
        for (const std::string& target : wordsAfter(call, "DEPENDS")) {
            const std::string reason = closedDoor(room, roomOfTarget(target) + "/x.h");
            if (!reason.empty())
                wrong.push_back(file.path + ": DEPENDS " + target + ": " + reason);
        }
        const bool torch = std::find(call.begin(), call.end(), "TORCH") != call.end();
        if (torch && !mayUseTorch(room))
            wrong.push_back(file.path + ": LibTorch is not for this room");
        if (!wordsAfter(call, "QT").empty() && isUnder(room, "engine"))
            wrong.push_back(file.path + ": there is no Qt in the engine");
    }
    return wrong;
}

}  // namespace unmask::architecture
