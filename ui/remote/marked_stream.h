// SPDX-License-Identifier: Apache-2.0
// What a program said, cut out of a stream into which a login shell, its start-up files or the system may talk before
// and after. The two marks hold a random number of ours, so that no text can pretend to be one.
#pragma once

#include <QByteArray>

namespace unmask::ui {

class MarkedStream {
 public:
    MarkedStream(QByteArray begin, QByteArray end) : m_begin(std::move(begin)), m_end(std::move(end)) {}

    // The program's bytes in `bytes`. Held back is only a tail that may be the beginning of a mark.
    QByteArray take(const QByteArray& bytes);

    bool begun() const { return m_stage != Stage::before; }
    bool ended() const { return m_stage == Stage::after; }
    int code() const { return m_code; }                  // what stands behind the end mark; -1: none
    const QByteArray& noise() const { return m_noise; }  // the last of what came before the first mark

 private:
    enum class Stage { before, inside, code, after };
    QByteArray m_begin;
    QByteArray m_end;
    QByteArray m_held;
    QByteArray m_noise;
    Stage m_stage = Stage::before;
    int m_code = -1;
};

}  // namespace unmask::ui
