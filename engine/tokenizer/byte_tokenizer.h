// SPDX-License-Identifier: Apache-2.0
// Ids 0-255 are the bytes, 256 ends a document, 257 is padding, 258 is MASK.
#pragma once

#include "engine/tokenizer/tokenizer.h"

namespace unmask {

class ByteTokenizer final : public Tokenizer {
 public:
    static constexpr int32_t kEndOfDocument = 256;
    static constexpr int32_t kPadding = 257;
    static constexpr int32_t kMask = 258;
    static constexpr int32_t kSize = 259;

    void encodeTo(std::string_view text, std::vector<int32_t>& ids) const override;
    size_t safeCut(std::string_view text) const override { return text.size(); }
    std::string decode(std::span<const int32_t> ids) const override;
    int32_t vocabularySize() const override { return kSize; }
    int32_t endOfDocument() const override { return kEndOfDocument; }
    int32_t padding() const override { return kPadding; }
    int32_t mask() const override { return kMask; }
    std::string hash() const override;
};

}  // namespace unmask
