// SPDX-License-Identifier: Apache-2.0
// SHA-256 through OpenSSL, in pieces or at once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace unmask {

class Sha256 {
 public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;

    void update(const void* data, size_t size);
    void update(std::string_view bytes) { update(bytes.data(), bytes.size()); }
    std::string hex();  // 64 lower-case digits; the object may not be updated afterwards

 private:
    struct State;
    std::unique_ptr<State> m_state;
};

std::string sha256Hex(std::string_view bytes);
std::string sha256OfFile(const std::filesystem::path& file);  // throws Error when it cannot be read

}  // namespace unmask
