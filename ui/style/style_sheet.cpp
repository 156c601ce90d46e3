// SPDX-License-Identifier: Apache-2.0
#include "ui/style/style_sheet.h"

#include <QFile>
#include <QRegularExpression>
#include <cmath>

namespace unmask::ui {
namespace {

// In the template, $name is a colour and [1.5em] a length in whole pixels.
constexpr const char* kTemplate = R"(
QWidget { color: $text; }
QMainWindow, QDialog, QMessageBox, QMenuBar, QStatusBar { background: $window; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: [0.35em] [0.5em]; }

*[role="card"] { background: $surface; border: 1px solid $border; border-radius: [0.7em]; }
*[role="rail"] { background: $rail; border: none; border-right: 1px solid $border; }
*[role="bar"] { background: $rail; border: none; border-top: 1px solid $border; }
*[role="sunken"] { background: $sunken; border: 1px solid $border; border-radius: [0.5em]; }
*[role="info"] { background: $infoSoft; border: 1px solid $info; border-radius: [0.5em]; }
*[role="success"] { background: $successSoft; border: 1px solid $success; border-radius: [0.5em]; }
*[role="warning"] { background: $warningSoft; border: 1px solid $warning; border-radius: [0.5em]; }
*[role="danger"] { background: $dangerSoft; border: 1px solid $danger; border-radius: [0.5em]; }

QLabel { background: transparent; }
QLabel[role="title"] { font-size: [1.5em]; font-weight: 600; }
QLabel[role="heading"] { font-size: [1.08em]; font-weight: 600; }
*[role="caption"] { font-size: [0.87em]; color: $textMuted; }
QLabel[role="figure"] { font-size: [1.45em]; font-weight: 600; }
QLabel[role="figureStale"] { font-size: [1.45em]; font-weight: 600; color: $textMuted; }
QLabel[role="mono"], QPlainTextEdit[role="mono"] { font-family: "JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace; font-size: [0.93em]; }
QLabel[role="problemNote"] { color: $info; font-size: [0.93em]; }
QLabel[role="problemWarning"] { color: $warning; font-size: [0.93em]; }
QLabel[role="problemError"] { color: $danger; font-size: [0.93em]; }

QPushButton { background: $surface; border: 1px solid $outline; border-radius: [0.45em]; padding: [0.38em] [0.95em]; }
QPushButton:hover { background: $raised; }
QPushButton:pressed { background: $border; }
QPushButton:focus { border: 2px solid $accent; padding: [0.38em-1] [0.95em-1]; }
QPushButton:disabled { color: $disabled; border-color: $border; background: transparent; }
QPushButton[role="primary"] { background: $accent; color: $accentText; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accentHover; border-color: $accentHover; }
QPushButton[role="primary"]:focus { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $border; border-color: $border; color: $textMuted; }
QPushButton[role="danger"] { color: $danger; border-color: $danger; }
QPushButton[role="danger"]:hover { background: $dangerSoft; }
QPushButton[role="quiet"], QToolButton { background: transparent; border: 1px solid transparent; border-radius: [0.4em]; padding: [0.28em] [0.4em]; }
QPushButton[role="quiet"]:hover, QToolButton:hover { background: $raised; }
QPushButton[role="quiet"]:focus, QToolButton:focus { border: 1px solid $accent; }
QToolButton:checked { background: $accentSoft; color: $accent; }
QToolButton:disabled { color: $disabled; }
QToolButton::menu-indicator { image: none; }
QToolButton[role="segment"] { border: 1px solid $outline; border-radius: 0; padding: [0.3em] [0.75em]; background: $surface; margin-left: -1px; }
QToolButton[role="segment"]:checked { background: $accentSoft; color: $accent; border: 1px solid $accent; font-weight: 600; }
QToolButton[role="segment"]:focus { border: 2px solid $accent; padding: [0.3em-1] [0.75em-1]; }
QToolButton[first="true"] { border-top-left-radius: [0.45em]; border-bottom-left-radius: [0.45em]; margin-left: 0; }
QToolButton[last="true"] { border-top-right-radius: [0.45em]; border-bottom-right-radius: [0.45em]; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit, QTextBrowser, QListView, QListWidget {
  background: $sunken; border: 1px solid $outline; border-radius: [0.4em]; padding: [0.32em] [0.5em];
  selection-background-color: $accent; selection-color: $accentText; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus, QListView:focus {
  border: 2px solid $accent; padding: [0.32em-1] [0.5em-1]; }
QLineEdit:disabled, QComboBox:disabled { color: $disabled; border-color: $border; }
QLineEdit[problem="error"], QComboBox[problem="error"], QListView[problem="error"] { border: 2px solid $danger; padding: [0.32em-1] [0.5em-1]; }
QLineEdit[problem="warning"], QComboBox[problem="warning"] { border: 2px solid $warning; padding: [0.32em-1] [0.5em-1]; }
QPlainTextEdit, QTextEdit, QTextBrowser, QListView, QListWidget { border-color: $border; }
QSpinBox[problem="error"] { border: 2px solid $danger; padding: [0.32em-1] [0.5em-1]; }
QSpinBox[problem="warning"] { border: 2px solid $warning; padding: [0.32em-1] [0.5em-1]; }
QSpinBox { padding-right: [1.6em]; }
QSpinBox::up-button, QSpinBox::down-button { subcontrol-origin: border; width: [1.5em]; border: none; background: transparent; border-radius: [0.3em]; }
QSpinBox::up-button { subcontrol-position: top right; margin: [0.12em] [0.12em] 0 0; }
QSpinBox::down-button { subcontrol-position: bottom right; margin: 0 [0.12em] [0.12em] 0; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: $raised; }
QSpinBox::up-arrow { image: url($upChevron); width: [0.7em]; height: [0.7em]; }
QSpinBox::down-arrow { image: url($chevron); width: [0.7em]; height: [0.7em]; }
QComboBox::drop-down { border: none; width: [1.5em]; }
QComboBox::down-arrow { image: url($chevron); width: [0.8em]; height: [0.8em]; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $border; padding: [0.2em]; outline: none; }
QComboBox QAbstractItemView::item { min-height: [1.7em]; padding: 0 [0.4em]; border-radius: [0.3em]; }
QComboBox QAbstractItemView::item:selected { background: $accentSoft; color: $text; }

QCheckBox { spacing: [0.5em]; background: transparent; border-radius: [0.3em]; padding: [0.15em]; }
QCheckBox:focus { border: 1px solid $accent; }
QCheckBox::indicator { width: [1.05em]; height: [1.05em]; border: 1px solid $outline; border-radius: [0.25em]; background: $sunken; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url($tick); }
QRadioButton { spacing: [0.5em]; background: transparent; }

QSlider::groove:horizontal { height: [0.28em]; background: $border; border-radius: [0.14em]; }
QSlider::sub-page:horizontal { background: $accent; border-radius: [0.14em]; }
QSlider::handle:horizontal { background: $surface; border: [0.12em] solid $accent; width: [0.85em]; height: [0.85em]; margin: -[0.4em] 0; border-radius: [0.49em]; }
QSlider::handle:horizontal:focus { background: $accent; }

QTableView, QTreeView { background: $surface; alternate-background-color: $sunken; border: 1px solid $border; border-radius: [0.5em];
  gridline-color: transparent; selection-background-color: $accentSoft; selection-color: $text; outline: none; }
QTableView::item, QTreeView::item { padding: [0.25em] [0.5em]; border-bottom: 1px solid $border; }
QTableView::item:selected, QTreeView::item:selected { background: $accentSoft; color: $text; }
QTableView:focus, QTreeView:focus { border: 1px solid $accent; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $textMuted; border: none; border-bottom: 1px solid $border; padding: [0.4em] [0.5em]; font-size: [0.87em]; }
QTableCornerButton::section { background: $surface; border: none; }

QTabWidget::pane { border: 1px solid $border; border-radius: [0.5em]; background: $surface; top: -1px; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $textMuted; padding: [0.45em] [0.9em]; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $accent; border-bottom: 2px solid $accent; font-weight: 600; }
QTabBar::tab:focus { background: $accentSoft; border-radius: [0.3em]; }

QMenu { background: $surface; border: 1px solid $border; padding: [0.3em]; }
QMenu::item { padding: [0.35em] [1.6em] [0.35em] [1.6em]; border-radius: [0.3em]; }
QMenu::item:selected { background: $accentSoft; }
QMenu::item:disabled { color: $disabled; }
QMenu::separator { height: 1px; background: $border; margin: [0.3em] [0.4em]; }
QMenuBar::item { padding: [0.3em] [0.6em]; background: transparent; border-radius: [0.3em]; }
QMenuBar::item:selected { background: $accentSoft; }

QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget#scrollBody { background: transparent; }
QScrollBar:vertical { background: transparent; width: [0.75em]; margin: 0; }
QScrollBar:horizontal { background: transparent; height: [0.75em]; margin: 0; }
QScrollBar::handle { background: $scroll; border-radius: [0.3em]; margin: [0.12em]; min-height: [2em]; min-width: [2em]; }
QScrollBar::handle:hover { background: $outline; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: none; border: none; width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; border: none; }

QProgressBar { background: $border; border: none; border-radius: [0.2em]; max-height: [0.4em]; min-height: [0.4em]; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: [0.2em]; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: $accentSoft; }
QGroupBox { border: 1px solid $border; border-radius: [0.5em]; margin-top: [0.9em]; padding-top: [0.5em]; }
QGroupBox::title { subcontrol-origin: margin; left: [0.8em]; color: $textMuted; }
QStatusBar::item { border: none; }
)";

QString inPixels(double ems, double em, int correction) {
    return QStringLiteral("%1px").arg(std::max(0, static_cast<int>(std::lround(ems * em)) + correction));
}

QString colorNamed(const QString& name, const Colors& c) {
    struct Entry {
        const char* name;
        QColor color;
    };
    const Entry table[] = {{"window", c.window},
                           {"surface", c.surface},
                           {"raised", c.raised},
                           {"sunken", c.sunken},
                           {"rail", c.rail},
                           {"border", c.border},
                           {"outline", c.outline},
                           {"text", c.text},
                           {"textMuted", c.textMuted},
                           {"accent", c.accent},
                           {"accentText", c.accentText},
                           {"accentSoft", c.accentSoft},
                           {"accentHover", mix(c.accent, c.text, 0.15)},
                           {"success", c.success},
                           {"successSoft", c.successSoft},
                           {"warning", c.warning},
                           {"warningSoft", c.warningSoft},
                           {"danger", c.danger},
                           {"dangerSoft", c.dangerSoft},
                           {"info", c.info},
                           {"infoSoft", c.infoSoft},
                           {"disabled", mix(c.surface, c.textMuted, 0.6)},
                           {"scroll", mix(c.surface, c.outline, 0.5)}};
    for (const Entry& entry : table)
        if (name == QLatin1String(entry.name))
            return entry.color.name();
    return {};
}

}  // namespace

QString styleSheetFor(const Colors& colors, double emPixels) {
    QString sheet = QString::fromLatin1(kTemplate);
    // Stylesheets take pictures from files only; these two are in the resource of this folder, one a theme.
    const QString suffix = colors.dark ? QStringLiteral("dark") : QStringLiteral("light");
    sheet.replace(QLatin1String("$chevron"), QStringLiteral(":/unmask/style/chevron-%1.png").arg(suffix));
    sheet.replace(QLatin1String("$upChevron"), QStringLiteral(":/unmask/style/chevron-up-%1.png").arg(suffix));
    sheet.replace(QLatin1String("$tick"), QStringLiteral(":/unmask/style/tick-%1.png").arg(suffix));

    static const QRegularExpression placeholder(QStringLiteral(R"(\$([A-Za-z]+)|\[([0-9.]+)em(-[0-9]+)?\])"));
    QString filled;
    qsizetype from = 0;
    for (auto match = placeholder.globalMatch(sheet); match.hasNext();) {
        const auto found = match.next();
        filled += QStringView(sheet).mid(from, found.capturedStart() - from);
        if (found.hasCaptured(1) && !found.captured(1).isEmpty())
            filled += colorNamed(found.captured(1), colors);
        else
            filled += inPixels(found.captured(2).toDouble(), emPixels, found.captured(3).toInt());
        from = found.capturedEnd();
    }
    filled += QStringView(sheet).mid(from);
    return filled;
}

QPalette paletteFor(const Colors& c) {
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.surface);
    palette.setColor(QPalette::AlternateBase, c.sunken);
    palette.setColor(QPalette::ToolTipBase, c.raised);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::PlaceholderText, c.textMuted);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.surface);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.danger);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.accentText);
    palette.setColor(QPalette::Light, c.raised);
    palette.setColor(QPalette::Midlight, c.border);
    palette.setColor(QPalette::Mid, c.border);
    palette.setColor(QPalette::Dark, c.outline);
    palette.setColor(QPalette::Shadow, mix(c.window, QColor(Qt::black), 0.5));
    const QColor disabled = mix(c.surface, c.textMuted, 0.6);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    return palette;
}

}  // namespace unmask::ui
