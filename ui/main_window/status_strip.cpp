// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/status_strip.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPromise>
#include <QStorageInfo>
#include <QThreadPool>
#include <memory>

#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/settings/path_text.h"
#include "ui/style/numbers.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

constexpr int kShownRuns = 3;
constexpr int kSoonMs = 300;
constexpr int kDiskMs = 10'000;

}  // namespace

StatusStrip::StatusStrip(const Services& services, QWidget* parent)
    : QWidget(parent),
      m_services(services),
      m_runs(new QHBoxLayout),
      m_idle(makeLabel(this, "caption")),
      m_disk(makeLabel(this, "caption")) {
    setRole(this, "bar");
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(wideGap(), gap() / 2, wideGap(), gap() / 2);
    m_runs->setSpacing(gap());
    row->addWidget(m_idle);
    row->addLayout(m_runs);
    row->addStretch(1);
    row->addWidget(m_disk);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &StatusStrip::refreshRuns);
    const auto soon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&services.runs, &QAbstractItemModel::dataChanged, this, soon);
    connect(&services.runs, &QAbstractItemModel::rowsInserted, this, soon);
    connect(&services.runs, &QAbstractItemModel::rowsRemoved, this, soon);
    connect(&services.runs, &QAbstractItemModel::modelReset, this, soon);
    connect(&m_diskTimer, &QTimer::timeout, this, &StatusStrip::refreshDisk);
    m_diskTimer.start(kDiskMs);
    refreshDisk();
    (new Retranslator(this))->add([this] {
        refreshRuns();
        showDisk();
    });
}

void StatusStrip::refreshRuns() {
    while (QLayoutItem* item = m_runs->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater();
        delete item;
    }
    int active = 0;
    for (int i = 0; i < m_services.runs.rowCount(); ++i) {
        const RunRow& row = m_services.runs.row(i);
        if (!row.status.alive() || ++active > kShownRuns)
            continue;
        const double steps = static_cast<double>(row.status.step);
        const double left =
            steps > 0 ? row.elapsedSeconds / steps * (static_cast<double>(row.status.totalSteps) - steps) : -1;
        const QString name = row.name.isEmpty() ? row.id : row.name;
        const QString progress = tr("%1 / %2").arg(QLocale().toString(qint64{row.status.step}),
                                                   QLocale().toString(qint64{row.status.totalSteps}));
        QPushButton* button = makeButton(this, Icon::live, "quiet");
        button->setText(left >= 0 ? tr("%1: %2, %3 left").arg(name, progress, numbers::duration(left))
                                  : tr("%1: %2").arg(name, progress));
        button->setToolTip(tr("Open live"));
        connect(button, &QPushButton::clicked, this,
                [this, key = row.key] { Q_EMIT m_services.navigator.liveRequested(key); });
        m_runs->addWidget(button);
    }
    m_idle->setText(active == 0 ? tr("Nothing is training") : tr("%n run(s) active", nullptr, active));
}

void StatusStrip::refreshDisk() {
    auto promise = std::make_shared<QPromise<qint64>>();
    promise->future().then(this, [this](qint64 bytes) {
        m_freeBytes = bytes;
        showDisk();
    });
    QThreadPool::globalInstance()->start([promise, folder = m_services.settings.runsFolder()] {
        promise->start();
        std::filesystem::path existing = folder;  // the folder may not be made yet
        std::error_code problem;
        while (!std::filesystem::exists(existing, problem) && existing.has_relative_path())
            existing = existing.parent_path();
        promise->addResult(QStorageInfo(fromPath(existing)).bytesAvailable());
        promise->finish();
    });
}

void StatusStrip::showDisk() {
    m_disk->setText(m_freeBytes >= 0 ? tr("%1 free for runs").arg(numbers::memory(static_cast<double>(m_freeBytes)))
                                     : QString());
}

}  // namespace unmask::ui
