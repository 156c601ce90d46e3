// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/log_tab.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QScrollBar>

#include "ui/pages/page_parts.h"
#include "ui/pages/retranslator.h"
#include "ui/style/style.h"

namespace unmask::ui {

LogTab::LogTab(QWidget* parent)
    : QWidget(parent),
      m_list(new QListView(this)),
      m_search(new QLineEdit(this)),
      m_previous(new QToolButton(this)),
      m_next(new QToolButton(this)),
      m_follow(new QToolButton(this)),
      m_note(makeLabel(this, "caption")) {
    build();
    (new Retranslator(this))->add([this] { retext(); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { find(false); });
    connect(m_previous, &QToolButton::clicked, this, [this] { find(true); });
    connect(m_next, &QToolButton::clicked, this, [this] { find(false); });
    connect(m_follow, &QToolButton::toggled, this, &LogTab::setFollowing);
    connect(&m_model, &LogModel::found, this, [this](int row) {
        if (row < 0) {
            m_note->setText(tr("Not found."));
            return;
        }
        m_follow->setChecked(false);
        m_list->setCurrentIndex(m_model.index(row));
        m_list->scrollTo(m_model.index(row), QAbstractItemView::PositionAtCenter);
    });
    connect(&m_model, &LogModel::problem, this, [this](const QString& sentence) {
        m_problem = sentence;
        refreshNote();
    });
    const auto grown = [this] {
        m_problem.clear();
        refreshNote();
        if (m_following)
            m_list->scrollToBottom();
    };
    connect(&m_model, &QAbstractItemModel::rowsInserted, this, grown, Qt::QueuedConnection);
    connect(&m_model, &QAbstractItemModel::modelReset, this, grown, Qt::QueuedConnection);
    connect(m_list->verticalScrollBar(), &QScrollBar::sliderMoved, this,
            [this](int value) { m_follow->setChecked(value >= m_list->verticalScrollBar()->maximum()); });
}

void LogTab::build() {
    m_list->setModel(&m_model);
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerItem);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    const auto refont = [this] { m_list->setFont(Style::instance().font(FontRole::mono)); };
    refont();
    connect(&Style::instance(), &Style::changed, m_list, refont);
    m_previous->setText(QStringLiteral("↑"));
    m_next->setText(QStringLiteral("↓"));
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_search->setClearButtonEnabled(true);

    auto* row = new QHBoxLayout;
    row->setSpacing(gap());
    row->addWidget(m_search, 1);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    row->addWidget(m_follow);
    row->addWidget(m_note, 1, Qt::AlignRight | Qt::AlignVCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, gap(), 0, 0);
    column->addLayout(row);
    column->addWidget(m_list, 1);
}

void LogTab::retext() {
    m_search->setPlaceholderText(tr("Search the log"));
    m_search->setAccessibleName(tr("Search the log"));
    m_list->setAccessibleName(tr("Lines of the log"));
    m_previous->setToolTip(tr("Previous match"));
    m_previous->setAccessibleName(tr("Previous match"));
    m_next->setToolTip(tr("Next match"));
    m_next->setAccessibleName(tr("Next match"));
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Keeps the newest line in view"));
    refreshNote();
}

void LogTab::open(const QString& file) {
    m_problem.clear();
    m_model.open(file);
    refreshNote();
}

void LogTab::find(bool backwards) {
    if (m_search->text().isEmpty())
        return;
    const QModelIndex current = m_list->currentIndex();
    const int from = current.isValid() ? current.row() + (backwards ? -1 : 1) : 0;
    m_model.findNext(m_search->text(), from, backwards);
}

void LogTab::setFollowing(bool following) {
    m_following = following;
    if (following)
        m_list->scrollToBottom();
}

void LogTab::refreshNote() {
    m_note->setText(m_problem.isEmpty() ? tr("%n line(s)", nullptr, m_model.rowCount()) : m_problem);
}

}  // namespace unmask::ui
