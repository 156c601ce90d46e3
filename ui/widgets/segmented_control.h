// SPDX-License-Identifier: Apache-2.0
// A few exclusive choices side by side: (step)(tokens)(active)(wall).
#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;

namespace unmask::ui {

class SegmentedControl final : public QWidget {
    Q_OBJECT
 public:
    explicit SegmentedControl(QWidget* parent = nullptr);

    void setTexts(const QStringList& texts, const QStringList& tooltips = {});  // may be set again in another language
    int current() const;
    void setCurrent(int index);
    void next();

 Q_SIGNALS:
    void currentChanged(int index);  // by a person or by setCurrent, when it differs

 private:
    QButtonGroup* m_group;
    QHBoxLayout* m_row;
};

}  // namespace unmask::ui
