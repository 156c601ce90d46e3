// SPDX-License-Identifier: Apache-2.0
// RMSNorm or LayerNorm in front of a layer, fused with the addition that is pending on the stream.
#pragma once

#include "engine/model/layer.h"
#include "engine/model/parameters.h"

namespace unmask {

class Norm {
 public:
    Norm(const SlabBinding& slab, const std::string& name, double epsilon);

    struct Buffers {
        at::Tensor sum, y, rstd, mean;  // mean is undefined with RMSNorm
    };
    void forward(const Stream& in, const Buffers& out) const;
    // Adds to `gradient`, that of the sum. scratch: work[reduction]. With `restoring`, gradientY becomes the output of
    // the forward pass once more.
    void backward(const at::Tensor& gradientY, const Buffers& saved, const at::Tensor& gradient,
                  const at::Tensor& scratch, bool restoring = false) const;

 private:
    Weight m_weight;
    Weight m_bias;
    double m_epsilon;
};

}  // namespace unmask
