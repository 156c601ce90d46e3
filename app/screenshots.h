// SPDX-License-Identifier: Apache-2.0
// Pictures of every page in both languages and both themes, from the real window with what it really holds.
#pragma once

#include <QObject>
#include <deque>

#include "app/studio.h"

namespace unmask::ui {

class ScreenshotTour final : public QObject {
    Q_OBJECT
 public:
    ScreenshotTour(Studio& studio, const QString& folder, QObject* parent = nullptr);

    void start();

 Q_SIGNALS:
    void finished(bool good);

 private:
    struct Stop {
        QString language;
        QString theme;
        PageId page;
        QString name;
    };
    void next();
    void arrange(const Stop& stop);
    void take(const Stop& stop);

    Studio& m_studio;
    QString m_folder;
    std::deque<Stop> m_stops;
    bool m_good = true;
};

}  // namespace unmask::ui
