// SPDX-License-Identifier: Apache-2.0
// One program run on a server. What is handed to the login shell is always the same: `/bin/sh -s`; the rest goes to
// that shell's input, each word quoted. What login shells and start-up files print, in whatever dialect, stays outside
// of the two marks that the program's output lies between.
#pragma once

#include <QPointer>
#include <QTimer>

#include "ui/remote/marked_stream.h"
#include "ui/remote/ssh_session.h"

namespace unmask::ui {

struct RemoteProgram {
    QByteArray script;  // fixed text of ours for /bin/sh, with `words` as its $1, $2, …; or empty:
    QStringList words;  // program and arguments, each taken as it is; "~/…" as the program is in the home folder
    QStringList environment;  // "NAME=value", where $OTHER stands for what is set there
    QString folder;           // where it runs; empty: the home folder
    QByteArray input;         // all of its standard input
    bool moreInput = false;   // its input follows by write(), until endInput()
};

struct RemoteLimits {
    int beginMs = 20000;  // until /bin/sh answers
    int runMs = 60000;    // from then on; 0: none. The program is ended there too, where the server has `timeout`
    qint64 mostOutput = qint64{4} << 20;
    qint64 mostErrors = qint64{256} << 10;
    bool streams = false;  // output is handed out as it comes, and `mostOutput` does not count
};

enum class RemoteFault {
    none,      // the program ran; its exit code says how
    badWord,   // cannot be given to a program: nothing was sent
    noShell,   // the account has no shell that starts /bin/sh
    noAnswer,  // within beginMs
    timedOut,  // within runMs
    tooMuch,   // output beyond the limit
    linkDown,  // the connection broke; whether the program ran is not known
};

struct RemoteReply {
    RemoteFault fault = RemoteFault::none;
    int exitCode = -1;  // where fault is none
    QByteArray output;  // not where it was streamed
    QByteArray errors;
    QString sentence;  // where fault is not none

    bool good() const { return fault == RemoteFault::none && exitCode == 0; }
    QString lastWords() const;  // for people: the sentence, or the last line of errors or output
};

class RemoteCommand final : public QObject {
    Q_OBJECT

 public:
    // Begins at once; signals come from the event loop of the thread that made it.
    RemoteCommand(std::shared_ptr<SshThread> link, const RemoteProgram& program, RemoteLimits limits = {},
                  QObject* parent = nullptr);

    void write(const QByteArray& bytes);
    void endInput();
    void stop();  // closes the channel: the program's input ends and its output breaks; nothing is said any more

 Q_SIGNALS:
    void begun();
    void received(const QByteArray& bytes);  // where it streams
    void finished(const unmask::ui::RemoteReply& reply);

 private:
    void onOutput(const QByteArray& bytes);
    void onErrors(const QByteArray& bytes);
    void onBegun();
    void onEnded(const ChannelEnd& end);
    void end(RemoteFault fault, const QString& sentence);
    void endWhenBothEnded();

    RemoteLimits m_limits;
    MarkedStream m_out;
    MarkedStream m_err;
    SshChannel* m_channel = nullptr;
    QByteArray m_waiting;  // input, until the shell has read its own
    bool m_inputEnds = false;
    bool m_over = false;
    QTimer m_timer;
    RemoteReply m_reply;
};

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::RemoteReply)
