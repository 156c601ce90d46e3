// SPDX-License-Identifier: Apache-2.0
// A value or the reason why there is none, for seams that meet foreign data (std::expected is C++23).
#pragma once

#include <utility>
#include <variant>

#include "engine/base/error.h"

namespace unmask {

template <class T>
class [[nodiscard]] Result {
 public:
    Result(T value) : m_state(std::move(value)) {}      // NOLINT: implicit on purpose, so `return value;` reads plainly
    Result(Error error) : m_state(std::move(error)) {}  // NOLINT

    bool ok() const { return std::holds_alternative<T>(m_state); }
    explicit operator bool() const { return ok(); }
    const T& value() const& { return std::get<T>(m_state); }
    T& value() & { return std::get<T>(m_state); }
    T&& value() && { return std::get<T>(std::move(m_state)); }
    const Error& error() const { return std::get<Error>(m_state); }

    // For callers inside the engine, where exceptions are the rule.
    T orThrow() && {
        if (!ok())
            throw error();
        return std::get<T>(std::move(m_state));
    }

 private:
    std::variant<T, Error> m_state;
};

struct Nothing {};
using Outcome = Result<Nothing>;  // success without a value, or the reason

}  // namespace unmask
