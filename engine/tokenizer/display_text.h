// SPDX-License-Identifier: Apache-2.0
// Token ids as text for people: always valid UTF-8. Halves of characters wait for their rest while a text streams in,
// and what can never become a character is shown as U+FFFD.
#pragma once

#include <string>

#include "engine/tokenizer/tokenizer.h"

namespace unmask {

class DisplayDecoder {
 public:
    // `maskSymbol` stands for each token not decided yet; empty hides them.
    explicit DisplayDecoder(const Tokenizer& tokenizer, std::string maskSymbol = "");

    std::string push(std::span<const int32_t> ids);  // what can be shown so far
    std::string finish();                            // the rest; the decoder can be used anew

 private:
    std::string takeComplete();

    const Tokenizer& m_tokenizer;
    std::string m_maskSymbol;
    std::string m_pending;
};

// A whole sequence at once.
std::string displayText(const Tokenizer& tokenizer, std::span<const int32_t> ids, std::string_view maskSymbol = "");

}  // namespace unmask
