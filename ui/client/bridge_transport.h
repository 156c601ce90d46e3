// SPDX-License-Identifier: Apache-2.0
// Carries the bytes of one bridge: a child process here, an SSH channel on a server, a FakeEngine in tests.
#pragma once

#include <QByteArray>
#include <QObject>
#include <functional>

namespace unmask::ui {

class BridgeTransport : public QObject {
    Q_OBJECT

 public:
    using QObject::QObject;

    virtual void start(qint64 fromSeq) = 0;
    virtual void write(const QByteArray& line) = 0;  // one command with its newline
    virtual void stop() = 0;                         // ends the bridge, never the training

 Q_SIGNALS:
    void bytesReceived(const QByteArray& bytes);
    // `clean`: the run is not running and all was printed. Otherwise `reason` says what was heard last.
    void ended(bool clean, const QString& reason);
};

// Makes a fresh transport for each attempt to connect.
using TransportFactory = std::function<BridgeTransport*(QObject* parent)>;

}  // namespace unmask::ui
