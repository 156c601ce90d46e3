// SPDX-License-Identifier: Apache-2.0
// Reads a log file for LogModel, in another thread: where lines begin, as the file grows, and the text of blocks asked
// for.
#pragma once

#include <QFile>
#include <QObject>
#include <QTimer>
#include <atomic>
#include <memory>
#include <vector>

namespace unmask::ui {

class LogIndexer final : public QObject {
    Q_OBJECT

 public:
    // Requests of an older generation than `newest` are dropped.
    explicit LogIndexer(int blockLines) : m_blockLines(blockLines) {}
    void setNewest(quint64 generation) { m_newest = generation; }

    void open(quint64 generation, const QString& file);
    void read(quint64 generation, int block);
    void find(quint64 generation, const QString& text, int fromRow, bool backwards);

 Q_SIGNALS:
    void indexed(quint64 generation, const std::vector<qint64>& newOffsets);
    void cut(quint64 generation);  // the file became shorter: everything is read anew
    void blockRead(quint64 generation, int block, const QStringList& lines);
    void found(quint64 generation, int row);
    void problem(quint64 generation, const QString& sentence);

 private:
    void follow();
    bool openFile();
    QStringList linesOf(int block);

    const int m_blockLines;
    std::atomic<quint64> m_newest{0};
    quint64 m_generation = 0;
    QString m_name;
    std::unique_ptr<QFile> m_file;
    std::unique_ptr<QTimer> m_timer;
    std::vector<qint64> m_offsets;
    qint64 m_seen = 0;        // bytes looked through
    bool m_lineOpen = false;  // the last line has begun and has no newline yet
    bool m_missingTold = false;
};

}  // namespace unmask::ui
