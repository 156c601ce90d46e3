// SPDX-License-Identifier: Apache-2.0
#include "ui/models/setting_difference_model.h"

#include <QLocale>
#include <algorithm>

#include "ui/settings/path_text.h"

namespace unmask::ui {

SettingDifferenceModel::SettingDifferenceModel(QObject* parent) : QAbstractTableModel(parent) {}

void SettingDifferenceModel::setRuns(std::vector<Run> runs) {
    m_runs = std::move(runs);
    rebuild();
}

void SettingDifferenceModel::setOnlyDifferences(bool only) {
    m_onlyDifferences = only;
    rebuild();
}

void SettingDifferenceModel::setChinese(bool chinese) {
    m_chinese = chinese;
    rebuild();
}

void SettingDifferenceModel::retranslate() {
    rebuild();
}

void SettingDifferenceModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    for (const Setting& setting : allSettings()) {
        Row row;
        row.setting = &setting;
        std::vector<Json> values;
        for (const Run& run : m_runs) {
            values.push_back(getSetting(run.spec, setting.path));
            row.values.push_back(valueText(setting, values.back()));
        }
        row.differs = std::any_of(values.begin(), values.end(), [&](const Json& v) { return v != values.front(); });
        if (row.differs || (!m_onlyDifferences && !m_runs.empty()))
            m_rows.push_back(std::move(row));
    }
    endResetModel();
}

QString SettingDifferenceModel::valueText(const Setting& setting, const Json& value) const {
    const auto text = [this](const Text& both) { return fromUtf8(m_chinese ? both.zh : both.en); };
    if (value.is_boolean())
        return value.get<bool>() ? tr("yes") : tr("no");
    if (value.is_number_integer())
        return QLocale().toString(value.get<qint64>());
    if (value.is_number())
        return QLocale().toString(value.get<double>(), 'g', QLocale::FloatingPointShortest);
    if (value.is_array()) {
        QStringList parts;
        for (const Json& each : value)
            parts << (each.is_string() ? fromUtf8(each.get<std::string>()) : fromUtf8(each.dump()));
        return parts.join(QStringLiteral(", "));
    }
    if (!value.is_string())
        return {};
    const std::string word = value.get<std::string>();
    for (const SettingChoice& choice : setting.choices)
        if (choice.word == word)
            return text(choice.label);
    return fromUtf8(word);
}

int SettingDifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SettingDifferenceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size()) + 1;
}

QVariant SettingDifferenceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<size_t>(index.row())];
    const auto text = [this](const Text& both) { return fromUtf8(m_chinese ? both.zh : both.en); };
    const auto run = static_cast<size_t>(index.column() - 1);
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == 0 ? text(row.setting->info.label) : row.values[run];
        case Qt::ToolTipRole:
            return index.column() == 0 ? text(row.setting->info.help) : row.values[run];
        case PathRole:
            return fromUtf8(row.setting->path);
        case SectionRole:
            return fromUtf8(row.setting->section);
        case DiffersRole:
            return index.column() > 0 && row.values[run] != row.values.front();
        default:
            return {};
    }
}

QVariant SettingDifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return QAbstractTableModel::headerData(section, orientation, role);
    if (section == 0)
        return tr("Setting");
    const auto run = static_cast<size_t>(section - 1);
    return run < m_runs.size() ? m_runs[run].name : QVariant();
}

}  // namespace unmask::ui
