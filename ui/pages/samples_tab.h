// SPDX-License-Identifier: Apache-2.0
// Text that the model wrote while it trained, newest first.
#pragma once

#include <QWidget>

#include "ui/models/run_session.h"

class QLabel;
class QPushButton;
class QTextBrowser;

namespace unmask::ui {

class SamplesTab final : public QWidget {
    Q_OBJECT
 public:
    explicit SamplesTab(RunSession* session, QWidget* parent = nullptr);

 Q_SIGNALS:
    void sampleRequested();

 private:
    void retext();
    void refresh();

    RunSession* m_session;
    QPushButton* m_ask;
    QLabel* m_hint;
    QTextBrowser* m_text;
};

}  // namespace unmask::ui
