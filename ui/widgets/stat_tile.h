// SPDX-License-Identifier: Apache-2.0
// A figure with its caption. What is unknown reads "–"; what is no longer fresh turns muted and says as of when.
#pragma once

#include <QWidget>

class QLabel;

namespace unmask::ui {

class StatTile final : public QWidget {
    Q_OBJECT
 public:
    explicit StatTile(const QString& caption = {}, QWidget* parent = nullptr);

    void setCaption(const QString& caption);
    void setValue(const QString& value, const QString& exactValue = {});  // empty value means unknown; exact → tooltip
    void setDetail(const QString& detail);                                // small text under the value
    void setStale(const QString& asOf);                                   // "as of 14:21:07"; empty means fresh
    QString value() const;

 private:
    void describe();

    QLabel* m_caption;
    QLabel* m_value;
    QLabel* m_detail;
    QString m_detailText;
    QString m_asOf;
};

}  // namespace unmask::ui
