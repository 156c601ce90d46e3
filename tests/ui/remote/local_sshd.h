// SPDX-License-Identifier: Apache-2.0
// A real sshd on loopback with keys, configuration, known hosts and a home folder of its own in a temporary folder.
#pragma once

#include <unistd.h>

#include <QProcess>
#include <QTcpServer>
#include <QTcpSocket>
#include <QThread>
#include <filesystem>

#include "tests/support/temp_run.h"
#include "ui/remote/ssh_config.h"

namespace unmask::test {

class LocalSshd {
 public:
    explicit LocalSshd(const QString& hostKeyType = QStringLiteral("ed25519")) {
        if (!std::filesystem::exists(kProgram))
            return;
        if (geteuid() == 0)
            std::filesystem::create_directories("/run/sshd");  // it insists where it is root
        makeKey("client", QStringLiteral("ed25519"), {});
        changeHostKey(hostKeyType);
        writeBytes(path("authorized"), readBytes(path("client.pub")));
        places.folder = m_folder.path();
        places.config = path("config");
        places.knownHosts = path("known_hosts");
        QTcpServer free;
        free.listen(QHostAddress::LocalHost);
        port = free.serverPort();
        free.close();
    }
    ~LocalSshd() { stop(); }

    static bool present() { return std::filesystem::exists(kProgram); }
    std::filesystem::path path(const char* name) const { return m_folder.path() / name; }

    void makeKey(const char* name, const QString& type, const QString& passphrase) const {
        QProcess::execute(QStringLiteral("ssh-keygen"),
                          {QStringLiteral("-q"), QStringLiteral("-t"), type, QStringLiteral("-N"), passphrase,
                           QStringLiteral("-f"), QString::fromStdString(path(name).string())});
    }
    void changeHostKey(const QString& type) {
        std::filesystem::remove(path("host"));
        std::filesystem::remove(path("host.pub"));
        makeKey("host", type, {});
    }
    bool start() {
        const std::string at = m_folder.path().string();
        std::filesystem::create_directories(path("home"));
        writeBytes(path("sshd_config"), "ListenAddress 127.0.0.1\nPort " + std::to_string(port) + "\nHostKey " + at +
                                            "/host\nAuthorizedKeysFile " + at +
                                            "/authorized\nPidFile none\nStrictModes no\n"
                                            "UsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n" +
                                            std::string(hasSftp ? "Subsystem sftp internal-sftp\n" : "") +
                                            "SetEnv HOME=" + at + "/home\n" + more);
        m_process.start(QString::fromLatin1(kProgram),
                        {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"),
                         QString::fromStdString(path("sshd_config").string())});
        for (int i = 0; i < 200; ++i) {
            QTcpSocket probe;
            probe.connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(port));
            if (probe.waitForConnected(50))
                return true;
            QThread::msleep(20);
        }
        return false;
    }
    void stop() {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.terminate();
        m_process.waitForFinished(3000);
    }
    ui::SshRoute route(const char* key = "client") const {
        ui::ServerAddress address{QStringLiteral("127.0.0.1"), qEnvironmentVariable("USER", QStringLiteral("root")),
                                  port};
        address.keyFile = QString::fromStdString(path(key).string());
        return ui::routeTo(address, places);
    }

    // What `login shell -c command` would be if the account had another shell; $SSH_ORIGINAL_COMMAND is the command.
    void setShell(const std::string& line) { more = "ForceCommand " + line + "\n"; }

    int port = 0;
    ui::SshPlaces places;
    std::string more;  // lines of its configuration
    bool hasSftp = true;

 private:
    static constexpr const char* kProgram = "/usr/sbin/sshd";
    TempFolder m_folder;
    QProcess m_process;
};

}  // namespace unmask::test
