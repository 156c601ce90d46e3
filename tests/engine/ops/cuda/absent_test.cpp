// SPDX-License-Identifier: Apache-2.0
// A build without a GPU half: whoever gets there all the same is told so in words.
#include <gtest/gtest.h>

#include <functional>

#include "engine/base/error.h"
#include "engine/ops/cuda/kernels.h"
#include "engine/ops/device.h"

namespace unmask {
namespace {

TEST(AbsentGpu, EveryOpSaysThatThisBuildHasNoGpu) {
    const at::Tensor none;
    const std::function<void()> ops[] = {[&] { cuda::normForward({}); },
                                         [&] { cuda::normBackward({}); },
                                         [&] { cuda::rotaryTable(none, 1); },
                                         [&] { cuda::rotaryForward({}); },
                                         [&] { cuda::rotaryBackward({}); },
                                         [&] { cuda::swigluForward(none, none); },
                                         [&] { cuda::swigluBackward(none, none, none); },
                                         [&] { cuda::geluForward(none, none); },
                                         [&] { cuda::geluBackward(none, none, none); },
                                         [&] { cuda::embeddingForward(none, none, none); },
                                         [&] { cuda::embeddingBackward(none, none, none); },
                                         [&] { cuda::gatherRows(none, none, none); },
                                         [&] { cuda::scatterAddRows(none, none, none); },
                                         [&] { cuda::deviceUpdate({}, {}); },
                                         [&] { cuda::zeroGradients({}); },
                                         [&] { cuda::recordStep({}); },
                                         [&] { cuda::closeStep(none, none, none, none); },
                                         [&] { cuda::deviceScalarBytes(); },
                                         [&] { cuda::deviceNormPartials(); }};
    for (const auto& op : ops)
        try {
            op();
            ADD_FAILURE() << "an op of the GPU ran";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::badInput);
            EXPECT_NE(std::string(error.what()).find("CPU only"), std::string::npos) << error.what();
        }
    EXPECT_FALSE(gpuProblem().empty());
}

}  // namespace
}  // namespace unmask
