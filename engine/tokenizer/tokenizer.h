// SPDX-License-Identifier: Apache-2.0
// Text to token ids and back. Token ids are int32; decoding gives raw bytes, since a token may hold half a character.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/protocol/data_config.h"

namespace unmask {

class Tokenizer {
 public:
    virtual ~Tokenizer() = default;

    // Appends the ids of `text`; special tokens are never produced from text.
    virtual void encodeTo(std::string_view text, std::vector<int32_t>& ids) const = 0;
    std::vector<int32_t> encode(std::string_view text) const;

    // Longest prefix of `text` that gives the same ids alone as in the whole: lets huge documents be encoded in pieces.
    virtual size_t safeCut(std::string_view text) const = 0;

    // Bytes of the ordinary tokens; special tokens, spare rows and ids out of range give nothing. Not always UTF-8.
    virtual std::string decode(std::span<const int32_t> ids) const = 0;

    virtual int32_t vocabularySize() const = 0;  // ids are below this
    virtual int32_t endOfDocument() const = 0;
    virtual int32_t padding() const = 0;
    virtual int32_t mask() const = 0;
    virtual std::string hash() const = 0;  // SHA-256 of everything that decides ids

    // Rows of embedding and head: the next multiple of 128, so that kernels see even sizes. Spare rows are never used.
    int32_t roundedVocabularySize() const { return (vocabularySize() + 127) / 128 * 128; }
};

std::unique_ptr<Tokenizer> makeTokenizer(const TokenizerConfig& config);

}  // namespace unmask
