// SPDX-License-Identifier: Apache-2.0
// The look of the whole studio: theme, font scale, palette and stylesheet, applied to the application at once and again
// whenever one of them changes. Sizes are in font units, so nothing is fixed in pixels.
#pragma once

#include <QFont>
#include <QObject>
#include <QStringList>

#include "ui/style/colors.h"

class QApplication;
class QWidget;

namespace unmask::ui {

enum class ThemeChoice { system, light, dark };
enum class FontRole { body, caption, heading, title, figure, mono };

constexpr int kSmallestFontScale = 80;
constexpr int kLargestFontScale = 200;

class Style final : public QObject {
    Q_OBJECT
 public:
    static Style& instance();

    void install(QApplication& application);  // once, before the first window
    void setTheme(ThemeChoice choice);        // `system` follows the desktop while running
    void setFontScale(int percent);           // clamped to 80-200
    ThemeChoice theme() const { return m_choice; }
    int fontScale() const { return m_fontScale; }
    bool dark() const;

    const Colors& colors() const;
    const ChartColors& chartColors() const;
    QFont font(FontRole role) const;
    int px(double ems) const;  // pixels for a length in body font sizes (1 em = the body font's pixel size)

 Q_SIGNALS:
    void changed();  // repaint what paints itself; palette and sheet are set already

 private:
    Style() = default;
    void apply();

    ThemeChoice m_choice = ThemeChoice::system;
    int m_fontScale = 100;
    bool m_systemDark = false;
    bool m_installed = false;
    double m_basePixels = 14;
    QStringList m_families;
};

// Looks the stylesheet knows. The role of a widget may change while it is shown.
//   QPushButton, QToolButton: "primary", "danger", "quiet"      QLabel: "title", "heading", "caption", "figure", "mono"
//   QFrame, QWidget: "card", "rail", "bar", "sunken", "info", "warning", "danger", "success" (soft coloured areas)
void setRole(QWidget* widget, const char* role);

// Layout helpers in ems, so that spacing follows the font scale: call again on Style::changed where a layout lives
// long.
int gap();      // between controls
int wideGap();  // between cards and around pages

}  // namespace unmask::ui
