// SPDX-License-Identifier: Apache-2.0
// A thin layer over QSqlQuery: bound parameters only, statements prepared once, faults as exceptions that the store's
// one seam catches. Lives and dies in the thread of its connection.
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>

#include "engine/base/error.h"

namespace unmask::ui {

class StoreError : public Error {
 public:
    StoreError(const std::string& message, int sqliteCode) : Error(ErrorCode::disk, message), m_code(sqliteCode) {}
    bool damaged() const { return m_code == 11 || m_code == 26; }  // SQLITE_CORRUPT, SQLITE_NOTADB
    bool locked() const { return m_code == 5 || m_code == 6; }     // SQLITE_BUSY, SQLITE_LOCKED

 private:
    int m_code;
};

class Sql {
 public:
    explicit Sql(QSqlDatabase connection) : m_connection(std::move(connection)) {}

    // The statement is kept; the query is valid until the same statement runs again.
    QSqlQuery& run(const char* statement, std::initializer_list<QVariant> values = {});
    QVariant value(const char* statement,
                   std::initializer_list<QVariant> values = {});  // first column of the first row
    void script(const QString& statement);                        // not kept: schema and pragmas

 private:
    QSqlDatabase m_connection;
    std::unordered_map<std::string, std::unique_ptr<QSqlQuery>> m_statements;
};

}  // namespace unmask::ui
