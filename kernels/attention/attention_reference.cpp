// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/attention/attention.h"
#include "kernels/common/host_values.h"

namespace unmask::kernels {

namespace {

struct Segment {
    int64_t queryBegin, queryEnd, keyBegin, keyEnd;
};
Segment segmentOf(const AttentionShape& s, int segment) {
    const int32_t* b = s.bounds + 4 * segment;
    return {b[0], b[1], b[2], b[3]};
}

double dotRows(const void* a, int64_t atA, const void* b, int64_t atB, const AttentionShape& s) {
    double sum = 0;
    for (int i = 0; i < s.D; ++i)
        sum += valueAt(a, atA + i, s.dtype) * valueAt(b, atB + i, s.dtype);
    return sum;
}

template <class F>
void eachQuery(const AttentionShape& s, F&& f) {
    for (int segment = 0; segment < s.segments; ++segment) {
        const Segment bounds = segmentOf(s, segment);
        for (int64_t row = bounds.queryBegin; row < bounds.queryEnd; ++row)
            for (int head = 0; head < s.heads; ++head)
                f(bounds, row, head, head / (s.heads / s.groups));
    }
}

}  // namespace

Status attentionForwardReference(const AttentionArgs& a) {
    const AttentionShape& s = a.shape;
    eachQuery(s, [&](const Segment& segment, int64_t row, int head, int group) {
        std::vector<double> scores;
        for (int64_t key = segment.keyBegin; key < segment.keyEnd; ++key)
            scores.push_back(s.scale * dotRows(a.query, row * a.queryStride + head * s.D, a.key,
                                               key * a.keyStride + group * s.D, s));
        const double most = *std::max_element(scores.begin(), scores.end());
        double sum = 0;
        for (const double score : scores)
            sum += std::exp(score - most);
        const int64_t place = row * s.heads + head;
        a.logSumExp[place] = static_cast<float>(most + std::log(sum));
        for (int i = 0; i < s.D; ++i) {
            double value = 0;
            for (size_t k = 0; k < scores.size(); ++k)
                value += std::exp(scores[k] - most) / sum *
                         valueAt(a.value, (segment.keyBegin + static_cast<int64_t>(k)) * a.keyStride + group * s.D + i,
                                 s.dtype);
            setValue(a.out, place * s.D + i, s.dtype, value);
        }
    });
    return {};
}

Status attentionBackwardReference(const AttentionBackwardArgs& b) {
    const AttentionArgs& a = b.forward;
    const AttentionShape& s = a.shape;
    int64_t keys = 0;
    for (int segment = 0; segment < s.segments; ++segment)
        keys = std::max(keys, segmentOf(s, segment).keyEnd);
    std::vector<double> toKey(static_cast<size_t>(keys * s.groups * s.D));
    std::vector<double> toValue(toKey.size());
    eachQuery(s, [&](const Segment& segment, int64_t row, int head, int group) {
        const int64_t place = row * s.heads + head;
        const double delta = dotRows(a.out, place * s.D, b.gradientOut, place * s.D, s);
        std::vector<double> toQuery(static_cast<size_t>(s.D));
        for (int64_t key = segment.keyBegin; key < segment.keyEnd; ++key) {
            const int64_t at = key * a.keyStride + group * s.D;
            const double p = std::exp(s.scale * dotRows(a.query, row * a.queryStride + head * s.D, a.key, at, s) -
                                      a.logSumExp[place]);
            const double ds = p * (dotRows(b.gradientOut, place * s.D, a.value, at, s) - delta) * s.scale;
            const int64_t sums = (key * s.groups + group) * s.D;
            for (int i = 0; i < s.D; ++i) {
                toQuery[static_cast<size_t>(i)] += ds * valueAt(a.key, at + i, s.dtype);
                toKey[static_cast<size_t>(sums + i)] +=
                    ds * valueAt(a.query, row * a.queryStride + head * s.D + i, s.dtype);
                toValue[static_cast<size_t>(sums + i)] += p * valueAt(b.gradientOut, place * s.D + i, s.dtype);
            }
        }
        for (int i = 0; i < s.D; ++i)
            setValue(b.gradientQuery, row * b.gradientQueryStride + head * s.D + i, s.dtype,
                     toQuery[static_cast<size_t>(i)]);
    });
    for (int segment = 0; segment < s.segments; ++segment)
        for (int64_t key = segmentOf(s, segment).keyBegin; key < segmentOf(s, segment).keyEnd; ++key)
            for (int64_t i = 0; i < int64_t{s.groups} * s.D; ++i) {
                const auto at = static_cast<size_t>(key * s.groups * s.D + i);
                setValue(b.gradientKey, key * b.gradientKeyStride + i, s.dtype, toKey[at]);
                setValue(b.gradientValue, key * b.gradientKeyStride + i, s.dtype, toValue[at]);
            }
    return {};
}

Status segmentTablesReference(const SegmentTableArgs& a) {
    const SegmentTables& t = a.tables;
    for (int i = 0; i <= a.segments; ++i) {
        const bool end = i == a.segments;
        const int32_t* segment = a.bounds + 4 * (end ? i - 1 : i);
        const int query = segment[end ? 1 : 0];
        const int key = segment[end ? 3 : 2];
        t.query[i] = query * a.queryStride;
        t.key[i] = key * a.keyStride;
        t.out[i] = query * a.outStride;
        t.logSumExp[i] = query * a.logSumExpStride;
        if (t.gradientQuery != nullptr) {
            t.gradientQuery[i] = query * a.gradientQueryStride;
            t.gradientKey[i] = key * a.gradientKeyStride;
        }
        if (end)
            continue;
        t.queryLengths[i] = segment[1] - segment[0];
        t.keyLengths[i] = segment[3] - segment[2];
    }
    return {};
}

}  // namespace unmask::kernels
