// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/settings_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPromise>
#include <QSlider>
#include <QThreadPool>
#include <memory>

#include "engine/base/places.h"
#include "engine/protocol/version.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/settings/path_text.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

namespace unmask::ui {

namespace {

constexpr int kScaleStep = 10;  // percent
constexpr int kPageWidth = 46;  // ems

const QStringList& themeWords() {
    static const QStringList words{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
    return words;
}

}  // namespace

SettingsPage::SettingsPage(const Services& services, QWidget* parent) : Page(parent), m_services(services) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    showValues();
    connect(&services.settings, &Settings::changed, this, &SettingsPage::showValues);
}

void SettingsPage::build() {
    m_title = makeLabel(this, "title");
    m_reset = makeButton(this, Icon::undo, "quiet");
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_services.settings.reset(SettingScope::appearance);
        m_services.settings.reset(SettingScope::folders);
    });
    m_version = makeLabel(this, "caption");
    auto* top = new QHBoxLayout;
    top->addWidget(m_title, 1);
    top->addWidget(m_reset);

    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    body->setMaximumWidth(Style::instance().px(kPageWidth));
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, gap(), 0);
    column->setSpacing(wideGap());
    column->addWidget(buildAppearance());
    column->addWidget(buildFolders());
    column->addWidget(buildHistory());
    column->addWidget(m_version);
    column->addStretch(1);
    QVBoxLayout* outer = makePageColumn(this);
    outer->addLayout(top);
    outer->addWidget(makeScroll(body), 1);
}

QLabel* SettingsPage::addRow(QFormLayout* form, QWidget* field) {
    QLabel* label = makeLabel(this);
    label->setBuddy(field);
    form->addRow(label, field);
    return label;
}

QWidget* SettingsPage::buildAppearance() {
    m_appearance = new Card(this);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(wideGap());
    form->setVerticalSpacing(gap());
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    m_language = new QComboBox(this);
    m_language->setObjectName(QStringLiteral("languageBox"));
    m_language->addItem(QString(), QStringLiteral("system"));
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
    m_languageLabel = addRow(form, m_language);
    m_theme = new SegmentedControl(this);
    m_theme->setObjectName(QStringLiteral("themeControl"));
    m_themeLabel = addRow(form, m_theme);
    auto* scaleRow = new QWidget(this);
    auto* row = new QHBoxLayout(scaleRow);
    row->setContentsMargins(0, 0, 0, 0);
    m_scale = new QSlider(Qt::Horizontal, scaleRow);
    m_scale->setRange(kSmallestFontScale / kScaleStep, kLargestFontScale / kScaleStep);
    m_scale->setFixedWidth(Style::instance().px(14));
    m_scale->setPageStep(1);
    m_scaleValue = makeLabel(scaleRow, "caption");
    row->addWidget(m_scale);
    row->addWidget(m_scaleValue);
    m_scaleLabel = addRow(form, scaleRow);
    m_appearance->body()->addLayout(form);
    connect(m_language, &QComboBox::activated, this,
            [this] { m_services.settings.set(StudioSetting::language, m_language->currentData()); });
    connect(m_theme, &SegmentedControl::currentChanged, this, [this](int index) {
        if (!m_showing)
            m_services.settings.set(StudioSetting::theme, themeWords().value(index));
    });
    connect(m_scale, &QSlider::valueChanged, this, [this](int tenths) {
        if (!m_showing)
            m_services.settings.set(StudioSetting::fontScale, tenths * kScaleStep);
    });
    return m_appearance;
}

QWidget* SettingsPage::buildFolders() {
    m_folders = new Card(this);
    m_runsLabel = makeLabel(this);
    m_runs = new QLineEdit(this);
    m_runs->setReadOnly(true);
    m_runsLabel->setBuddy(m_runs);
    m_chooseRuns = makeButton(this, Icon::folder);
    m_runsHint = makeWrappingLabel(this, "caption");
    auto* row = new QHBoxLayout;
    row->setSpacing(gap());
    row->addWidget(m_runsLabel);
    row->addWidget(m_runs, 1);
    row->addWidget(m_chooseRuns);
    m_folders->body()->addLayout(row);
    m_folders->body()->addWidget(m_runsHint);
    connect(m_chooseRuns, &QPushButton::clicked, this, &SettingsPage::chooseRunsFolder);
    return m_folders;
}

QWidget* SettingsPage::buildHistory() {
    m_history = new Card(this);
    m_historyText = makeWrappingLabel(this);
    m_rebuild = makeButton(this, Icon::again);
    m_rebuild->setObjectName(QStringLiteral("rebuildButton"));
    m_rebuildReport = makeWrappingLabel(this, "caption");
    m_rebuildReport->hide();  // until there is one
    auto* row = new QHBoxLayout;
    row->setSpacing(gap());
    row->addWidget(m_historyText, 1);
    row->addWidget(m_rebuild, 0, Qt::AlignTop);
    m_history->body()->addLayout(row);
    m_history->body()->addWidget(m_rebuildReport);
    connect(m_rebuild, &QPushButton::clicked, this, &SettingsPage::rebuildHistory);
    return m_history;
}

void SettingsPage::retext() {
    m_title->setText(tr("Settings"));
    m_reset->setText(tr("Reset this page"));
    m_appearance->setTitle(tr("Appearance"));
    m_languageLabel->setText(tr("Language"));
    m_language->setAccessibleName(tr("Language"));
    m_language->setItemText(0, tr("As the desktop"));
    m_themeLabel->setText(tr("Theme"));
    m_theme->setAccessibleName(tr("Theme"));
    m_theme->setTexts({tr("As the desktop"), tr("Light"), tr("Dark")});
    m_scaleLabel->setText(tr("Text size"));
    m_scale->setAccessibleName(tr("Text size"));
    m_folders->setTitle(tr("Folders"));
    m_runsLabel->setText(tr("Runs"));
    m_runs->setAccessibleName(tr("Folder of new runs"));
    m_chooseRuns->setText(tr("Choose…"));
    m_runsHint->setText(tr("New runs are kept here. Runs in other folders stay where they are."));
    m_history->setTitle(tr("History"));
    m_rebuild->setText(tr("Rebuild"));
    m_rebuild->setToolTip(tr("Reads all run folders again; names, tags and notes are kept"));
    m_version->setText(tr("Unmask %1").arg(fromUtf8(codeVersion())));
    showValues();
}

void SettingsPage::showValues() {
    m_showing = true;
    const Settings& settings = m_services.settings;
    m_language->setCurrentIndex(std::max(0, m_language->findData(settings.text(StudioSetting::language))));
    m_theme->setCurrent(
        static_cast<int>(std::max<qsizetype>(0, themeWords().indexOf(settings.text(StudioSetting::theme)))));
    const int scale = settings.get<int>(StudioSetting::fontScale);
    m_scale->setValue(scale / kScaleStep);
    m_scaleValue->setText(tr("%1 %").arg(scale));
    m_runs->setText(fromPath(settings.runsFolder()));
    const int runs = m_services.runs.rowCount();
    const QString size =
        m_historyBytes >= 0 ? numbers::memory(static_cast<double>(m_historyBytes)) : numbers::unknown();
    m_historyText->setText(
        tr("%n run(s), index of %1. It can be rebuilt from the run folders at any time.", nullptr, runs).arg(size));
    m_showing = false;
}

void SettingsPage::entered() {
    refreshHistorySize();
}

void SettingsPage::refreshHistorySize() {
    auto promise = std::make_shared<QPromise<qint64>>();
    promise->future().then(this, [this](qint64 bytes) {
        m_historyBytes = bytes;
        showValues();
    });
    QThreadPool::globalInstance()->start([promise] {
        promise->start();
        qint64 bytes = 0;
        for (const char* name : {"history.sqlite", "history.sqlite-wal"})
            bytes += QFileInfo(fromPath(dataHome() / name)).size();
        promise->addResult(bytes);
        promise->finish();
    });
}

void SettingsPage::chooseRunsFolder() {
    auto* dialog = new QFileDialog(window(), tr("Folder of new runs"), m_runs->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { m_services.settings.set(StudioSetting::runsFolder, folder); });
    dialog->open();
}

void SettingsPage::rebuildHistory() {
    m_rebuild->setEnabled(false);
    m_rebuildReport->setText(tr("Reading the run folders…"));
    m_rebuildReport->show();
    m_services.store.rebuildHistory().then(this, [this](const RebuildReport& report) {
        m_rebuild->setEnabled(true);
        QStringList lines{tr("%n run(s) read.", nullptr, report.runs)};
        lines += report.problems;
        m_rebuildReport->setText(lines.join(QLatin1Char('\n')));
        refreshHistorySize();
    });
}

}  // namespace unmask::ui
