// SPDX-License-Identifier: Apache-2.0
#include "ui/store/run_index.h"

#include <QDateTime>
#include <cmath>
#include <limits>

#include "engine/base/clock.h"
#include "engine/base/json.h"
#include "engine/base/sha256.h"
#include "engine/protocol/spec_json.h"
#include "ui/settings/path_text.h"
#include "ui/store/sparkline.h"

namespace unmask::ui {
namespace {

#define UNMASK_ROW_COLUMNS                                                                                             \
    "r.key, r.id, r.folder, r.is_copy, coalesce(nullif(a.name, ''), r.name), r.word, r.evidence, r.phase, r.attempt,"  \
    " r.step, r.total_steps, r.mark_seq, r.durable_seq, r.end_reason, r.host, r.device, r.data_name, r.architecture,"  \
    " r.objective, r.parent, r.code_version, r.parameters, r.learning_rate, r.batch_size, r.seed, r.tokens,"           \
    " r.elapsed, r.created_ms, r.last_record_ms, r.last_values, r.best_values, r.sparkline, r.damage, a.note, a.tags," \
    " r.mark_attempt, r.mark_crc FROM runs r LEFT JOIN annotations a ON a.key = r.key"

constexpr const char* kAllRows = "SELECT " UNMASK_ROW_COLUMNS " ORDER BY r.created_ms DESC, r.run DESC";
constexpr const char* kOneRow = "SELECT " UNMASK_ROW_COLUMNS " WHERE r.key = ?";
#undef UNMASK_ROW_COLUMNS

// Reads the columns of one row from left to right, so the order stands once, in the statement above.
class RowReader {
 public:
    explicit RowReader(const QSqlQuery& query) : m_query(query) {}
    QString text() { return m_query.value(m_column++).toString(); }
    std::string utf8() { return text().toStdString(); }
    qint64 integer() { return m_query.value(m_column++).toLongLong(); }
    double number() { return m_query.value(m_column++).toDouble(); }
    QByteArray bytes() { return m_query.value(m_column++).toByteArray(); }

 private:
    const QSqlQuery& m_query;
    int m_column = 0;
};

void readStatus(RowReader& from, RunStatus& status) {
    status.word = runWordFromName(from.utf8());
    status.evidence = from.utf8();
    status.phase = from.utf8();
    status.attempt = from.integer();
    status.step = from.integer();
    status.totalSteps = from.integer();
    status.seq = from.integer();
    status.durableSeq = from.integer();
}

QStringList decodeTags(const QString& json) {
    QStringList tags;
    const auto parsed = parseJson(json.toStdString());
    if (parsed && parsed.value().is_array())
        for (const Json& tag : parsed.value())
            if (tag.is_string())
                tags << fromUtf8(tag.get<std::string>());
    return tags;
}

RunRow readRow(const QSqlQuery& query) {
    RowReader from(query);
    RunRow row;
    row.key = from.text();
    row.id = from.text();
    row.folder = from.text();
    row.copy = from.integer() != 0;
    row.name = from.text();
    readStatus(from, row.status);
    row.endReason = from.text();
    row.host = from.text();
    row.device = from.text();
    row.dataName = from.text();
    row.architecture = from.text();
    row.objective = from.text();
    row.parent = from.text();
    row.codeVersion = from.text();
    row.parameters = from.integer();
    row.learningRate = from.number();
    row.batchSize = from.integer();
    row.seed = from.integer();
    row.tokens = from.integer();
    row.elapsedSeconds = from.number();
    row.createdMs = from.integer();
    row.lastRecordMs = from.integer();
    row.last = decodeValues(from.text());
    row.best = decodeValues(from.text());
    row.sparkline = Sparkline::decode(from.bytes()).values();
    row.damage = from.text();
    row.note = from.text();
    row.tags = decodeTags(from.text());
    row.mark.seq = row.status.seq;
    row.mark.attempt = from.integer();
    row.mark.crc = static_cast<uint32_t>(from.integer());
    if (row.name.isEmpty())
        row.name = row.id;
    return row;
}

KnownRun readKnown(const QSqlQuery& query) {
    RowReader from(query);
    KnownRun run;
    run.key = from.text();
    run.id = from.text();
    run.folder = from.text();
    run.fingerprint = from.text();
    run.word = runWordFromName(from.utf8());
    run.mark.seq = from.integer();
    run.mark.attempt = from.integer();
    run.mark.crc = static_cast<uint32_t>(from.integer());
    return run;
}

QString dataNameOf(const DataConfig& data) {
    if (data.files.empty())
        return {};
    const QString first = fromPath(std::filesystem::path(data.files.front()).filename());
    return data.files.size() == 1 ? first : QStringLiteral("%1 +%2").arg(first).arg(data.files.size() - 1);
}

bool holdsRun(const QString& folder, const QString& id) {
    const auto description = readRunDescription(RunFolder{toPath(folder)});
    return description && fromUtf8(description.value().id) == id;
}

double lookUp(const std::map<std::string, double>& values, std::string_view name) {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

}  // namespace

double RunRow::lastValue(std::string_view metric) const {
    return lookUp(last, metric);
}
double RunRow::bestValue(std::string_view metric) const {
    return lookUp(best, metric);
}

QString encodeValues(const std::map<std::string, double>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values)
        object[name] = numberToJson(value);
    return fromUtf8(dumpLine(object));
}

std::map<std::string, double> decodeValues(const QString& json) {
    std::map<std::string, double> values;
    const auto parsed = parseJson(json.toStdString());
    if (!parsed || !parsed.value().is_object())
        return values;
    for (const auto& [name, value] : parsed.value().items())
        if (const auto number = numberFromJson(value))
            values.emplace(name, number.value());
    return values;
}

std::vector<RunRow> RunIndex::select(const char* statement, std::initializer_list<QVariant> values) {
    std::vector<RunRow> rows;
    QSqlQuery& query = m_sql.run(statement, values);
    while (query.next())
        rows.push_back(readRow(query));
    query.finish();
    return rows;
}

std::vector<RunRow> RunIndex::all() {
    return select(kAllRows, {});
}

std::optional<RunRow> RunIndex::find(const QString& key) {
    auto rows = select(kOneRow, {key});
    if (rows.empty())
        return std::nullopt;
    return std::move(rows.front());
}

std::vector<KnownRun> RunIndex::known() {
    std::vector<KnownRun> runs;
    QSqlQuery& query =
        m_sql.run("SELECT key, id, folder, fingerprint, word, mark_seq, mark_attempt, mark_crc FROM runs");
    while (query.next())
        runs.push_back(readKnown(query));
    query.finish();
    return runs;
}

std::optional<KnownRun> RunIndex::known(const QString& key) {
    QSqlQuery& query = m_sql.run(
        "SELECT key, id, folder, fingerprint, word, mark_seq, mark_attempt, mark_crc FROM runs WHERE key = ?", {key});
    std::optional<KnownRun> run;
    if (query.next())
        run = readKnown(query);
    query.finish();
    return run;
}

qint64 RunIndex::number(const QString& key) {
    return m_sql.value("SELECT run FROM runs WHERE key = ?", {key}).toLongLong();
}

QByteArray RunIndex::specJson(qint64 run) {
    return m_sql.value("SELECT json FROM specs WHERE run = ?", {run}).toString().toUtf8();
}

QString RunIndex::add(const RunFolder& folder, const RunDescription& description) {
    const QString place = fromPath(folder.path);
    const QString id = fromUtf8(description.id);
    const QString known = m_sql.value("SELECT key FROM runs WHERE folder = ? AND id = ?", {place, id}).toString();
    if (!known.isEmpty())
        return known;
    // Whatever else this folder held before is no longer in it.
    m_sql.run("UPDATE runs SET folder = '', fingerprint = '', word = 'lost', evidence = ? WHERE folder = ?",
              {QStringLiteral("another run lies in its folder now"), place});

    const QString original = m_sql.value("SELECT folder FROM runs WHERE key = ?", {id}).toString();
    const bool taken = m_sql.value("SELECT count(*) FROM runs WHERE key = ?", {id}).toInt() > 0;
    if (taken && !holdsRun(original, id)) {
        m_sql.run("UPDATE runs SET folder = ?, fingerprint = '' WHERE key = ?", {place, id});
        return id;
    }
    const QString key = taken ? id + QLatin1Char('@') + fromUtf8(sha256Hex(folder.path.string()).substr(0, 8)) : id;
    const RunSpec& spec = description.spec;
    m_sql.run(
        "INSERT INTO runs (key, id, folder, is_copy, name, data_name, architecture, objective, parent, code_version,"
        " learning_rate, batch_size, seed, total_steps, created_ms, word, evidence)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'starting', 'its files are being read')",
        {key, id, place, taken ? 1 : 0, fromUtf8(description.name), dataNameOf(spec.data),
         QStringLiteral("%1×%2").arg(spec.model.layers).arg(spec.model.width), fromUtf8(wordOf(spec.objective.kind)),
         fromUtf8(description.parent), fromUtf8(description.codeVersion), spec.optimizer.learningRate,
         qint64{spec.training.batchSize}, qint64{spec.training.seed}, qint64{spec.training.steps},
         qint64{parseUtcNanoseconds(description.created) / 1000000}});
    m_sql.run("INSERT OR REPLACE INTO specs (run, json) VALUES (?, ?)",
              {number(key), fromUtf8(dumpLine(specToJson(spec)))});
    return key;
}

bool RunIndex::updateStatus(const QString& key, const RunStatus& status) {
    const QVariant word = fromUtf8(runWordName(status.word));
    const QVariant evidence = fromUtf8(status.evidence);
    const QVariant phase = fromUtf8(status.phase);
    const QVariant attempt = qint64{status.attempt};
    const QVariant step = qint64{status.step};
    const QVariant durable = qint64{status.durableSeq};
    const QVariant total = qint64{status.totalSteps};  // 0: not known now, the old one stays
    QSqlQuery& query = m_sql.run(
        "UPDATE runs SET word = ?, evidence = ?, phase = ?, attempt = ?, step = ?, durable_seq = ?,"
        " total_steps = coalesce(nullif(?, 0), total_steps) WHERE key = ?"
        " AND (word, evidence, phase, attempt, step, durable_seq, total_steps)"
        " IS NOT (?, ?, ?, ?, ?, ?, coalesce(nullif(?, 0), total_steps))",
        {word, evidence, phase, attempt, step, durable, total, key, word, evidence, phase, attempt, step, durable,
         total});
    return query.numRowsAffected() > 0;
}

void RunIndex::setFingerprint(const QString& key, const QString& fingerprint) {
    m_sql.run("UPDATE runs SET fingerprint = ? WHERE key = ?", {fingerprint, key});
}

void RunIndex::forget(const QString& key) {
    m_sql.run("DELETE FROM runs WHERE key = ?", {key});
}

}  // namespace unmask::ui
