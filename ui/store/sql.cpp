// SPDX-License-Identifier: Apache-2.0
#include "ui/store/sql.h"

#include <QSqlError>

namespace unmask::ui {
namespace {

[[noreturn]] void raise(const QSqlQuery& query, const QString& statement) {
    const QSqlError error = query.lastError();
    throw StoreError("[history] " + error.text().toStdString() + " (" + statement.left(60).toStdString() + ")",
                     error.nativeErrorCode().toInt() & 0xff);
}

}  // namespace

QSqlQuery& Sql::run(const char* statement, std::initializer_list<QVariant> values) {
    std::unique_ptr<QSqlQuery>& query = m_statements[statement];
    if (!query) {
        auto fresh = std::make_unique<QSqlQuery>(m_connection);
        fresh->setForwardOnly(true);
        if (!fresh->prepare(QString::fromUtf8(statement)))
            raise(*fresh, QString::fromUtf8(statement));
        query = std::move(fresh);
    }
    int position = 0;
    for (const QVariant& value : values)
        // A null QString would become NULL, which no text column takes.
        query->bindValue(position++, value.typeId() == QMetaType::QString && value.toString().isNull()
                                         ? QVariant(QStringLiteral(""))
                                         : value);
    if (!query->exec())
        raise(*query, QString::fromUtf8(statement));
    return *query;
}

QVariant Sql::value(const char* statement, std::initializer_list<QVariant> values) {
    QSqlQuery& query = run(statement, values);
    const QVariant found = query.next() ? query.value(0) : QVariant();
    query.finish();
    return found;
}

void Sql::script(const QString& statement) {
    QSqlQuery query(m_connection);
    if (!query.exec(statement))
        raise(query, statement);
}

}  // namespace unmask::ui
