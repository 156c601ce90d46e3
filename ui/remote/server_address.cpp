// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_address.h"

#include <QCoreApplication>
#include <QHostAddress>

namespace unmask::ui {
namespace {

constexpr qsizetype kLongestHost = 255;
constexpr qsizetype kLongestUser = 64;
constexpr int kLargestPort = 65535;
constexpr qsizetype kMostJumps = 8;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::ServerAddress)
};

AddressReading refused(const QString& problem) {
    return {std::nullopt, problem};
}

// Letters of any script count, since aliases may be in Chinese; control and direction marks are no letters.
bool onlyLettersAnd(const QString& text, const char* others) {
    const QLatin1String more(others);
    for (const char32_t c : text.toUcs4())
        if (!QChar::isLetterOrNumber(c) && !(c < 128 && more.contains(QChar(static_cast<char16_t>(c)))))
            return false;
    return true;
}

int readPort(const QString& text) {
    bool good = false;
    const int port = text.toInt(&good);
    const bool digits = std::all_of(text.begin(), text.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
    return good && digits && port >= 1 && port <= kLargestPort ? port : 0;
}

// Words of a pasted line; quotes hold a word together, and nothing is expanded.
std::optional<QStringList> splitWords(const QString& line) {
    QStringList words;
    QString word;
    QChar quote;
    bool inWord = false;
    for (const QChar c : line) {
        if (!quote.isNull()) {
            if (c == quote)
                quote = QChar();
            else
                word += c;
        } else if (c == u'\'' || c == u'"') {
            quote = c;
            inWord = true;
        } else if (c.isSpace()) {
            if (inWord)
                words += word;
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (!quote.isNull())
        return std::nullopt;
    if (inWord)
        words += word;
    return words;
}

// `user@host:port`, `ssh://user@host:port`, `[::1]:22`.
AddressReading readPlace(QString text) {
    if (text.startsWith(QLatin1String("ssh://"))) {
        text = text.mid(6);
        if (text.endsWith(u'/'))
            text.chop(1);
    }
    ServerAddress address;
    if (const qsizetype at = text.lastIndexOf(u'@'); at >= 0) {
        address.user = text.left(at);
        text = text.mid(at + 1);
        if (!isServerUser(address.user))
            return refused(Words::tr("The user name has characters that cannot be in one, or is empty."));
    }
    QString port;
    const qsizetype close = text.indexOf(u']');
    if (text.startsWith(u'[') && close > 0) {
        const QString rest = text.mid(close + 1);
        if (!rest.isEmpty() && !rest.startsWith(u':'))
            return refused(Words::tr("After the ] of an address only a port may follow."));
        port = rest.mid(1);
        address.host = text.mid(1, close - 1);
        if (!rest.isEmpty() && port.isEmpty())
            return refused(Words::tr("The port must be a number from 1 to 65535."));
    } else if (text.count(u':') == 1) {
        address.host = text.section(u':', 0, 0);
        port = text.section(u':', 1);
        if (port.isEmpty())
            return refused(Words::tr("The port must be a number from 1 to 65535."));
    } else {
        address.host = text;
    }
    if (!isServerHost(address.host))
        return refused(Words::tr("The host name is empty or has characters that cannot be in one."));
    if (!port.isEmpty() && (address.port = readPort(port)) == 0)
        return refused(Words::tr("The port must be a number from 1 to 65535."));
    return {address, {}};
}

// Reads the words after `ssh`.
class CommandReader {
 public:
    CommandReader(QStringList words, bool proxy) : m_words(std::move(words)), m_proxy(proxy) {}

    AddressReading read() {
        for (; m_at < m_words.size() && m_problem.isEmpty(); ++m_at) {
            const QString word = m_words[m_at];
            if (word.startsWith(u'-') && word.size() > 1)
                takeOption(word);
            else if (m_place.isEmpty())
                m_place = word;
            else
                m_problem = Words::tr("A command after the host is not taken: %1").arg(word.left(40));
        }
        if (m_problem.isEmpty() && m_place.isEmpty())
            m_problem = Words::tr("The command names no host.");
        if (!m_problem.isEmpty())
            return refused(m_problem);
        AddressReading reading = readPlace(m_place);
        if (!reading.address)
            return reading;
        ServerAddress& address = *reading.address;
        if (address.user.isEmpty())
            address.user = m_options.user;
        if (address.port == 0)
            address.port = m_options.port;
        if (!m_hostName.isEmpty())
            address.host = m_hostName;
        address.jumps = m_options.jumps;
        address.keyFile = m_options.keyFile;
        return reading;
    }

 private:
    void takeOption(const QString& word) {
        static const QString kSilent = QStringLiteral("AaCfGgKkMNnqsTtVvXxYy46");  // change nothing that we use
        for (qsizetype i = 1; i < word.size() && m_problem.isEmpty(); ++i) {
            const QChar letter = word[i];
            if (kSilent.contains(letter))
                continue;
            QString value = word.mid(i + 1);
            if (value.isEmpty())
                value = m_words.value(++m_at);
            takeValue(letter, value);
            return;
        }
    }

    void takeValue(QChar letter, const QString& value) {
        if (value.isEmpty())
            m_problem = Words::tr("The option -%1 lacks its value.").arg(letter);
        else if (letter == u'p')
            take(QStringLiteral("port"), value);
        else if (letter == u'l')
            take(QStringLiteral("user"), value);
        else if (letter == u'i')
            take(QStringLiteral("identityfile"), value);
        else if (letter == u'J')
            take(QStringLiteral("proxyjump"), value);
        else if (letter == u'o')
            takeSetting(value);
        else if (!(m_proxy && (letter == u'W' || letter == u'F')))
            m_problem = Words::tr("The option -%1 is not understood here.").arg(letter);
    }

    void takeSetting(const QString& text) {
        const qsizetype cut = text.indexOf(u'=') >= 0 ? text.indexOf(u'=') : text.indexOf(u' ');
        take(text.left(cut).trimmed().toLower(), cut < 0 ? QString() : text.mid(cut + 1).trimmed());
    }

    void take(const QString& setting, const QString& value) {
        if (setting == QLatin1String("port")) {
            if ((m_options.port = readPort(value)) == 0)
                m_problem = Words::tr("The port must be a number from 1 to 65535.");
        } else if (setting == QLatin1String("user")) {
            m_options.user = value;
            if (!isServerUser(value))
                m_problem = Words::tr("The user name has characters that cannot be in one, or is empty.");
        } else if (setting == QLatin1String("hostname")) {
            m_hostName = value;
            if (!isServerHost(value))
                m_problem = Words::tr("The host name is empty or has characters that cannot be in one.");
        } else if (setting == QLatin1String("identityfile")) {
            m_options.keyFile = value;
            if (std::any_of(value.begin(), value.end(), [](QChar c) { return c.category() == QChar::Other_Control; }))
                m_problem = Words::tr("The path of the key has a control character.");
        } else if (setting == QLatin1String("proxyjump")) {
            takeJumps(value);
        } else {
            m_problem =
                Words::tr("The option -o %1 is not understood here; put it into ~/.ssh/config.").arg(setting.left(40));
        }
    }

    void takeJumps(const QString& value) {
        const QStringList jumps = value.split(u',');
        if (jumps.size() > kMostJumps)
            m_problem = Words::tr("More than %1 jump hosts are not taken.").arg(kMostJumps);
        for (const QString& jump : jumps) {
            const AddressReading reading = readPlace(jump);
            if (!reading.address)
                m_problem = Words::tr("Jump host: %1").arg(reading.problem);
            else
                m_options.jumps += addressText(*reading.address);
        }
    }

    QStringList m_words;
    bool m_proxy;
    qsizetype m_at = 0;
    QString m_place;
    QString m_hostName;
    ServerAddress m_options;
    QString m_problem;
};

}  // namespace

bool isServerHost(const QString& host) {
    if (host.contains(u':'))
        return onlyLettersAnd(host, "._-:%") && QHostAddress(host).protocol() == QAbstractSocket::IPv6Protocol;
    return !host.isEmpty() && host.size() <= kLongestHost && !host.startsWith(u'-') && !host.startsWith(u'.') &&
           !host.contains(QLatin1String("..")) && onlyLettersAnd(host, "._-");
}

// `name` or `name@realm`.
bool isServerUser(const QString& user) {
    const QStringList parts = user.split(u'@');
    return user.size() <= kLongestUser && parts.size() <= 2 &&
           std::all_of(parts.begin(), parts.end(), [](const QString& part) {
               return !part.isEmpty() && !part.startsWith(u'-') && !part.startsWith(u'.') &&
                      onlyLettersAnd(part, "._-+");
           });
}

AddressReading readServerAddress(const QString& text) {
    const QString line = text.trimmed();
    if (line.isEmpty())
        return refused(Words::tr("Type a host name, a name from ~/.ssh/config, or paste an ssh command."));
    const std::optional<QStringList> words = splitWords(line);
    if (!words)
        return refused(Words::tr("A quotation mark is not closed."));
    if (words->size() > 1 && words->first() == QLatin1String("ssh"))
        return CommandReader(words->mid(1), false).read();
    if (words->size() != 1)
        return refused(Words::tr("An address has no blanks; a pasted command begins with ssh."));
    return readPlace(line);
}

QString addressText(const ServerAddress& address) {
    QString text = address.host.contains(u':') ? QStringLiteral("[%1]").arg(address.host) : address.host;
    if (!address.user.isEmpty())
        text.prepend(address.user + u'@');
    if (address.port > 0)
        text += QStringLiteral(":%1").arg(address.port);
    return text;
}

std::optional<ServerAddress> jumpOfProxyCommand(const QString& command) {
    const std::optional<QStringList> words = splitWords(command);
    if (!words || words->size() < 4 || words->first() != QLatin1String("ssh") ||
        std::none_of(words->begin(), words->end(),
                     [](const QString& word) { return word.startsWith(QLatin1String("-W")); }))
        return std::nullopt;
    return CommandReader(words->mid(1), true).read().address;
}

}  // namespace unmask::ui
