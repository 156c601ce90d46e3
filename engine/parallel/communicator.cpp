// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/communicator.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>

namespace unmask {

void Communicator::sum(std::span<double> numbers) {
    sum(at::from_blob(numbers.data(), {static_cast<int64_t>(numbers.size())}, at::TensorOptions().dtype(at::kDouble)));
}

std::string Communicator::broadcastText(const std::string& text, int root) {
    if (size() == 1)
        return text;
    const at::Tensor length = at::empty({1}, at::TensorOptions().dtype(at::kLong));
    *length.mutable_data_ptr<int64_t>() = static_cast<int64_t>(text.size());
    broadcast(length, root);
    const int64_t bytes = *length.const_data_ptr<int64_t>();
    if (bytes == 0)
        return {};
    const at::Tensor buffer = at::empty({bytes}, at::TensorOptions().dtype(at::kByte));
    if (rank() == root)
        std::copy(text.begin(), text.end(), buffer.mutable_data_ptr<uint8_t>());
    broadcast(buffer, root);
    const uint8_t* const first = buffer.const_data_ptr<uint8_t>();
    return {first, first + bytes};
}

}  // namespace unmask
