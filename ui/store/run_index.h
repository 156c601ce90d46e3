// SPDX-License-Identifier: Apache-2.0
// The runs table: who is known, where its folder lies, how it stands. Called in the store's thread, inside its
// transactions.
#pragma once

#include <QByteArray>
#include <QStringList>
#include <optional>

#include "engine/journal/run_folder.h"
#include "ui/store/run_row.h"
#include "ui/store/sql.h"

namespace unmask::ui {

// What the scanner needs to decide whether to look closer.
struct KnownRun {
    QString key;
    QString id;
    QString folder;
    QString fingerprint;  // of the folder's files when it was last read to its end
    RunWord word = RunWord::lost;
    RecordMark mark;
};

class RunIndex {
 public:
    explicit RunIndex(Sql& sql) : m_sql(sql) {}

    std::vector<RunRow> all();
    std::optional<RunRow> find(const QString& key);
    std::vector<KnownRun> known();
    std::optional<KnownRun> known(const QString& key);
    qint64 number(const QString& key);  // 0 when unknown
    QByteArray specJson(qint64 run);

    // Returns the key. A known id in another folder: moved, when the old folder holds it no longer, else a copy.
    QString add(const RunFolder& folder, const RunDescription& description);
    bool updateStatus(const QString& key, const RunStatus& status);  // false when nothing changed
    void setFingerprint(const QString& key, const QString& fingerprint);
    void forget(const QString& key);

 private:
    std::vector<RunRow> select(const char* statement, std::initializer_list<QVariant> values);

    Sql& m_sql;
};

// {"train/loss":2.3,"x":"NaN"} and back.
QString encodeValues(const std::map<std::string, double>& values);
std::map<std::string, double> decodeValues(const QString& json);

}  // namespace unmask::ui
