// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/command_preview.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QRegularExpression>

#include "engine/protocol/settings.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/preset_row.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

QString flagText(const Json& value) {
    if (value.is_string())
        return QString::fromUtf8(value.get<std::string>());
    if (!value.is_array())
        return QString::fromUtf8(dumpLine(value));
    QStringList parts;
    for (const Json& entry : value)
        parts.append(flagText(entry));
    return parts.join(QLatin1Char(','));
}

}  // namespace

QString quotedForShell(const QString& argument) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(argument).hasMatch())
        return argument;
    QString quoted = argument;
    quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString trainCommand(const RunSpec& spec) {
    QString command = QStringLiteral("unmask-engine train");
    const QString next = QStringLiteral(" \\\n    ");
    RunSpec base;
    if (const Preset* preset = presetWithShape(spec.model)) {
        base = preset->spec;
        command += next + QStringLiteral("--preset ") + QString::fromUtf8(preset->name);
    }
    for (const std::string& file : spec.data.files)
        command += next + QStringLiteral("--data ") + quotedForShell(QString::fromUtf8(file));
    for (const SettingDifference& difference : differences(base, spec)) {
        if (difference.path == "data.files" || difference.path == "model.preset")
            continue;
        command += next + QStringLiteral("--set ") +
                   quotedForShell(QString::fromUtf8(difference.path) + QLatin1Char('=') + flagText(difference.right));
    }
    return command;
}

CommandPreview::CommandPreview(const RunSpec& spec, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("The same run from a terminal"));
    QVBoxLayout* column = makePageColumn(this);
    auto* text = makeWrappingLabel(this);
    text->setText(tr("This command starts the run that the form describes. What equals the defaults is left out."));
    auto* command = new QPlainTextEdit(trainCommand(spec), this);
    command->setReadOnly(true);
    command->setLineWrapMode(QPlainTextEdit::NoWrap);
    command->setAccessibleName(tr("Command"));
    setRole(command, "mono");
    auto* copy = makeButton(this, Icon::copy, "primary");
    copy->setText(tr("Copy"));
    auto* close = makeButton(this);
    close->setText(tr("Close"));
    connect(copy, &QPushButton::clicked, this,
            [command] { QApplication::clipboard()->setText(command->toPlainText()); });
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(close);
    row->addWidget(copy);
    column->addWidget(text);
    column->addWidget(command, 1);
    column->addLayout(row);
    resize(Style::instance().px(46), Style::instance().px(24));
}

}  // namespace unmask::ui
