// SPDX-License-Identifier: Apache-2.0
// Lines of a log file of any size. Another thread indexes where each line begins and follows the file's growth; text is
// read in blocks when a view asks for it, never the whole file. A row whose block is on its way shows an ellipsis.
#pragma once

#include <QAbstractListModel>
#include <QCache>
#include <QSet>
#include <QThread>

namespace unmask::ui {

class LogIndexer;

class LogModel final : public QAbstractListModel {
    Q_OBJECT

 public:
    enum Role { OffsetRole = Qt::UserRole + 1 };

    explicit LogModel(QObject* parent = nullptr);
    ~LogModel() override;

    void open(const QString& file);  // an empty name closes
    const QString& file() const { return m_file; }
    void findNext(const QString& text, int fromRow, bool backwards = false);  // answered by found()

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

 Q_SIGNALS:
    void found(int row);  // -1: nowhere
    void problem(const QString& sentence);

 private:
    void onIndexed(quint64 generation, const std::vector<qint64>& newOffsets);
    void onCut(quint64 generation);
    void onBlock(quint64 generation, int block, const QStringList& lines);

    static constexpr int kBlockLines = 256;
    QString m_file;
    quint64 m_generation = 0;
    std::vector<qint64> m_offsets;  // where each complete or last line begins
    mutable QCache<int, QStringList> m_blocks;
    mutable QSet<int> m_asked;
    QThread m_thread;
    LogIndexer* m_indexer = nullptr;
};

}  // namespace unmask::ui
