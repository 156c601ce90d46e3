// SPDX-License-Identifier: Apache-2.0
#include "engine/tokenizer/display_text.h"

#include <utility>

#include "engine/base/text.h"

namespace unmask {

namespace {

// Bytes at the end that are the valid beginning of a character whose rest is missing: 0 to 3.
size_t incompleteTail(std::string_view bytes) {
    for (size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
        const auto lead = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if (lead < 0x80)
            return 0;
        if (lead < 0xC0)
            continue;
        const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (length <= back)
            return 0;
        // Completed with the highest and the lowest continuation: some rest must make it valid (no overlong forms).
        const std::string low = std::string(bytes.substr(bytes.size() - back)) + std::string(length - back, '\x80');
        const std::string high = std::string(bytes.substr(bytes.size() - back)) + std::string(length - back, '\xBF');
        return !firstInvalidUtf8(low) || !firstInvalidUtf8(high) ? back : 0;
    }
    return 0;
}

}  // namespace

DisplayDecoder::DisplayDecoder(const Tokenizer& tokenizer, std::string maskSymbol)
    : m_tokenizer(tokenizer), m_maskSymbol(std::move(maskSymbol)) {}

std::string DisplayDecoder::push(std::span<const int32_t> ids) {
    std::string shown;
    size_t begin = 0;
    for (size_t i = 0; i <= ids.size(); ++i) {
        const bool isMask = i < ids.size() && ids[i] == m_tokenizer.mask();
        if (i < ids.size() && !isMask)
            continue;
        m_pending += m_tokenizer.decode(ids.subspan(begin, i - begin));
        begin = i + 1;
        if (isMask && !m_maskSymbol.empty()) {  // a hidden byte may not join its neighbours into one character
            shown += finish();
            shown += m_maskSymbol;
        }
    }
    return shown + takeComplete();
}

std::string DisplayDecoder::takeComplete() {
    const size_t complete = m_pending.size() - incompleteTail(m_pending);
    std::string shown = toValidUtf8(std::string_view(m_pending).substr(0, complete));
    m_pending.erase(0, complete);
    return shown;
}

std::string DisplayDecoder::finish() {
    return toValidUtf8(std::exchange(m_pending, {}));
}

std::string displayText(const Tokenizer& tokenizer, std::span<const int32_t> ids, std::string_view maskSymbol) {
    DisplayDecoder decoder(tokenizer, std::string(maskSymbol));
    std::string text = decoder.push(ids);
    return text + decoder.finish();
}

}  // namespace unmask
