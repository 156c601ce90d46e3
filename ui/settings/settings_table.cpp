// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/settings_table.h"

#include <QByteArray>
#include <cmath>

namespace unmask::ui {
namespace {

QString text(const char* latin) {
    return QString::fromLatin1(latin);
}

SettingRow words(StudioSetting setting, const char* key, const char* fallback, SettingScope scope,
                 const QStringList& allowed) {
    return {setting, text(key), text(fallback), scope, allowed};
}
SettingRow number(StudioSetting setting, const char* key, const QVariant& fallback, SettingScope scope, double min,
                  double max) {
    return {setting, text(key), fallback, scope, {}, min, max};
}
SettingRow any(StudioSetting setting, const char* key, const QVariant& fallback, SettingScope scope) {
    return {setting, text(key), fallback, scope, {}};
}

std::vector<SettingRow> makeTable() {
    using S = StudioSetting;
    using enum SettingScope;
    return {
        words(S::language, "appearance/language", "system", appearance, {text("system"), text("en"), text("zh_CN")}),
        words(S::theme, "appearance/theme", "system", appearance, {text("system"), text("light"), text("dark")}),
        number(S::fontScale, "appearance/font_scale", 100, appearance, 80, 200),  // percent
        any(S::runsFolder, "folders/runs", QString(), folders),                   // empty: runsFolder() of the shelf
        any(S::lastForm, "form/last", QByteArray(), form),                        // JSON of a run spec
        any(S::recentFiles, "form/recent_files", QStringList(), form),
        any(S::windowGeometry, "window/geometry", QByteArray(), window),
        any(S::windowState, "window/state", QByteArray(), window),
        any(S::currentPage, "window/page", QString(), window),
        number(S::smoothing, "charts/smoothing", 0.6, charts, 0, 0.999),
        words(S::xAxis, "charts/x_axis", "step", charts, {text("step"), text("tokens"), text("elapsed"), text("wall")}),
        any(S::logAxis, "charts/log_axis", false, charts),
        any(S::hideOutliers, "charts/hide_outliers", false, charts),
        any(S::liveLayout, "charts/live_layout", QByteArray(), charts),
        any(S::runColumns, "tables/run_columns", QByteArray(), tables),  // state of the header view
        any(S::runFilter, "tables/run_filter", QString(), tables),
        any(S::lastRun, "tables/last_run", QString(), tables),
        any(S::comparedRuns, "tables/compared_runs", QStringList(), tables),
    };
}

}  // namespace

const std::vector<SettingRow>& settingsTable() {
    static const std::vector<SettingRow> table = makeTable();
    return table;
}

const SettingRow& settingRow(StudioSetting setting) {
    for (const SettingRow& row : settingsTable())
        if (row.setting == setting)
            return row;
    Q_UNREACHABLE();
}

QVariant acceptedValue(const SettingRow& row, const QVariant& value) {
    QVariant converted = value;
    if (!value.isValid() || !converted.convert(row.fallback.metaType()))
        return row.fallback;
    if (!row.words.isEmpty() && !row.words.contains(converted.toString()))
        return row.fallback;
    if (row.max > row.min) {
        const double asNumber = converted.toDouble();
        if (!std::isfinite(asNumber) || asNumber < row.min || asNumber > row.max)
            return row.fallback;
    }
    return converted;
}

}  // namespace unmask::ui
