// SPDX-License-Identifier: Apache-2.0
// A run's curves and events out of the index. Called in the store's thread.
#pragma once

#include "ui/store/run_row.h"
#include "ui/store/sql.h"

namespace unmask::ui {

class HistoryReader {
 public:
    explicit HistoryReader(Sql& sql) : m_sql(sql) {}

    RunHistory history(const QString& key);
    SeriesColumns series(const QString& key, const QString& name);
    std::vector<EventRecord> events(qint64 run);

 private:
    Sql& m_sql;
};

}  // namespace unmask::ui
