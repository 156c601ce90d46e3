// SPDX-License-Identifier: Apache-2.0
#include "ui/store/frame_codec.h"

#include <bit>
#include <cstring>

namespace unmask::ui {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian; add swaps for another machine");

constexpr qsizetype kPointBytes = 10;
constexpr qsizetype kFrameBytes = 5 * 8 + 1;
constexpr int kCorrupt = 11;
constexpr char kDense = 0;
constexpr char kSparse = 1;

[[noreturn]] void damaged(const char* what) {
    throw StoreError(std::string("[history] damaged blob: ") + what, kCorrupt);
}

template <class T>
void append(QByteArray& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <class T>
void appendColumn(QByteArray& bytes, const std::vector<T>& column) {
    bytes.append(reinterpret_cast<const char*>(column.data()), static_cast<qsizetype>(column.size() * sizeof(T)));
}

template <class T>
const char* readColumn(const char* from, size_t count, std::vector<T>& column) {
    column.resize(count);
    std::memcpy(column.data(), from, count * sizeof(T));
    return from + count * sizeof(T);
}

const double* findPoint(const Frame& frame, uint16_t number) {
    for (const Point& point : frame.points)
        if (point.first == number)
            return &point.second;
    return nullptr;
}

}  // namespace

double readDouble(const char* bytes) {
    double value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

uint16_t readIndex(const char* bytes) {
    uint16_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

QByteArray encodePoints(const std::vector<Point>& points) {
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(points.size()) * kPointBytes);
    for (const auto& [number, value] : points) {
        append(bytes, number);
        append(bytes, value);
    }
    return bytes;
}

std::vector<Point> decodePoints(const QByteArray& blob) {
    if (blob.size() % kPointBytes != 0)
        damaged("points of a frame");
    std::vector<Point> points;
    points.reserve(static_cast<size_t>(blob.size() / kPointBytes));
    for (const char* at = blob.constData(); at != blob.constData() + blob.size(); at += kPointBytes)
        points.emplace_back(readIndex(at), readDouble(at + 2));
    return points;
}

QByteArray encodeFrames(std::span<const Frame> frames) {
    FrameColumns columns;
    for (const Frame& frame : frames) {
        columns.seq.push_back(frame.seq);
        columns.step.push_back(frame.step);
        columns.tokens.push_back(frame.tokens);
        columns.elapsed.push_back(frame.elapsed);
        columns.wallNs.push_back(frame.wallNs);
        columns.superseded.push_back(frame.superseded ? 1 : 0);
    }
    return encodeFrames(columns);
}

QByteArray encodeFrames(const FrameColumns& columns) {
    QByteArray bytes;
    bytes.reserve(static_cast<qsizetype>(columns.size()) * kFrameBytes);
    appendColumn(bytes, columns.seq);
    appendColumn(bytes, columns.step);
    appendColumn(bytes, columns.tokens);
    appendColumn(bytes, columns.elapsed);
    appendColumn(bytes, columns.wallNs);
    appendColumn(bytes, columns.superseded);
    return bytes;
}

FrameColumns decodeFrames(const QByteArray& blob) {
    if (blob.isEmpty() || blob.size() % kFrameBytes != 0)
        damaged("frames");
    const auto count = static_cast<size_t>(blob.size() / kFrameBytes);
    FrameColumns columns;
    const char* at = blob.constData();
    at = readColumn(at, count, columns.seq);
    at = readColumn(at, count, columns.step);
    at = readColumn(at, count, columns.tokens);
    at = readColumn(at, count, columns.elapsed);
    at = readColumn(at, count, columns.wallNs);
    readColumn(at, count, columns.superseded);
    return columns;
}

QByteArray encodeSeries(std::span<const Frame> frames, uint16_t number) {
    std::vector<uint16_t> indices;
    std::vector<double> values;
    for (size_t i = 0; i < frames.size(); ++i)
        if (const double* value = findPoint(frames[i], number)) {
            indices.push_back(static_cast<uint16_t>(i));
            values.push_back(*value);
        }
    QByteArray bytes;
    if (values.empty())
        return bytes;
    const bool dense = values.size() == frames.size();
    bytes.append(dense ? kDense : kSparse);
    if (!dense)
        appendColumn(bytes, indices);
    appendColumn(bytes, values);
    return bytes;
}

SeriesBlob openSeries(const QByteArray& blob, size_t frames) {
    if (blob.isEmpty() || (blob[0] != kDense && blob[0] != kSparse))
        damaged("series");
    SeriesBlob series;
    series.dense = blob[0] == kDense;
    const qsizetype bytes = blob.size() - 1;
    const qsizetype each = series.dense ? 8 : 10;
    series.count = static_cast<size_t>(bytes / each);
    if (bytes % each != 0 || (series.dense && series.count != frames) || series.count > frames)
        damaged("series");
    series.indices = blob.constData() + 1;
    series.values = series.dense ? series.indices : series.indices + 2 * series.count;
    return series;
}

}  // namespace unmask::ui
