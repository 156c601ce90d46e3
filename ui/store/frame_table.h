// SPDX-License-Identifier: Apache-2.0
// Frames of a run on disk: the newest as rows, older ones sealed into chunks of 4096. Only this file knows which.
#pragma once

#include <functional>

#include "ui/store/frame_codec.h"

namespace unmask::ui {

class FrameTable {
 public:
    explicit FrameTable(Sql& sql) : m_sql(sql) {}

    qint64 tailRows(qint64 run);
    // Adds frames at the end; returns the new number of tail rows.
    qint64 append(qint64 run, qint64 tailRows, std::span<const Frame> frames);
    void removeBeyond(qint64 run, qint64 lastSeq);
    void supersede(qint64 run, qint64 fromStep);  // frames with a later step
    void removeAll(qint64 run);

    // Frames in the order of seq, with the value of one series (its number), or of all when `number` is negative.
    using Visit = std::function<void(uint16_t number, const FrameColumns& frames, size_t index, double value)>;
    void read(qint64 run, int number, const Visit& visit);

 private:
    std::vector<Frame> readTail(qint64 run);
    void insertRows(qint64 run, std::span<const Frame> frames);
    void writeChunk(qint64 run, std::span<const Frame> frames);
    std::vector<Frame> readChunk(qint64 run, qint64 firstSeq, const QByteArray& blob);

    Sql& m_sql;
};

}  // namespace unmask::ui
