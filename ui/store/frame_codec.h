// SPDX-License-Identifier: Apache-2.0
// Frames (one record's figures) as bytes: a row's points, and chunks of up to 4096 frames as columns. Doubles are
// stored raw and little-endian, so NaN and infinities need no second column. Readers check sizes: a blob may be
// damaged.
#pragma once

#include <QByteArray>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ui/store/sql.h"

namespace unmask::ui {

inline constexpr size_t kChunkFrames = 4096;

using Point = std::pair<uint16_t, double>;  // number of the series, value

struct Frame {
    qint64 seq = 0;
    qint64 step = 0;
    qint64 tokens = 0;
    double elapsed = 0;
    qint64 wallNs = 0;
    bool superseded = false;
    std::vector<Point> points;
};

// What all series of a chunk share.
struct FrameColumns {
    std::vector<qint64> seq, step, tokens, wallNs;
    std::vector<double> elapsed;
    std::vector<uint8_t> superseded;
    size_t size() const { return seq.size(); }
};

QByteArray encodePoints(const std::vector<Point>& points);
std::vector<Point> decodePoints(const QByteArray& blob);

QByteArray encodeFrames(std::span<const Frame> frames);
FrameColumns decodeFrames(const QByteArray& blob);
QByteArray encodeFrames(const FrameColumns& columns);

// One series of a chunk. Dense: a value for each frame. Sparse: (index, value), for figures that not every record has.
QByteArray encodeSeries(std::span<const Frame> frames, uint16_t number);  // empty when no frame has it
// Calls visit(index of the frame, value).
template <class Visit>
void decodeSeries(const QByteArray& blob, size_t frames, Visit&& visit);

// The parts of a series blob after its checks.
struct SeriesBlob {
    bool dense = true;
    size_t count = 0;
    const char* indices = nullptr;
    const char* values = nullptr;
};
SeriesBlob openSeries(const QByteArray& blob, size_t frames);
double readDouble(const char* bytes);
uint16_t readIndex(const char* bytes);

template <class Visit>
void decodeSeries(const QByteArray& blob, size_t frames, Visit&& visit) {
    const SeriesBlob series = openSeries(blob, frames);
    for (size_t i = 0; i < series.count; ++i) {
        const size_t index = series.dense ? i : readIndex(series.indices + 2 * i);
        if (index < frames)
            visit(index, readDouble(series.values + 8 * i));
    }
}

}  // namespace unmask::ui
