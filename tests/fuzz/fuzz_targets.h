// SPDX-License-Identifier: Apache-2.0
// Every parser that meets foreign bytes, as a function of bytes. A target aborts when a promise breaks: a value that is
// accepted must survive being written and read again. Used by libFuzzer and, over the corpus, by an ordinary test.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::fuzz {

struct Target {
    std::string_view name;
    void (*run)(std::string_view bytes);
    std::vector<std::string> (*seeds)();  // sound inputs to begin with
};

std::span<const Target> targets();
const Target* findTarget(std::string_view name);

}  // namespace unmask::fuzz
