// SPDX-License-Identifier: Apache-2.0
#include "app/screenshots.h"

#include <QDir>
#include <QPixmap>
#include <QTimer>

#include "ui/pages/compare_page.h"

namespace unmask::ui {

namespace {

constexpr int kFirstWaitMs = 4000;  // history read, estimate made
constexpr int kWaitMs = 1800;       // curves read and drawn
constexpr QSize kSize{1440, 900};
constexpr int kCompared = 3;

// UNMASK_SCREENSHOT_SIZE=1196x754 shows the pages as a small window does.
QSize wantedSize() {
    const QStringList sides = qEnvironmentVariable("UNMASK_SCREENSHOT_SIZE").split(QLatin1Char('x'));
    const QSize size(sides.value(0).toInt(), sides.value(1).toInt());
    return size.isEmpty() ? kSize : size;
}

}  // namespace

ScreenshotTour::ScreenshotTour(Studio& studio, const QString& folder, QObject* parent)
    : QObject(parent), m_studio(studio), m_folder(folder) {
    struct Named {
        PageId page;
        const char* name;
    };
    constexpr Named pages[] = {{PageId::runs, "runs"},
                               {PageId::newRun, "new-run"},
                               {PageId::live, "live"},
                               {PageId::compare, "compare"},
                               {PageId::settings, "settings"}};
    for (const char* language : {"en", "zh_CN"})
        for (const char* theme : {"light", "dark"})
            for (const Named& page : pages)
                m_stops.push_back({QString::fromLatin1(language), QString::fromLatin1(theme), page.page,
                                   QStringLiteral("%1-%2-%3.png")
                                       .arg(QLatin1String(page.name), QLatin1String(language), QLatin1String(theme))});
}

void ScreenshotTour::start() {
    QDir().mkpath(m_folder);
    m_studio.window().resize(wantedSize());
    QTimer::singleShot(kFirstWaitMs, this, &ScreenshotTour::next);
}

void ScreenshotTour::next() {
    if (m_stops.empty()) {
        Q_EMIT finished(m_good);
        return;
    }
    const Stop stop = m_stops.front();
    m_stops.pop_front();
    arrange(stop);
    QTimer::singleShot(kWaitMs, this, [this, stop] {
        take(stop);
        next();
    });
}

void ScreenshotTour::arrange(const Stop& stop) {
    m_studio.useLanguage(stop.language);
    m_studio.useTheme(stop.theme);
    if (stop.page == PageId::compare) {
        QStringList keys;
        for (int i = 0; i < m_studio.runs().rowCount() && keys.size() < kCompared; ++i)
            keys.append(m_studio.runs().row(i).key);
        m_studio.window().comparePage().compare(keys);
    }
    m_studio.window().showPage(stop.page);
}

void ScreenshotTour::take(const Stop& stop) {
    m_good = m_studio.window().grab().save(QDir(m_folder).filePath(stop.name)) && m_good;
}

}  // namespace unmask::ui
