// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_config.h"

#include <glob.h>
#include <libssh/libssh.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <functional>
#include <memory>

#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestInclude = 8;
constexpr int kMostHops = 8;
constexpr qint64 kLargestConfig = 1 << 20;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::SshRoute)
};

// Calls for each line: keyword in small letters, then its words.
void eachLine(const fs::path& config, const fs::path& folder,
              const std::function<void(const QString&, const QStringList&)>& take, int depth = 0) {
    if (depth > kDeepestInclude || !QFileInfo(fromPath(config)).isFile())
        return;
    QFile file(fromPath(config));
    if (!file.open(QIODevice::ReadOnly))
        return;
    static const QRegularExpression blanks(QStringLiteral("[\\s=]+"));
    for (const QByteArray& raw : file.read(kLargestConfig).split('\n')) {
        const QString line = QString::fromUtf8(raw).trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        QStringList words = line.split(blanks, Qt::SkipEmptyParts);
        for (QString& word : words)
            word.remove(u'"');
        if (words.isEmpty())
            continue;
        const QString keyword = words.takeFirst().toLower();
        if (keyword != QLatin1String("include")) {
            take(keyword, words);
            continue;
        }
        for (const QString& pattern : words) {
            QString full = pattern.startsWith(QLatin1String("~/")) ? QDir::homePath() + pattern.mid(1) : pattern;
            if (!full.startsWith(u'/'))
                full = fromPath(folder) + u'/' + full;
            glob_t found{};
            if (glob(QFile::encodeName(full).constData(), 0, nullptr, &found) == 0)
                for (size_t i = 0; i < found.gl_pathc; ++i)
                    eachLine(found.gl_pathv[i], folder, take, depth + 1);
            globfree(&found);
        }
    }
}

bool matches(const QString& host, const QStringList& patterns) {
    bool good = false;
    for (const QString& pattern : patterns) {
        const bool negated = pattern.startsWith(u'!');
        const QRegularExpression expression(
            QRegularExpression::wildcardToRegularExpression(negated ? pattern.mid(1) : pattern));
        if (!expression.match(host).hasMatch())
            continue;
        if (negated)
            return false;
        good = true;
    }
    return good;
}

// Lines that count for this name. `Match` is left to libssh, except for `Match all`.
void eachLineFor(const QString& host, const SshPlaces& places,
                 const std::function<void(const QString&, const QStringList&)>& take) {
    bool active = true;
    eachLine(places.config, places.folder, [&](const QString& keyword, const QStringList& words) {
        if (keyword == QLatin1String("host"))
            active = matches(host, words);
        else if (keyword == QLatin1String("match"))
            active = words.value(0).compare(QLatin1String("all"), Qt::CaseInsensitive) == 0;
        else if (active && !words.isEmpty())
            take(keyword, words);
    });
}

// libssh 0.10 makes a command of ProxyJump in which the hosts stand in the wrong order, so the line is read here.
QString proxyJumpOf(const QString& host, const SshPlaces& places) {
    QString jumps;
    eachLineFor(host, places, [&](const QString& keyword, const QStringList& words) {
        if (keyword == QLatin1String("proxyjump") && jumps.isEmpty())
            jumps = words.join(QString());
    });
    return jumps;
}

std::vector<fs::path> keyFilesOf(const ServerAddress& address, const SshHop& hop, const SshPlaces& places) {
    std::vector<fs::path> files;
    const auto add = [&](QString name) {
        name.replace(QLatin1String("%d"), QDir::homePath()).replace(QLatin1String("%h"), hop.host);
        name.replace(QLatin1String("%r"), hop.user);
        if (name.startsWith(QLatin1String("~/")))
            name = QDir::homePath() + name.mid(1);
        const fs::path file = name.startsWith(u'/') ? toPath(name) : places.folder / toPath(name);
        if (std::find(files.begin(), files.end(), file) == files.end())
            files.push_back(file);
    };
    if (!address.keyFile.isEmpty())
        add(address.keyFile);
    eachLineFor(address.host, places, [&](const QString& keyword, const QStringList& words) {
        if (keyword == QLatin1String("identityfile"))
            add(words.join(u' '));
    });
    for (const char* usual : {"id_ed25519", "id_ecdsa", "id_rsa"})
        if (std::error_code error; fs::exists(places.folder / usual, error))
            add(QLatin1String(usual));
    return files;
}

QString optionOf(ssh_session session, ssh_options_e option) {
    char* value = nullptr;
    if (ssh_options_get(session, option, &value) != SSH_OK || !value)
        return {};
    const QString text = QString::fromUtf8(value);
    ssh_string_free_char(value);
    return text;
}

void parseConfig(ssh_session session, const fs::path& file) {
    if (!file.empty() && QFileInfo(fromPath(file)).isFile())
        ssh_options_parse_config(session, file.c_str());
}

class RouteMaker {
 public:
    explicit RouteMaker(const SshPlaces& places) : m_places(places) {}

    SshRoute make(const ServerAddress& address) {
        append(address, 0);
        return std::move(m_route);
    }

 private:
    void append(const ServerAddress& address, int depth) {
        if (!m_route.problem.isEmpty())
            return;
        if (depth > kMostHops || m_route.hops.size() >= kMostHops) {
            m_route.problem =
                Words::tr("The way to this server has more than %1 jump hosts, or goes in a circle.").arg(kMostHops);
            return;
        }
        const std::unique_ptr<ssh_session_struct, void (*)(ssh_session)> session(ssh_new(), ssh_free);
        ssh_options_set(session.get(), SSH_OPTIONS_HOST, address.host.toUtf8().constData());
        parseConfig(session.get(), m_places.config);
        parseConfig(session.get(), m_places.globalConfig);
        QStringList jumps = address.jumps;
        if (const QString configured = proxyJumpOf(address.host, m_places); jumps.isEmpty() && !configured.isEmpty())
            jumps = configured == QLatin1String("none") ? QStringList() : configured.split(u',');
        else if (jumps.isEmpty() && !takeProxy(optionOf(session.get(), SSH_OPTIONS_PROXYCOMMAND), jumps))
            return;
        for (const QString& jump : jumps) {
            const AddressReading reading = readServerAddress(jump);
            if (!reading.address) {
                m_route.problem = Words::tr("Jump host: %1").arg(reading.problem);
                return;
            }
            append(*reading.address, depth + 1);
        }
        if (m_route.problem.isEmpty())
            m_route.hops.push_back(hopOf(session.get(), address));
    }

    bool takeProxy(const QString& command, QStringList& jumps) {
        if (command.isEmpty() || command == QLatin1String("none"))
            return true;
        const std::optional<ServerAddress> jump = jumpOfProxyCommand(command);
        if (!jump) {
            m_route.problem = Words::tr(
                "~/.ssh/config reaches this server by a ProxyCommand that is not `ssh -W`. "
                "Use ProxyJump instead.");
            return false;
        }
        jumps = jump->jumps;
        jumps += addressText(*jump);
        return true;
    }

    SshHop hopOf(ssh_session session, const ServerAddress& address) {
        SshHop hop;
        hop.host = optionOf(session, SSH_OPTIONS_HOST);
        if (!isServerHost(hop.host))
            hop.host = address.host;
        hop.user = address.user.isEmpty() ? optionOf(session, SSH_OPTIONS_USER) : address.user;
        if (hop.user.isEmpty())
            hop.user = QString::fromLocal8Bit(qgetenv("USER"));
        unsigned int port = 22;
        ssh_options_get_port(session, &port);
        hop.port = address.port > 0 ? address.port : static_cast<int>(port);
        hop.agentSocket = m_places.agentSocket;
        hop.keyFiles = keyFilesOf(address, hop, m_places);
        return hop;
    }

    const SshPlaces& m_places;
    SshRoute m_route;
};

}  // namespace

SshPlaces SshPlaces::ofUser() {
    const fs::path folder = toPath(QDir::homePath()) / ".ssh";
    return {folder, folder / "config", "/etc/ssh/ssh_config", folder / "known_hosts", "/etc/ssh/ssh_known_hosts", {}};
}

SshRoute routeTo(const ServerAddress& address, const SshPlaces& places) {
    return RouteMaker(places).make(address);
}

QStringList configuredHosts(const SshPlaces& places) {
    QStringList hosts;
    eachLine(places.config, places.folder, [&](const QString& keyword, const QStringList& words) {
        if (keyword != QLatin1String("host"))
            return;
        for (const QString& word : words)
            if (isServerHost(word) && !word.contains(u'%') && !hosts.contains(word))
                hosts += word;
    });
    return hosts;
}

}  // namespace unmask::ui
