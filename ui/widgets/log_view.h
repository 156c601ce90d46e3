// SPDX-License-Identifier: Apache-2.0
// Log lines: follows the end until somebody scrolls up, searches, filters by level, and keeps the last lines only
// (the file keeps all).
#pragma once

#include <QWidget>
#include <deque>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QToolButton;

namespace unmask::ui {

enum class LogLevel { debug, info, warning, error };

struct LogLine {
    LogLevel level = LogLevel::info;
    QString time;  // as shown
    QString text;
};

class LogView final : public QWidget {
    Q_OBJECT
 public:
    explicit LogView(QWidget* parent = nullptr);

    void append(const QList<LogLine>& lines);
    void clear();
    void setLineLimit(int lines);  // 20,000 at first
    bool following() const { return m_following; }
    void setFollowing(bool following);
    int shownLines() const;

 protected:
    void changeEvent(QEvent* event) override;

 private:
    void retext();
    void refill();
    bool accepts(const LogLine& line) const;
    void write(const LogLine& line);
    void find(bool backwards);

    std::deque<LogLine> m_lines;
    size_t m_limit = 20000;
    bool m_following = true;
    QLineEdit* m_search;
    QComboBox* m_level;
    QToolButton* m_follow;
    QLabel* m_count;
    QPlainTextEdit* m_text;
};

}  // namespace unmask::ui
