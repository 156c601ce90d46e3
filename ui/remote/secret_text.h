// SPDX-License-Identifier: Apache-2.0
// Passwords and passphrases: in memory only, overwritten when they go, never copied by accident, never printed.
#pragma once

#include <QString>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace unmask::ui {

class SecretText {
 public:
    SecretText() = default;
    explicit SecretText(const QString& text);
    ~SecretText() { wipe(); }
    SecretText(SecretText&& other) noexcept { *this = std::move(other); }
    SecretText& operator=(SecretText&& other) noexcept;
    SecretText(const SecretText&) = delete;
    SecretText& operator=(const SecretText&) = delete;

    SecretText clone() const;
    const char* bytes() const { return m_bytes.c_str(); }
    size_t size() const { return m_bytes.size(); }

 private:
    void wipe();
    std::string m_bytes;
};

// What was typed and accepted, for logging in again after a cut while the studio runs. Any thread.
class SecretStore {
 public:
    // False when there is none. `what` names the question, not the secret.
    bool take(const QString& what, SecretText& secret) const;
    void keep(const QString& what, const SecretText& secret);
    void forget(const QString& what);

 private:
    mutable std::mutex m_mutex;
    std::map<QString, SecretText> m_secrets;
};

}  // namespace unmask::ui
