// SPDX-License-Identifier: Apache-2.0
// Every setting of the studio in one table: key in the file, type (that of its default), default, limits and scope.
// A new setting is one word in the enum and one row in settings_table.cpp.
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <vector>

namespace unmask::ui {

enum class StudioSetting {
    language,
    theme,
    fontScale,
    runsFolder,
    lastForm,
    recentFiles,
    windowGeometry,
    windowState,
    currentPage,
    smoothing,
    xAxis,
    logAxis,
    hideOutliers,
    liveLayout,
    runColumns,
    runFilter,
    lastRun,
    comparedRuns,
};

enum class SettingScope { appearance, folders, form, window, charts, tables };

struct SettingRow {
    StudioSetting setting;
    QString key;
    QVariant fallback;
    SettingScope scope;
    QStringList words;  // allowed texts; empty: any
    double min = 0;     // of a number
    double max = 0;
};

const std::vector<SettingRow>& settingsTable();
const SettingRow& settingRow(StudioSetting setting);

// The value as its row wants it, or the default where it does not fit (a hand-edited or foreign file).
QVariant acceptedValue(const SettingRow& row, const QVariant& value);

}  // namespace unmask::ui
