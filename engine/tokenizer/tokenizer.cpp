// SPDX-License-Identifier: Apache-2.0
// The list of tokenizers.
#include "engine/tokenizer/tokenizer.h"

#include "engine/base/error.h"
#include "engine/tokenizer/byte_tokenizer.h"

namespace unmask {

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
    std::vector<int32_t> ids;
    encodeTo(text, ids);
    return ids;
}

std::unique_ptr<Tokenizer> makeTokenizer(const TokenizerConfig& config) {
    switch (config.kind) {
        case TokenizerKind::bytes:
            return std::make_unique<ByteTokenizer>();
    }
    throw Error{ErrorCode::badInput, "[tokenizer] unknown kind of tokenizer"};
}

}  // namespace unmask
