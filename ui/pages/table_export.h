// SPDX-License-Identifier: Apache-2.0
// Tables as CSV (RFC 4180, UTF-8), written by another thread.
#pragma once

#include <QFuture>
#include <QString>
#include <vector>

class QAbstractItemModel;

namespace unmask::ui {

QString tableAsCsv(const QAbstractItemModel& model);
// One below the other, an empty line between. The answer is a sentence when it failed.
QFuture<QString> writeTablesLater(const QString& file, const std::vector<const QAbstractItemModel*>& tables);

}  // namespace unmask::ui
