// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/log_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

QColor colorOf(LogLevel level) {
    const Colors& colors = Style::instance().colors();
    switch (level) {
        case LogLevel::error:
            return colors.danger;
        case LogLevel::warning:
            return colors.warning;
        case LogLevel::debug:
            return colors.textMuted;
        case LogLevel::info:
            break;
    }
    return colors.text;
}

}  // namespace

LogView::LogView(QWidget* parent)
    : QWidget(parent),
      m_search(new QLineEdit(this)),
      m_level(new QComboBox(this)),
      m_follow(new QToolButton(this)),
      m_count(new QLabel(this)),
      m_text(new QPlainTextEdit(this)) {
    auto* column = new QVBoxLayout(this);
    auto* bar = new QHBoxLayout;
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(bar);
    column->addWidget(m_text, 1);
    bar->addWidget(m_search, 1);
    bar->addWidget(m_level);
    bar->addWidget(m_count);
    bar->addWidget(m_follow);
    m_text->setReadOnly(true);
    m_text->setUndoRedoEnabled(false);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setMaximumBlockCount(static_cast<int>(m_limit));
    setRole(m_text, "mono");
    setRole(m_count, "caption");
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    for (int i = 0; i < 4; ++i)
        m_level->addItem(QString());
    m_level->setCurrentIndex(static_cast<int>(LogLevel::info));
    retext();
    connect(m_search, &QLineEdit::textChanged, this, [this] { find(true); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(true); });
    connect(m_level, &QComboBox::currentIndexChanged, this, &LogView::refill);
    connect(m_follow, &QToolButton::toggled, this, &LogView::setFollowing);
    connect(m_text->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        const QScrollBar* scroll = m_text->verticalScrollBar();
        setFollowing(scroll->sliderPosition() >= scroll->maximum());
    });
    connect(&Style::instance(), &Style::changed, this, &LogView::refill);
}

void LogView::retext() {
    m_search->setPlaceholderText(tr("Search in the log"));
    m_search->setAccessibleName(m_search->placeholderText());
    const QStringList words{tr("Everything"), tr("Information"), tr("Warnings"), tr("Errors")};
    for (int i = 0; i < words.size(); ++i)
        m_level->setItemText(i, words[i]);
    m_level->setAccessibleName(tr("Least level shown"));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Stay at the newest line. Scrolling up stops this."));
    m_text->setAccessibleName(tr("Log"));
    m_count->setText(tr("%Ln line(s)", nullptr, shownLines()));
}

void LogView::append(const QList<LogLine>& lines) {
    for (const LogLine& line : lines) {
        m_lines.push_back(line);
        if (m_lines.size() > m_limit)
            m_lines.pop_front();
        if (accepts(line))
            write(line);
    }
    m_count->setText(tr("%Ln line(s)", nullptr, shownLines()));
    if (m_following)
        m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void LogView::clear() {
    m_lines.clear();
    refill();
}

void LogView::setLineLimit(int lines) {
    m_limit = static_cast<size_t>(std::max(1, lines));
    m_text->setMaximumBlockCount(lines);
    while (m_lines.size() > m_limit)
        m_lines.pop_front();
}

void LogView::setFollowing(bool following) {
    m_following = following;
    m_follow->setChecked(following);
    if (following)
        m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

int LogView::shownLines() const {
    return m_text->document()->isEmpty() ? 0 : m_text->blockCount();
}

bool LogView::accepts(const LogLine& line) const {
    return static_cast<int>(line.level) >= m_level->currentIndex();
}

void LogView::write(const LogLine& line) {
    QTextCursor cursor(m_text->document());
    cursor.movePosition(QTextCursor::End);
    if (!m_text->document()->isEmpty())
        cursor.insertBlock();
    QTextCharFormat format;
    format.setForeground(Style::instance().colors().textMuted);
    if (!line.time.isEmpty())
        cursor.insertText(line.time + QStringLiteral("  "), format);
    format.setForeground(colorOf(line.level));
    cursor.insertText(line.text, format);
}

void LogView::refill() {
    m_text->clear();
    for (const LogLine& line : m_lines)
        if (accepts(line))
            write(line);
    m_count->setText(tr("%Ln line(s)", nullptr, shownLines()));
    if (m_following)
        m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->maximum());
}

void LogView::find(bool backwards) {
    if (m_search->text().isEmpty())
        return;
    const auto direction = backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (m_text->find(m_search->text(), direction)) {
        setFollowing(false);
        return;
    }
    m_text->moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    m_text->find(m_search->text(), direction);
}

void LogView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retext();
    QWidget::changeEvent(event);
}

}  // namespace unmask::ui
