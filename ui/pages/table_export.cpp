// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/table_export.h"

#include <QAbstractItemModel>
#include <QStringList>

#include "engine/base/durable_file.h"
#include "ui/settings/answer_later.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {

namespace {

QString quoted(QString cell) {
    if (!cell.contains(QLatin1Char(',')) && !cell.contains(QLatin1Char('"')) && !cell.contains(QLatin1Char('\n')))
        return cell;
    cell.replace(QLatin1Char('"'), QStringLiteral("\"\""));
    return QLatin1Char('"') + cell + QLatin1Char('"');
}

}  // namespace

QString tableAsCsv(const QAbstractItemModel& model) {
    QString csv;
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(quoted(row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                                        : model.index(row, column).data().toString()));
        csv += cells.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    }
    return csv;
}

QFuture<QString> writeTablesLater(const QString& file, const std::vector<const QAbstractItemModel*>& tables) {
    QStringList parts;
    for (const QAbstractItemModel* table : tables)
        parts.append(tableAsCsv(*table));
    return answerLater([file, bytes = parts.join(QStringLiteral("\r\n")).toStdString()] {
        QString problem;
        try {
            replaceFile(toPath(file), bytes, Durability::durable);
        } catch (const Error& error) {
            problem = QString::fromUtf8(error.what());
        }
        return problem;
    });
}

}  // namespace unmask::ui
