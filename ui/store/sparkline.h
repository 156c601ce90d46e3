// SPDX-License-Identifier: Apache-2.0
// The small curve of the run table: at most 64 means of equal width, grown point by point without looking back. When
// full, neighbours are merged and the width doubles.
#pragma once

#include <QByteArray>
#include <vector>

namespace unmask::ui {

class Sparkline {
 public:
    static constexpr size_t kMost = 64;

    void add(double value);             // non-finite values are passed over
    std::vector<float> values() const;  // the unfinished mean included

    QByteArray encode() const;
    static Sparkline decode(const QByteArray& blob);  // empty when the bytes are not one

 private:
    qint64 m_width = 1;  // points a mean
    qint64 m_count = 0;  // of the unfinished mean
    double m_sum = 0;
    std::vector<float> m_means;
};

}  // namespace unmask::ui
