// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/hardware.h"

namespace unmask {

namespace {

template <class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
    if (value)
        json[name] = *value;
}

template <class T>
bool matches(const Json& value) {
    if constexpr (std::is_same_v<T, bool>)
        return value.is_boolean();
    else if constexpr (std::is_same_v<T, int64_t>)
        return value.is_number_integer();
    else if constexpr (std::is_same_v<T, double>)
        return value.is_number();
    else
        return value.is_string();
}

template <class T>
void take(const Json& json, const char* name, std::optional<T>& value) {
    if (!json.contains(name))
        return;
    if (!matches<T>(json[name]))
        throw Error{ErrorCode::badInput,
                    std::string("[planner] hardware description: ") + name + " has the wrong type"};
    value = json[name].get<T>();
}

std::string takeText(const Json& json, const char* name) {
    std::optional<std::string> text;
    take(json, name, text);
    return text.value_or("");
}

Hardware read(const Json& json) {
    Hardware hardware;
    hardware.hostName = takeText(json, "host_name");
    hardware.processor = takeText(json, "processor");
    take(json, "cores", hardware.cores);
    take(json, "memory_bytes", hardware.memoryBytes);
    take(json, "available_memory_bytes", hardware.availableMemoryBytes);
    take(json, "matrix_flops_per_second", hardware.matrixFlopsPerSecond);
    take(json, "avx2", hardware.avx2);
    take(json, "gpu_driver", hardware.gpuDriver);
    if (!json.contains("gpus"))
        return hardware;
    if (!json["gpus"].is_array())
        throw Error{ErrorCode::badInput, "[planner] hardware description: gpus is not a list"};
    for (const Json& entry : json["gpus"]) {
        if (!entry.is_object())
            throw Error{ErrorCode::badInput, "[planner] hardware description: a GPU is not an object"};
        GpuDescription gpu;
        gpu.name = takeText(entry, "name");
        take(entry, "memory_bytes", gpu.memoryBytes);
        take(entry, "free_memory_bytes", gpu.freeMemoryBytes);
        hardware.gpus.push_back(std::move(gpu));
    }
    return hardware;
}

}  // namespace

Json hardwareToJson(const Hardware& hardware) {
    Json json = Json::object();
    if (!hardware.hostName.empty())
        json["host_name"] = hardware.hostName;
    if (!hardware.processor.empty())
        json["processor"] = hardware.processor;
    put(json, "cores", hardware.cores);
    put(json, "memory_bytes", hardware.memoryBytes);
    put(json, "available_memory_bytes", hardware.availableMemoryBytes);
    put(json, "matrix_flops_per_second", hardware.matrixFlopsPerSecond);
    put(json, "avx2", hardware.avx2);
    put(json, "gpu_driver", hardware.gpuDriver);
    json["gpus"] = Json::array();
    for (const GpuDescription& gpu : hardware.gpus) {
        Json entry = Json::object();
        entry["name"] = gpu.name;
        put(entry, "memory_bytes", gpu.memoryBytes);
        put(entry, "free_memory_bytes", gpu.freeMemoryBytes);
        json["gpus"].push_back(std::move(entry));
    }
    return json;
}

Result<Hardware> hardwareFromJson(const Json& json) {
    if (!json.is_object())
        return Error{ErrorCode::badInput, "[planner] a hardware description must be a JSON object"};
    try {
        return read(json);
    } catch (const Error& error) {
        return error;
    }
}

}  // namespace unmask
