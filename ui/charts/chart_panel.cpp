// SPDX-License-Identifier: Apache-2.0
#include "ui/charts/chart_panel.h"

#include <QActionGroup>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QMenu>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/charts/chart_table.h"
#include "ui/charts/chart_widget.h"
#include "ui/style/icons.h"
#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {

ChartPanel::ChartPanel(const ChartInfo& info, QWidget* parent)
    : Card(parent),
      m_info(info),
      m_chart(new ChartWidget(this)),
      m_log(new QToolButton(this)),
      m_fit(new QToolButton(this)),
      m_maximise(new QToolButton(this)),
      m_menuButton(new QToolButton(this)),
      m_menu(new QMenu(this)) {
    body()->addWidget(m_chart, 1);
    ChartOptions options;
    options.logarithmic = info.logarithmic;
    options.yRange = info.yRange;
    m_chart->setOptions(options);
    buildButtons();
    retext();
    connect(&Style::instance(), &Style::changed, this, &ChartPanel::retext);
}

void ChartPanel::buildButtons() {
    for (QToolButton* button : {m_log, m_fit, m_maximise, m_menuButton}) {
        button->setAutoRaise(true);
        addHeaderWidget(button);
    }
    m_log->setCheckable(true);
    m_log->setChecked(m_chart->options().logarithmic);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setMenu(m_menu);
    connect(m_log, &QToolButton::toggled, m_chart, &ChartWidget::setLog);
    connect(m_fit, &QToolButton::clicked, m_chart, &ChartWidget::resetZoom);
    connect(m_maximise, &QToolButton::clicked, this, &ChartPanel::maximiseRequested);
    connect(m_chart, &ChartWidget::maximiseRequested, this, &ChartPanel::maximiseRequested);
    connect(m_chart, &ChartWidget::optionsChanged, this, [this] {
        m_log->setChecked(m_chart->options().logarithmic);
        fillMenu();
    });
    connect(m_menu, &QMenu::aboutToShow, this, &ChartPanel::fillMenu);
}

void ChartPanel::retext() {
    const QString title = inUiLanguage(m_info.title.en, m_info.title.zh);
    setTitle(title);
    m_chart->setTitle(title, QString::fromUtf8(m_info.unit));
    const auto dress = [](QToolButton* button, Icon which, const QString& text) {
        button->setIcon(icon(which));
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    dress(m_log, Icon::logScale, tr("Logarithmic axis (L)"));
    dress(m_fit, Icon::fit, tr("Show everything again (0)"));
    dress(m_maximise, m_maximised ? Icon::restore : Icon::maximise,
          m_maximised ? tr("Show all charts (M)") : tr("Show this chart alone (M)"));
    dress(m_menuButton, Icon::more, tr("More for this chart"));
    fillMenu();
}

void ChartPanel::fillMenu() {
    m_menu->clear();
    const auto choice = [this](QActionGroup* group, const QString& text, bool on, auto apply) {
        QAction* action = m_menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, apply] {
            ChartOptions options = m_chart->options();
            apply(options);
            m_chart->setOptions(options);
            Q_EMIT m_chart->optionsChanged();
        });
    };
    const ChartOptions now = m_chart->options();
    auto* ranges = new QActionGroup(m_menu);
    m_menu->addSection(tr("Vertical range"));
    choice(ranges, tr("All values"), now.yRange == YRange::all, [](ChartOptions& o) { o.yRange = YRange::all; });
    choice(ranges, tr("5th to 95th percentile"), now.yRange == YRange::percentile5,
           [](ChartOptions& o) { o.yRange = YRange::percentile5; });
    choice(ranges, tr("1st to 99th percentile"), now.yRange == YRange::percentile1,
           [](ChartOptions& o) { o.yRange = YRange::percentile1; });
    auto* orders = new QActionGroup(m_menu);
    m_menu->addSection(tr("Order at the cursor"));
    choice(orders, tr("As listed"), now.tooltipOrder == TooltipOrder::added,
           [](ChartOptions& o) { o.tooltipOrder = TooltipOrder::added; });
    choice(orders, tr("Smallest first"), now.tooltipOrder == TooltipOrder::ascending,
           [](ChartOptions& o) { o.tooltipOrder = TooltipOrder::ascending; });
    choice(orders, tr("Largest first"), now.tooltipOrder == TooltipOrder::descending,
           [](ChartOptions& o) { o.tooltipOrder = TooltipOrder::descending; });
    choice(orders, tr("Nearest to the mouse first"), now.tooltipOrder == TooltipOrder::nearest,
           [](ChartOptions& o) { o.tooltipOrder = TooltipOrder::nearest; });
    m_menu->addSeparator();
    auto* single = new QActionGroup(m_menu);
    single->setExclusionPolicy(QActionGroup::ExclusionPolicy::None);
    choice(single, tr("Raw values behind the smoothed line"), now.showRaw,
           [](ChartOptions& o) { o.showRaw = !o.showRaw; });
    m_menu->addSeparator();
    m_menu->addAction(icon(Icon::picture), tr("Save as picture…"), this, &ChartPanel::exportPicture);
    m_menu->addAction(icon(Icon::exportFile), tr("Save all points as CSV…"), this, &ChartPanel::exportCsv);
    m_menu->addAction(icon(Icon::table), tr("Show as table"), this, &ChartPanel::showTable);
}

QString ChartPanel::askFile(const QString& filter, const QString& suffix) {
    QString name = m_chart->title();
    name.replace(QRegularExpression(QStringLiteral(R"([\\/:*?"<>|\s]+)")), QStringLiteral("-"));
    return QFileDialog::getSaveFileName(this, tr("Save %1").arg(m_chart->title()), name + suffix, filter);
}

void ChartPanel::exportPicture() {
    const QString file = askFile(tr("PNG picture (*.png)"), QStringLiteral(".png"));
    QString error;
    if (!file.isEmpty() && !m_chart->exportPicture(file, m_chart->size(), 2, Style::instance().dark(), &error))
        Q_EMIT exportFailed(error);
}

void ChartPanel::exportCsv() {
    const QString file = askFile(tr("Table (*.csv)"), QStringLiteral(".csv"));
    QString error;
    if (!file.isEmpty() && !m_chart->exportCsv(file, false, &error))
        Q_EMIT exportFailed(error);
}

void ChartPanel::showTable() {
    showChartTable(m_chart, this);
}

void ChartPanel::setMaximised(bool maximised) {
    m_maximised = maximised;
    retext();
}

void ChartPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange)
        retext();
    Card::changeEvent(event);
}

void ChartPanel::contextMenuEvent(QContextMenuEvent* event) {
    fillMenu();
    m_menu->popup(event->globalPos());
}

}  // namespace unmask::ui
