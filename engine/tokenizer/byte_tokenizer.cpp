// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/byte_tokenizer.h"

#include <algorithm>

#include "engine/base/sha256.h"

namespace unmask {

void ByteTokenizer::encodeTo(std::string_view text, std::vector<int32_t>& ids) const {
    const size_t before = ids.size();
    ids.resize(before + text.size());
    std::transform(text.begin(), text.end(), ids.begin() + static_cast<ptrdiff_t>(before),
                   [](char byte) { return static_cast<int32_t>(static_cast<unsigned char>(byte)); });
}

std::string ByteTokenizer::decode(std::span<const int32_t> ids) const {
    std::string bytes;
    bytes.reserve(ids.size());
    for (const int32_t id : ids)
        if (id >= 0 && id < kEndOfDocument)
            bytes.push_back(static_cast<char>(id));
    return bytes;
}

std::string ByteTokenizer::hash() const {
    return sha256Hex("unmask byte tokenizer 1: 0-255 bytes, 256 end, 257 padding, 258 mask");
}

}  // namespace unmask
