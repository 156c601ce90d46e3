// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/banner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/style/icons.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

struct Look {
    const char* role;
    Icon icon;
    QColor color;
};

Look lookOf(BannerKind kind) {
    const Colors& colors = Style::instance().colors();
    switch (kind) {
        case BannerKind::success:
            return {"success", Icon::check, colors.success};
        case BannerKind::warning:
            return {"warning", Icon::warning, colors.warning};
        case BannerKind::danger:
            return {"danger", Icon::error, colors.danger};
        case BannerKind::info:
            break;
    }
    return {"info", Icon::info, colors.info};
}

QPixmap pictureOf(BannerKind kind) {
    const Look look = lookOf(kind);
    const int side = Style::instance().px(1.3);
    return icon(look.icon, look.color).pixmap(side, side);
}

}  // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel(this)),
      m_text(new QLabel(this)),
      m_details(new QLabel(this)),
      m_fold(new QToolButton(this)),
      m_first(new QPushButton(this)),
      m_second(new QPushButton(this)),
      m_close(new QToolButton(this)) {
    auto* column = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    const int margin = Style::instance().px(0.6);
    column->setContentsMargins(margin, margin, margin, margin);
    column->addLayout(row);
    column->addWidget(m_details);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    for (QWidget* button : std::initializer_list<QWidget*>{m_fold, m_first, m_second, m_close})
        row->addWidget(button);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setFocusPolicy(Qt::NoFocus);
    m_details->setWordWrap(true);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_details->setFocusPolicy(Qt::NoFocus);
    setRole(m_details, "mono");
    m_details->hide();
    m_fold->setCheckable(true);
    connect(m_fold, &QToolButton::toggled, m_details, &QWidget::setVisible);
    connect(m_first, &QPushButton::clicked, this, &Banner::firstRequested);
    connect(m_second, &QPushButton::clicked, this, &Banner::secondRequested);
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT closed();
    });
    connect(&Style::instance(), &Style::changed, this, &Banner::restyle);
    setActions({});
    hide();
}

void Banner::showMessage(BannerKind kind, const QString& sentence, const QString& details) {
    m_kind = kind;
    m_text->setText(sentence);
    setAccessibleName(sentence);
    m_details->setText(details);
    m_fold->setText(tr("Details"));
    m_fold->setVisible(!details.isEmpty());
    m_fold->setChecked(false);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(m_close->accessibleName());
    restyle();
    show();
}

void Banner::setActions(const QString& first, const QString& second) {
    m_first->setText(first);
    m_first->setVisible(!first.isEmpty());
    m_second->setText(second);
    m_second->setVisible(!second.isEmpty());
}

void Banner::setClosable(bool closable) {
    m_close->setVisible(closable);
}

QString Banner::sentence() const {
    return m_text->text();
}

void Banner::restyle() {
    setRole(this, lookOf(m_kind).role);
    m_icon->setPixmap(pictureOf(m_kind));
    m_close->setIcon(icon(Icon::close));
}

Toast::Toast(QWidget* window) : QFrame(window), m_icon(new QLabel(this)), m_text(new QLabel(this)) {
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_icon);
    row->addWidget(m_text);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);
    window->installEventFilter(this);
    hide();
}

void Toast::showMessage(BannerKind kind, const QString& sentence, int milliseconds) {
    setRole(this, lookOf(kind).role);
    m_icon->setPixmap(pictureOf(kind));
    m_text->setText(sentence);
    setAccessibleName(sentence);
    place();
    show();
    raise();
    m_timer.start(milliseconds);
}

void Toast::place() {
    adjustSize();
    const QWidget* window = parentWidget();
    move((window->width() - width()) / 2, window->height() - height() - Style::instance().px(2.5));
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

}  // namespace unmask::ui
