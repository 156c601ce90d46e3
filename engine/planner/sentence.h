// SPDX-License-Identifier: Apache-2.0
// A sentence for people in both languages, made of figures and so owned, unlike the fixed Text of the field lists.
#pragma once

#include <string>

namespace unmask {

struct Sentence {
    std::string en, zh;
    bool operator==(const Sentence&) const = default;
};

}  // namespace unmask
