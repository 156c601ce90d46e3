// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/live_tabs.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include "ui/pages/log_tab.h"
#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/samples_tab.h"
#include "ui/pages/table_parts.h"
#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {

LiveTabs::LiveTabs(RunSession* session, QWidget* parent)
    : QTabWidget(parent), m_session(session), m_log(new LogTab(this)), m_samples(new SamplesTab(session, this)) {
    setDocumentMode(true);
    setObjectName(QStringLiteral("liveTabs"));
    addTab(makeEvents(), QString());
    addTab(m_log, QString());
    addTab(m_samples, QString());
    addTab(makeCheckpoints(), QString());
    addTab(makeConfig(), QString());
    (new Retranslator(this))->add([this] { retext(); });
    connect(session, &RunSession::loaded, this, &LiveTabs::follow);
    connect(m_samples, &SamplesTab::sampleRequested, this, &LiveTabs::sampleRequested);
}

void LiveTabs::showLog() {
    setCurrentWidget(m_log);
}

void LiveTabs::retext() {
    const QStringList titles = {tr("Events"), tr("Log"), tr("Samples"), tr("Checkpoints"), tr("Settings")};
    for (int i = 0; i < titles.size(); ++i)
        setTabText(i, titles[i]);
    m_onlyDifferences->setText(tr("Only what differs from the defaults"));
    m_events->setAccessibleName(tr("Events of the run"));
    m_checkpoints->setAccessibleName(tr("Checkpoints of the run"));
    m_config->setAccessibleName(tr("Settings of the run"));
    m_eventModel.retranslate();
    m_checkpointModel.retranslate();
    m_configModel.setChinese(uiLanguage() == Language::chinese);
    m_configModel.retranslate();
    fillConfig();
}

QWidget* LiveTabs::makeEvents() {
    m_events = new QTableView(this);
    prepareTable(m_events);
    m_events->setFrameShape(QFrame::NoFrame);
    m_events->setModel(&m_eventModel);
    m_events->setSelectionMode(QAbstractItemView::SingleSelection);
    m_events->horizontalHeader()->setStretchLastSection(true);
    const int widths[] = {12, 6, 9};
    for (int column = 0; column < 3; ++column)
        m_events->setColumnWidth(column, Style::instance().px(widths[column]));
    connect(m_events->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    Q_EMIT stepChosen(current.data(EventListModel::StepRole).toDouble());
            });
    // New events push the list up only while its end is in view.
    connect(&m_eventModel, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar* bar = m_events->verticalScrollBar();
        m_events->setProperty("atEnd", bar->value() >= bar->maximum());
    });
    connect(
        &m_eventModel, &QAbstractItemModel::rowsInserted, m_events,
        [this] {
            if (m_events->property("atEnd").toBool())
                m_events->scrollToBottom();
        },
        Qt::QueuedConnection);
    return m_events;
}

void LiveTabs::stepEvent(int direction) {
    const int rows = m_eventModel.rowCount();
    if (rows == 0)
        return;
    const QModelIndex current = m_events->currentIndex();
    const int row = current.isValid() ? std::clamp(current.row() + direction, 0, rows - 1) : rows - 1;
    setCurrentWidget(m_events);
    m_events->selectRow(row);
}

QWidget* LiveTabs::makeCheckpoints() {
    m_checkpoints = new QTableView(this);
    prepareTable(m_checkpoints);
    m_checkpoints->setFrameShape(QFrame::NoFrame);
    m_checkpoints->setModel(&m_checkpointModel);
    m_checkpoints->horizontalHeader()->setStretchLastSection(true);
    return m_checkpoints;
}

QWidget* LiveTabs::makeConfig() {
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, gap(), 0, 0);
    m_onlyDifferences = new QCheckBox(page);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, [this](bool only) {
        m_configModel.setOnlyDifferences(only);
        fillConfig();
    });
    m_config = new QTableView(page);
    prepareTable(m_config);
    m_config->setFrameShape(QFrame::NoFrame);
    m_config->setModel(&m_configModel);
    m_config->horizontalHeader()->setStretchLastSection(true);
    m_configModel.setOnlyDifferences(false);
    column->addWidget(m_onlyDifferences);
    column->addWidget(m_config, 1);
    return page;
}

void LiveTabs::follow() {
    m_eventModel.follow(m_session);
    m_checkpointModel.follow(m_session);
    const QString folder = m_session->row().folder;
    m_log->open(folder.isEmpty() ? QString() : folder + QStringLiteral("/logs/rank-0.log"));
    fillConfig();
    m_events->scrollToBottom();
}

void LiveTabs::fillConfig() {
    if (!m_session->spec()) {
        m_configModel.setRuns({});
        return;
    }
    m_configModel.setRuns({{tr("Default"), RunSpec{}}, {tr("This run"), *m_session->spec()}});
    m_config->setColumnWidth(0, Style::instance().px(16));
    m_config->setColumnWidth(1, Style::instance().px(14));
}

}  // namespace unmask::ui
