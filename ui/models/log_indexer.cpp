// SPDX-License-Identifier: Apache-2.0
#include "ui/models/log_indexer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <QStringList>
#include <cstring>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kFollowMs = 500;
constexpr qint64 kPiece = qint64{1} << 20;
constexpr qint64 kLongestShown = 16384;  // bytes of a line that a view gets

}  // namespace

void LogIndexer::open(quint64 generation, const QString& file) {
    m_generation = generation;
    m_name = file;
    m_file.reset();
    m_offsets.clear();
    m_seen = 0;
    m_lineOpen = false;
    m_missingTold = false;
    if (!m_timer) {
        m_timer = std::make_unique<QTimer>();
        m_timer->setInterval(kFollowMs);
        connect(m_timer.get(), &QTimer::timeout, this, &LogIndexer::follow);
    }
    if (file.isEmpty()) {
        m_timer->stop();
        return;
    }
    m_timer->start();
    follow();
}

// A log may not be there yet; a pipe or device in its place is refused.
bool LogIndexer::openFile() {
    const int descriptor = ::open(toPath(m_name).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info {};
    if (descriptor >= 0 && ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)) {
        m_file = std::make_unique<QFile>();
        if (m_file->open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFileDevice::AutoCloseHandle))
            return true;
    } else if (descriptor >= 0) {
        ::close(descriptor);
    }
    m_file.reset();
    if (!std::exchange(m_missingTold, true))
        Q_EMIT problem(m_generation, tr("%1 is not there yet or cannot be read.").arg(m_name));
    return false;
}

void LogIndexer::follow() {
    if (m_generation != m_newest || (!m_file && !openFile()))
        return;
    if (m_file->size() < m_seen) {
        Q_EMIT cut(m_generation);
        open(m_generation, m_name);
        return;
    }
    while (m_generation == m_newest && m_seen < m_file->size()) {
        m_file->seek(m_seen);
        const QByteArray piece = m_file->read(kPiece);
        if (piece.isEmpty())
            return;
        std::vector<qint64> fresh;
        for (const char *at = piece.constData(), *end = at + piece.size(); at < end;) {
            if (!m_lineOpen)
                fresh.push_back(m_seen + (at - piece.constData()));
            const auto* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
            m_lineOpen = newline == nullptr;
            at = newline ? newline + 1 : end;
        }
        m_seen += piece.size();
        m_offsets.insert(m_offsets.end(), fresh.begin(), fresh.end());
        // Also without a new line: the last one may have grown.
        Q_EMIT indexed(m_generation, fresh);
    }
}

QStringList LogIndexer::linesOf(int block) {
    QStringList lines;
    const size_t first = static_cast<size_t>(block) * static_cast<size_t>(m_blockLines);
    const size_t last = std::min(first + static_cast<size_t>(m_blockLines), m_offsets.size());
    for (size_t i = first; i < last && m_file; ++i) {
        const qint64 end = i + 1 < m_offsets.size() ? m_offsets[i + 1] : m_seen;
        m_file->seek(m_offsets[i]);
        const qint64 size = end - m_offsets[i];
        QByteArray text = m_file->read(std::min(size, kLongestShown));
        while (text.endsWith('\n') || text.endsWith('\r'))
            text.chop(1);
        lines << QString::fromUtf8(text) + (size > kLongestShown ? QStringLiteral(" …") : QString());
    }
    return lines;
}

void LogIndexer::read(quint64 generation, int block) {
    if (generation == m_generation && generation == m_newest)
        Q_EMIT blockRead(generation, block, linesOf(block));
}

void LogIndexer::find(quint64 generation, const QString& text, int fromRow, bool backwards) {
    const int step = backwards ? -1 : 1;
    int block = -1;
    QStringList lines;
    for (int row = fromRow; row >= 0 && row < static_cast<int>(m_offsets.size()); row += step) {
        if (generation != m_newest)
            return;
        if (row / m_blockLines != block) {
            block = row / m_blockLines;
            lines = linesOf(block);
        }
        if (lines.value(row % m_blockLines).contains(text, Qt::CaseInsensitive)) {
            Q_EMIT found(generation, row);
            return;
        }
    }
    Q_EMIT found(generation, -1);
}

}  // namespace unmask::ui
