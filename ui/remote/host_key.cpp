// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/host_key.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QFile>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

namespace fs = std::filesystem;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::HostKey)
};

enum class FileState { absent, readable, unreadable };

FileState stateOf(const fs::path& file) {
    struct stat status {};
    if (file.empty() || ::stat(file.c_str(), &status) != 0)
        return errno == EACCES ? FileState::unreadable : FileState::absent;
    return S_ISREG(status.st_mode) && ::access(file.c_str(), R_OK) == 0 ? FileState::readable : FileState::unreadable;
}

// libssh passes over @revoked lines. A key that somebody revoked anywhere is taken for no host.
bool isRevoked(const fs::path& file, const QByteArray& base64) {
    QFile list(fromPath(file));
    if (file.empty() || base64.isEmpty() || !list.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray& line : list.readAll().split('\n'))
        if (line.trimmed().startsWith("@revoked") && line.contains(base64))
            return true;
    return false;
}

HostKeyVerdict verdictOf(ssh_known_hosts_e state) {
    switch (state) {
        case SSH_KNOWN_HOSTS_OK:
            return HostKeyVerdict::known;
        case SSH_KNOWN_HOSTS_UNKNOWN:
            return HostKeyVerdict::unknown;
        case SSH_KNOWN_HOSTS_NOT_FOUND:
            return HostKeyVerdict::noFile;
        case SSH_KNOWN_HOSTS_CHANGED:
            return HostKeyVerdict::changed;
        case SSH_KNOWN_HOSTS_OTHER:
            return HostKeyVerdict::otherType;
        case SSH_KNOWN_HOSTS_ERROR:
            break;
    }
    return HostKeyVerdict::unreadable;
}

}  // namespace

HostKey judgeHostKey(ssh_session session, const SshPlaces& places) {
    HostKey result;
    ssh_key key = nullptr;
    if (ssh_get_server_publickey(session, &key) != SSH_OK) {
        result.detail = Words::tr("the server showed no key");
        return result;
    }
    result.type = QString::fromUtf8(ssh_key_type_to_char(ssh_key_type(key)));
    unsigned char* hash = nullptr;
    size_t length = 0;
    if (ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &length) == SSH_OK) {
        char* text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, length);
        result.fingerprint = QString::fromUtf8(text);
        ssh_string_free_char(text);
        ssh_clean_pubkey_hash(&hash);
    }
    char* encoded = nullptr;
    ssh_pki_export_pubkey_base64(key, &encoded);
    const QByteArray base64(encoded);
    ssh_string_free_char(encoded);
    ssh_key_free(key);
    for (const fs::path& file : {places.knownHosts, places.globalKnownHosts}) {
        if (stateOf(file) == FileState::unreadable) {
            result.detail = Words::tr("%1 cannot be read").arg(fromPath(file));
            return result;
        }
        if (isRevoked(file, base64)) {
            result.verdict = HostKeyVerdict::revoked;
            return result;
        }
    }
    result.verdict = verdictOf(ssh_session_is_known_server(session));
    if (result.verdict == HostKeyVerdict::unreadable)
        result.detail = QString::fromUtf8(ssh_get_error(session));
    return result;
}

bool rememberHostKey(ssh_session session, const SshPlaces& places, QString& problem) {
    std::error_code error;
    fs::create_directories(places.knownHosts.parent_path(), error);
    if (ssh_session_update_known_hosts(session) == SSH_OK)
        return true;
    problem = QString::fromUtf8(ssh_get_error(session));
    return false;
}

}  // namespace unmask::ui
