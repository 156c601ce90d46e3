// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/remote_command.h"

#include <QRandomGenerator>

#include "engine/base/text.h"
#include "ui/remote/shell_text.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kAfterwardsMs = 2000;  // the other stream's end mark, when one has come

QByteArray randomName() {
    QByteArray bytes(16, 0);
    for (char& byte : bytes)
        byte = static_cast<char>(QRandomGenerator::system()->generate());
    return "unmask-" + bytes.toHex();
}

// Nothing where a word cannot be given to a program.
std::optional<QByteArray> bodyOf(const RemoteProgram& program, const RemoteLimits& limits) {
    QByteArray body;
    for (const QString& line : program.environment) {
        const auto text = shellExport(line);
        if (!text)
            return std::nullopt;
        body += *text + '\n';
    }
    const auto folder = shellPath(program.folder.isEmpty() ? QStringLiteral("~") : program.folder);
    if (!folder)
        return std::nullopt;
    body += "cd " + *folder + " || exit 125\n";
    QByteArray words;
    for (qsizetype i = 0; i < program.words.size(); ++i) {
        const bool isProgram = i == 0 && program.script.isEmpty();
        const auto word = isProgram ? shellPath(program.words[i]) : shellWord(program.words[i]);
        if (!word)
            return std::nullopt;
        words += ' ' + *word;
    }
    if (!program.script.isEmpty())
        return body + "set --" + words + '\n' + program.script + '\n';
    if (limits.runMs == 0)
        return body + "exec" + words + '\n';
    const QByteArray seconds = QByteArray::number(limits.runMs / 1000 + 2);
    return body + "if command -v timeout >/dev/null 2>&1\nthen exec timeout -k 5 " + seconds + words + "\nelse exec" +
           words + "\nfi\n";
}

// One compound command: the shell has read all of it before it prints the first mark, so that what is sent afterwards
// is the program's own input, however much a shell reads ahead. The marks are put together by printf, since a login
// shell may echo its input.
QByteArray scriptOf(const QByteArray& body, bool hasInput, const QByteArray& name) {
    const auto mark = [&](const char* kind) { return "printf '%s-%s\\n' " + name + ' ' + kind + '\n'; };
    return "{\n" + mark("begin") + "printf '%s-%s\\n' " + name + " begin >&2\n(\n" + body + ")" +
           (hasInput ? "" : " </dev/null") + "\nunmask_code=$?\nprintf '%s-%s %s\\n' " + name +
           " end \"$unmask_code\"\nprintf '%s-%s %s\\n' " + name + " end \"$unmask_code\" >&2\nexit 0\n}\n";
}

}  // namespace

QString RemoteReply::lastWords() const {
    if (!sentence.isEmpty())
        return sentence;
    for (const QByteArray& text : {errors, output})
        for (const auto& lines = text.trimmed().split('\n'); !lines.last().trimmed().isEmpty();)
            return fromUtf8(harmless(toValidUtf8(lines.last().trimmed().left(500).toStdString())));
    return RemoteCommand::tr("the program ended with code %1 and said nothing").arg(exitCode);
}

RemoteCommand::RemoteCommand(std::shared_ptr<SshThread> link, const RemoteProgram& program, RemoteLimits limits,
                             QObject* parent)
    : QObject(parent), m_limits(limits), m_out({}, {}), m_err({}, {}) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_out.ended())
            end(RemoteFault::none, {});
        else if (m_out.begun())
            end(RemoteFault::timedOut,
                tr("The program on the server did not end within %1 s.").arg(m_limits.runMs / 1000));
        else
            end(RemoteFault::noAnswer,
                tr("The shell on the server did not answer within %1 s.").arg(m_limits.beginMs / 1000));
    });
    const auto body = bodyOf(program, limits);
    if (!body) {
        QMetaObject::invokeMethod(
            this, [this] { end(RemoteFault::badWord, tr("A word holds a character that no program can be given.")); },
            Qt::QueuedConnection);
        return;
    }
    const QByteArray name = randomName();
    m_out = MarkedStream(name + "-begin\n", name + "-end ");
    m_err = MarkedStream(name + "-begin\n", name + "-end ");
    m_waiting = program.input;
    m_inputEnds = !program.moreInput;
    m_channel = new SshChannel(std::move(link), "/bin/sh -s", false, this);
    connect(m_channel, &SshChannel::received, this, &RemoteCommand::onOutput);
    connect(m_channel, &SshChannel::errorReceived, this, &RemoteCommand::onErrors);
    connect(m_channel, &SshChannel::ended, this, &RemoteCommand::onEnded);
    m_channel->write(scriptOf(*body, program.moreInput || !program.input.isEmpty(), name));
    m_timer.start(limits.beginMs);
}

void RemoteCommand::write(const QByteArray& bytes) {
    if (m_out.begun() && m_channel)
        m_channel->write(bytes);
    else
        m_waiting += bytes;
}

void RemoteCommand::endInput() {
    m_inputEnds = true;
    if (m_out.begun() && m_channel)
        m_channel->endInput();
}

void RemoteCommand::stop() {
    m_over = true;
    m_timer.stop();
    if (m_channel) {
        m_channel->disconnect(this);
        m_channel->deleteLater();  // it may be its signal that brought us here
        m_channel = nullptr;
    }
}

void RemoteCommand::onBegun() {
    if (m_limits.runMs > 0)
        m_timer.start(m_limits.runMs);
    else
        m_timer.stop();
    if (!m_waiting.isEmpty())
        m_channel->write(std::exchange(m_waiting, {}));
    if (m_inputEnds)
        m_channel->endInput();
    Q_EMIT begun();
}

void RemoteCommand::onOutput(const QByteArray& bytes) {
    if (m_over)
        return;
    const bool before = m_out.begun();
    const QByteArray inside = m_out.take(bytes);
    if (!before && m_out.begun())
        onBegun();
    if (m_over)
        return;
    if (m_limits.streams && !inside.isEmpty())
        Q_EMIT received(inside);
    else if (!m_limits.streams)
        m_reply.output += inside;
    if (m_reply.output.size() > m_limits.mostOutput)
        end(RemoteFault::tooMuch, tr("The program on the server said more than %1 bytes.").arg(m_limits.mostOutput));
    else
        endWhenBothEnded();
}

void RemoteCommand::onErrors(const QByteArray& bytes) {
    if (m_over)
        return;
    m_reply.errors += m_err.take(bytes);
    if (m_reply.errors.size() > m_limits.mostErrors)  // the last words matter
        m_reply.errors = m_reply.errors.right(m_limits.mostErrors / 2);
    endWhenBothEnded();
}

// Something that the program left behind may keep the channel open for ever, so the marks end it.
void RemoteCommand::endWhenBothEnded() {
    if (m_over || !m_out.ended())
        return;
    if (m_err.ended())
        end(RemoteFault::none, {});
    else
        m_timer.start(kAfterwardsMs);
}

void RemoteCommand::onEnded(const ChannelEnd& channelEnd) {
    if (m_over)
        return;
    if (m_out.ended())
        return end(RemoteFault::none, {});
    if (!channelEnd.reason.isEmpty())
        return end(RemoteFault::linkDown, channelEnd.reason);
    if (m_out.begun())
        return end(RemoteFault::linkDown, tr("The program on the server was broken off."));
    QByteArray said = m_err.noise().trimmed();
    if (said.isEmpty())
        said = m_out.noise().trimmed();
    const QString line = fromUtf8(harmless(toValidUtf8(said.right(300).toStdString())));
    end(RemoteFault::noShell, line.isEmpty() ? tr("The account on the server starts no shell.")
                                             : tr("The account on the server starts no shell. It said: %1").arg(line));
}

void RemoteCommand::end(RemoteFault fault, const QString& sentence) {
    if (m_over)
        return;
    m_reply.fault = fault;
    m_reply.sentence = sentence;
    m_reply.exitCode = fault == RemoteFault::none ? m_out.code() : -1;
    stop();
    Q_EMIT finished(m_reply);
}

}  // namespace unmask::ui
