// SPDX-License-Identifier: Apache-2.0
// Time of each GPU op, by name and shape, for benchmarks: two events round every op of work that is not captured. Off,
// an op costs one comparison more.
#pragma once

#include <string>
#include <vector>

#include "engine/ops/device.h"

namespace unmask {

struct OpTime {
    std::string name;  // "norm forward 65536×512"
    int64_t calls = 0;
    double seconds = 0;  // of all calls
};

class OpTimes {
 public:
    // The one that ops report to; null when nobody measures.
    static OpTimes*& current();

    void begin(std::string name);
    void end();
    // Waits for the GPU. Slowest first.
    std::vector<OpTime> totals() const;
    void clear() { m_spans.clear(); }

 private:
    struct Span {
        std::string name;
        GpuEvent begin, end;
    };
    std::vector<Span> m_spans;
};

namespace ops {

// Runs `work`, measured where somebody asks. `name` is called only then.
template <class Name, class Work>
void timed(Name&& name, Work&& work) {
    OpTimes* const times = OpTimes::current();
    if (times == nullptr)
        return work();
    times->begin(name());
    work();
    times->end();
}

inline std::string shapeName(const char* op, int64_t rows, int64_t columns) {
    return std::string(op) + " " + std::to_string(rows) + "×" + std::to_string(columns);
}

}  // namespace ops

}  // namespace unmask
