// SPDX-License-Identifier: Apache-2.0
// What the desktop prefers: light or dark. Qt 6.4 does not say it itself, so the desktop portal is asked over D-Bus
// where both exist, and otherwise the palette that the application started with decides.
#pragma once

#include <QObject>

namespace unmask::ui {

class SystemTheme final : public QObject {
    Q_OBJECT
 public:
    explicit SystemTheme(QObject* parent = nullptr);  // before the first palette of ours is set
    bool dark() const { return m_dark; }

 Q_SIGNALS:
    void changed(bool dark);

 private:
    void setDark(bool dark);

    bool m_dark = false;
};

}  // namespace unmask::ui
