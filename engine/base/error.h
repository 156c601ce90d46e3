// SPDX-License-Identifier: Apache-2.0
// The one exception of the engine. Its code is also the exit code of a run (see ErrorCode), so a fault keeps one
// identity from where it is thrown to the end record that people read.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace unmask {

// Numbers are exit codes of `unmask-engine` and are never reused; words are stable names in exit.json and the journal.
enum class ErrorCode {
    finished = 0,
    stopped = 10,
    badInput = 20,
    gpuOutOfMemory = 21,
    hostOutOfMemory = 22,
    nonFinite = 23,
    disk = 24,
    hardware = 25,
    communication = 26,
    preempted = 27,
    noValidCheckpoint = 28,
    internal = 29,
};

std::string_view errorWord(ErrorCode code);          // "bad_input", "disk", …
ErrorCode errorCodeFromWord(std::string_view word);  // internal when unknown

// Messages read "[component] what happened, which thing, which limit".
class Error : public std::runtime_error {
 public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    ErrorCode code() const { return m_code; }

 private:
    ErrorCode m_code;
};

// Error with the sentence for `errno`, e.g. "[journal] cannot write /x/events.jsonl: No space left on device".
// ENOSPC, EDQUOT and EIO become ErrorCode::disk, ENOMEM hostOutOfMemory, everything else badInput.
[[nodiscard]] Error systemError(std::string_view message, int errnoValue);

// For people, and inside other messages: without the component in brackets.
std::string plainMessage(std::string_view message);
inline std::string plainMessage(const Error& error) {
    return plainMessage(std::string_view(error.what()));
}

}  // namespace unmask
