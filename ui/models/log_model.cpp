// SPDX-License-Identifier: Apache-2.0
#include "ui/models/log_model.h"

#include "ui/models/log_indexer.h"

namespace unmask::ui {
namespace {

constexpr int kKeptBlocks = 64;

}  // namespace

LogModel::LogModel(QObject* parent)
    : QAbstractListModel(parent), m_blocks(kKeptBlocks), m_indexer(new LogIndexer(kBlockLines)) {
    m_indexer->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_indexer, &QObject::deleteLater);
    connect(m_indexer, &LogIndexer::indexed, this, &LogModel::onIndexed);
    connect(m_indexer, &LogIndexer::cut, this, &LogModel::onCut);
    connect(m_indexer, &LogIndexer::blockRead, this, &LogModel::onBlock);
    connect(m_indexer, &LogIndexer::found, this, [this](quint64 generation, int row) {
        if (generation == m_generation)
            Q_EMIT found(row);
    });
    connect(m_indexer, &LogIndexer::problem, this, [this](quint64 generation, const QString& sentence) {
        if (generation == m_generation)
            Q_EMIT problem(sentence);
    });
    m_thread.setObjectName(QStringLiteral("log-reader"));
    m_thread.start();
}

LogModel::~LogModel() {
    m_indexer->setNewest(++m_generation);
    m_thread.quit();
    m_thread.wait();
}

void LogModel::open(const QString& file) {
    beginResetModel();
    m_file = file;
    m_offsets.clear();
    m_blocks.clear();
    m_asked.clear();
    m_indexer->setNewest(++m_generation);
    endResetModel();
    QMetaObject::invokeMethod(
        m_indexer, [indexer = m_indexer, generation = m_generation, file] { indexer->open(generation, file); });
}

void LogModel::findNext(const QString& text, int fromRow, bool backwards) {
    QMetaObject::invokeMethod(m_indexer, [indexer = m_indexer, generation = m_generation, text, fromRow, backwards] {
        indexer->find(generation, text, fromRow, backwards);
    });
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_offsets.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == OffsetRole)
        return m_offsets[static_cast<size_t>(index.row())];
    if (role != Qt::DisplayRole)
        return {};
    const int block = index.row() / kBlockLines;
    if (const QStringList* lines = m_blocks.object(block))
        if (index.row() % kBlockLines < lines->size())
            return lines->at(index.row() % kBlockLines);
    if (!m_asked.contains(block)) {
        m_asked.insert(block);
        QMetaObject::invokeMethod(
            m_indexer, [indexer = m_indexer, generation = m_generation, block] { indexer->read(generation, block); });
    }
    return QStringLiteral("…");
}

void LogModel::onIndexed(quint64 generation, const std::vector<qint64>& newOffsets) {
    if (generation != m_generation)
        return;
    const int before = rowCount();
    m_blocks.remove(std::max(0, before - 1) / kBlockLines);  // its last line may have grown
    if (!newOffsets.empty()) {
        beginInsertRows({}, before, before + static_cast<int>(newOffsets.size()) - 1);
        m_offsets.insert(m_offsets.end(), newOffsets.begin(), newOffsets.end());
        endInsertRows();
    }
    if (before > 0)
        Q_EMIT dataChanged(index(before - 1), index(before - 1));
}

void LogModel::onCut(quint64 generation) {
    if (generation != m_generation)
        return;
    beginResetModel();
    m_offsets.clear();
    m_blocks.clear();
    m_asked.clear();
    endResetModel();
}

void LogModel::onBlock(quint64 generation, int block, const QStringList& lines) {
    if (generation != m_generation)
        return;
    m_asked.remove(block);
    m_blocks.insert(block, new QStringList(lines));
    const int first = block * kBlockLines;
    const int last = std::min(first + static_cast<int>(lines.size()), rowCount()) - 1;
    if (last >= first)
        Q_EMIT dataChanged(index(first), index(last));
}

}  // namespace unmask::ui
