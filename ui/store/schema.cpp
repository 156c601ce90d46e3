// SPDX-License-Identifier: Apache-2.0
#include "ui/store/schema.h"

namespace unmask::ui {
namespace {

QStringList firstVersion() {
    return {
        // mark_*: the last journal record that is in here. It changes in the transaction that brings the records.
        QStringLiteral("CREATE TABLE runs (run INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, id TEXT NOT NULL,"
                       " folder TEXT NOT NULL, is_copy INTEGER NOT NULL DEFAULT 0, name TEXT NOT NULL DEFAULT '',"
                       " word TEXT NOT NULL DEFAULT 'lost', evidence TEXT NOT NULL DEFAULT '',"
                       " phase TEXT NOT NULL DEFAULT '', attempt INTEGER NOT NULL DEFAULT 0,"
                       " step INTEGER NOT NULL DEFAULT 0, total_steps INTEGER NOT NULL DEFAULT 0,"
                       " durable_seq INTEGER NOT NULL DEFAULT 0, end_reason TEXT NOT NULL DEFAULT '',"
                       " host TEXT NOT NULL DEFAULT '', device TEXT NOT NULL DEFAULT '',"
                       " data_name TEXT NOT NULL DEFAULT '', architecture TEXT NOT NULL DEFAULT '',"
                       " objective TEXT NOT NULL DEFAULT '', parent TEXT NOT NULL DEFAULT '',"
                       " code_version TEXT NOT NULL DEFAULT '', parameters INTEGER NOT NULL DEFAULT 0,"
                       " learning_rate REAL NOT NULL DEFAULT 0, batch_size INTEGER NOT NULL DEFAULT 0,"
                       " seed INTEGER NOT NULL DEFAULT 0, tokens INTEGER NOT NULL DEFAULT 0,"
                       " elapsed REAL NOT NULL DEFAULT 0, created_ms INTEGER NOT NULL DEFAULT 0,"
                       " last_record_ms INTEGER NOT NULL DEFAULT 0, last_values TEXT NOT NULL DEFAULT '{}',"
                       " best_values TEXT NOT NULL DEFAULT '{}', sparkline BLOB, damage TEXT NOT NULL DEFAULT '',"
                       " fingerprint TEXT NOT NULL DEFAULT '', mark_seq INTEGER NOT NULL DEFAULT 0,"
                       " mark_attempt INTEGER NOT NULL DEFAULT 0, mark_crc INTEGER NOT NULL DEFAULT 0)"),
        QStringLiteral("CREATE INDEX runs_by_id ON runs (id)"),
        QStringLiteral("CREATE TABLE specs (run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,"
                       " json TEXT NOT NULL)"),
        QStringLiteral("CREATE TABLE series (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                       " number INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (run, number), UNIQUE (run, name))"
                       " WITHOUT ROWID"),
        // points: values of all series in this record, see frame_codec.h; raw doubles, so NaN and infinities stay.
        QStringLiteral("CREATE TABLE frames (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                       " seq INTEGER NOT NULL, step INTEGER NOT NULL, tokens INTEGER NOT NULL, elapsed REAL NOT NULL,"
                       " wall INTEGER NOT NULL, superseded INTEGER NOT NULL, points BLOB NOT NULL,"
                       " PRIMARY KEY (run, seq)) WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE frame_chunks (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                       " first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, frames BLOB NOT NULL,"
                       " UNIQUE (run, first_seq))"),
        QStringLiteral("CREATE TABLE series_chunks (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                       " number INTEGER NOT NULL, first_seq INTEGER NOT NULL, points BLOB NOT NULL,"
                       " UNIQUE (run, number, first_seq))"),
        // line: the record as the journal has it.
        QStringLiteral("CREATE TABLE events (run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
                       " seq INTEGER NOT NULL, line TEXT NOT NULL, PRIMARY KEY (run, seq)) WITHOUT ROWID"),
        // Outlives its run's row: a forgotten run that is found again has its name and tags.
        QStringLiteral("CREATE TABLE annotations (key TEXT PRIMARY KEY, name TEXT, note TEXT, tags TEXT)"
                       " WITHOUT ROWID"),
        QStringLiteral("CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID"),
    };
}

}  // namespace

const std::vector<QStringList>& schemaSteps() {
    static const std::vector<QStringList> steps{firstVersion()};
    return steps;
}

}  // namespace unmask::ui
