// SPDX-License-Identifier: Apache-2.0
// Keeps the words of one widget in the current language: each text is set by a small function that runs once at once
// and again whenever the language changes.
#pragma once

#include <QEvent>
#include <QObject>
#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

namespace unmask::ui {

class Retranslator final : public QObject {
 public:
    explicit Retranslator(QWidget* owner) : QObject(owner) { owner->installEventFilter(this); }

    void add(std::function<void()> setTexts) {
        setTexts();
        m_texts.push_back(std::move(setTexts));
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LanguageChange)
            for (const auto& setTexts : m_texts)
                setTexts();
        return QObject::eventFilter(watched, event);
    }

 private:
    std::vector<std::function<void()>> m_texts;
};

}  // namespace unmask::ui
