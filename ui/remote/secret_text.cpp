// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/secret_text.h"

#include <openssl/crypto.h>

#include <QByteArray>

namespace unmask::ui {

SecretText::SecretText(const QString& text) {
    QByteArray utf8 = text.toUtf8();
    m_bytes.assign(utf8.constData(), static_cast<size_t>(utf8.size()));
    OPENSSL_cleanse(utf8.data(), static_cast<size_t>(utf8.size()));
}

// By swapping: a moved std::string may leave a short text where it was.
SecretText& SecretText::operator=(SecretText&& other) noexcept {
    if (this != &other) {
        wipe();
        m_bytes.swap(other.m_bytes);
    }
    return *this;
}

SecretText SecretText::clone() const {
    SecretText copy;
    copy.m_bytes = m_bytes;
    return copy;
}

void SecretText::wipe() {
    OPENSSL_cleanse(m_bytes.data(), m_bytes.capacity());
    m_bytes.clear();
}

bool SecretStore::take(const QString& what, SecretText& secret) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_secrets.find(what);
    if (found == m_secrets.end())
        return false;
    secret = found->second.clone();
    return true;
}

void SecretStore::keep(const QString& what, const SecretText& secret) {
    const std::lock_guard lock(m_mutex);
    m_secrets.insert_or_assign(what, secret.clone());
}

void SecretStore::forget(const QString& what) {
    const std::lock_guard lock(m_mutex);
    m_secrets.erase(what);
}

}  // namespace unmask::ui
