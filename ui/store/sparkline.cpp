// SPDX-License-Identifier: Apache-2.0
#include "ui/store/sparkline.h"

#include <cmath>
#include <cstring>

namespace unmask::ui {
namespace {

struct Head {
    qint64 width;
    qint64 count;
    double sum;
};

}  // namespace

void Sparkline::add(double value) {
    if (!std::isfinite(value))
        return;
    m_sum += value;
    if (++m_count < m_width)
        return;
    m_means.push_back(static_cast<float>(m_sum / static_cast<double>(m_count)));
    m_sum = 0;
    m_count = 0;
    if (m_means.size() < kMost)
        return;
    for (size_t i = 0; i < kMost / 2; ++i)
        m_means[i] = (m_means[2 * i] + m_means[2 * i + 1]) / 2;
    m_means.resize(kMost / 2);
    m_width *= 2;
}

std::vector<float> Sparkline::values() const {
    std::vector<float> all = m_means;
    if (m_count > 0)
        all.push_back(static_cast<float>(m_sum / static_cast<double>(m_count)));
    return all;
}

QByteArray Sparkline::encode() const {
    const Head head{m_width, m_count, m_sum};
    QByteArray bytes(reinterpret_cast<const char*>(&head), sizeof(head));
    bytes.append(reinterpret_cast<const char*>(m_means.data()), static_cast<qsizetype>(m_means.size() * sizeof(float)));
    return bytes;
}

Sparkline Sparkline::decode(const QByteArray& blob) {
    Sparkline line;
    const auto size = static_cast<size_t>(blob.size());
    if (size < sizeof(Head) || (size - sizeof(Head)) % sizeof(float) != 0 ||
        (size - sizeof(Head)) / sizeof(float) >= kMost)
        return line;
    Head head;
    std::memcpy(&head, blob.constData(), sizeof(head));
    if (head.width < 1 || head.count < 0 || head.count >= head.width)
        return line;
    line.m_width = head.width;
    line.m_count = head.count;
    line.m_sum = head.sum;
    line.m_means.resize((size - sizeof(Head)) / sizeof(float));
    std::memcpy(line.m_means.data(), blob.constData() + sizeof(Head), line.m_means.size() * sizeof(float));
    return line;
}

}  // namespace unmask::ui
