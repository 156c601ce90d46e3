// SPDX-License-Identifier: Apache-2.0
#include "engine/base/error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace unmask {
namespace {
constexpr std::array<std::pair<ErrorCode, std::string_view>, 12> kWords{{
    {ErrorCode::finished, "finished"},
    {ErrorCode::stopped, "stopped"},
    {ErrorCode::badInput, "bad_input"},
    {ErrorCode::gpuOutOfMemory, "gpu_out_of_memory"},
    {ErrorCode::hostOutOfMemory, "host_out_of_memory"},
    {ErrorCode::nonFinite, "non_finite"},
    {ErrorCode::disk, "disk"},
    {ErrorCode::hardware, "hardware"},
    {ErrorCode::communication, "communication"},
    {ErrorCode::preempted, "preempted"},
    {ErrorCode::noValidCheckpoint, "no_valid_checkpoint"},
    {ErrorCode::internal, "internal"},
}};
}  // namespace

std::string_view errorWord(ErrorCode code) {
    for (const auto& [value, word] : kWords)
        if (value == code)
            return word;
    return "internal";
}

ErrorCode errorCodeFromWord(std::string_view word) {
    for (const auto& [value, name] : kWords)
        if (name == word)
            return value;
    return ErrorCode::internal;
}

Error systemError(std::string_view message, int errnoValue) {
    ErrorCode code = ErrorCode::badInput;
    if (errnoValue == ENOSPC || errnoValue == EDQUOT || errnoValue == EIO)
        code = ErrorCode::disk;
    else if (errnoValue == ENOMEM)
        code = ErrorCode::hostOutOfMemory;
    return Error(code, std::string(message) + ": " + std::strerror(errnoValue));
}

std::string plainMessage(std::string_view message) {
    const size_t end = message.find("] ");
    return std::string(message.starts_with('[') && end != std::string_view::npos ? message.substr(end + 2) : message);
}

}  // namespace unmask
