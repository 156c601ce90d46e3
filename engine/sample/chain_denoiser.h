// SPDX-License-Identifier: Apache-2.0
// A model as the denoiser of a sampler.
#pragma once

#include "engine/runtime/chain_runner.h"
#include "engine/sample/denoising_sampler.h"

namespace unmask {

Denoiser denoiserOf(ChainRunner& runner);  // the runner must outlive the function

}  // namespace unmask
