// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/marked_stream.h"

namespace unmask::ui {
namespace {

constexpr qsizetype kMostNoise = 4096;
constexpr qsizetype kLongestCode = 12;

// The length of the longest tail of `text` that `mark` begins with.
qsizetype tailOf(const QByteArray& text, const QByteArray& mark) {
    for (qsizetype length = std::min(text.size(), mark.size() - 1); length > 0; --length)
        if (std::equal(text.end() - length, text.end(), mark.begin()))
            return length;
    return 0;
}

}  // namespace

QByteArray MarkedStream::take(const QByteArray& bytes) {
    QByteArray inside;
    QByteArray text = m_held + bytes;
    m_held.clear();
    if (m_stage == Stage::before) {
        const qsizetype at = text.indexOf(m_begin);
        if (at < 0) {
            m_held = text.right(tailOf(text, m_begin));
            m_noise = (m_noise + text.chopped(m_held.size())).right(kMostNoise);
            return {};
        }
        m_noise = (m_noise + text.left(at)).right(kMostNoise);
        text.remove(0, at + m_begin.size());
        m_stage = Stage::inside;
    }
    if (m_stage == Stage::inside) {
        const qsizetype at = text.indexOf(m_end);
        if (at < 0) {
            m_held = text.right(tailOf(text, m_end));
            return text.chopped(m_held.size());
        }
        inside = text.left(at);
        text.remove(0, at + m_end.size());
        m_stage = Stage::code;
    }
    if (m_stage == Stage::code) {
        const qsizetype newline = text.indexOf('\n');
        if (newline < 0 && text.size() < kLongestCode) {
            m_held = text;
            return inside;
        }
        bool number = false;
        const int code = text.left(std::max<qsizetype>(newline, 0)).trimmed().toInt(&number);
        m_code = number ? code : -1;
        m_stage = Stage::after;
    }
    return inside;
}

}  // namespace unmask::ui
