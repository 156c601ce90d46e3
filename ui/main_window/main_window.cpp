// SPDX-License-Identifier: Apache-2.0
#include "ui/main_window/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/main_window/opened_paths.h"
#include "ui/main_window/status_strip.h"
#include "ui/pages/compare_page.h"
#include "ui/pages/live_page.h"
#include "ui/pages/new_run_page.h"
#include "ui/pages/retranslator.h"
#include "ui/pages/runs_page.h"
#include "ui/pages/settings_page.h"
#include "ui/style/style.h"
#include "ui/widgets/rail.h"

namespace unmask::ui {

namespace {

struct Room {
    PageId page;
    Icon icon;
    const char* word;  // in the settings file
};
constexpr Room kRooms[] = {{PageId::runs, Icon::runs, "runs"},
                           {PageId::newRun, Icon::newRun, "new_run"},
                           {PageId::live, Icon::live, "live"},
                           {PageId::compare, Icon::compare, "compare"},
                           {PageId::settings, Icon::settings, "settings"}};
constexpr int kScaleStep = 10;

}  // namespace

MainWindow::MainWindow(const Services& services, QWidget* parent)
    : QMainWindow(parent), m_services(services), m_actions(services) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    build();
    addActions();
    listenToNavigator();
    (new Retranslator(this))->add([this] { retext(); });
    restore();
}

void MainWindow::build() {
    m_runs = new RunsPage(m_services, &m_actions);
    m_newRun = new NewRunPage(m_services, &m_actions);
    m_live = new LivePage(m_services, &m_actions);
    m_compare = new ComparePage(m_services, &m_actions);
    m_settings = new SettingsPage(m_services);
    m_stack = new QStackedWidget;
    for (Page* page : std::initializer_list<Page*>{m_runs, m_newRun, m_live, m_compare, m_settings})
        m_stack->addWidget(page);
    m_rail = new Rail;
    setRole(m_rail, "rail");
    for (const Room& room : kRooms)
        m_rail->addItem(room.icon, QString());
    m_rail->addStretch();
    m_strip = new StatusStrip(m_services);

    auto* body = new QWidget(this);
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_rail);
    row->addWidget(m_stack, 1);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row, 1);
    column->addWidget(m_strip);
    setCentralWidget(body);
    m_toast = new Toast(this);
    connect(m_rail, &Rail::currentChanged, this, [this](int index) { showPage(kRooms[index].page); });
}

void MainWindow::addActions() {
    const auto on = [this](const QKeySequence& keys, auto run) {
        auto* action = new QAction(this);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, run);
        addAction(action);
    };
    for (int i = 0; i < m_rail->count(); ++i)
        on(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), [this, i] { showPage(kRooms[i].page); });
    on(QKeySequence(Qt::Key_F11), [this] { isFullScreen() ? showNormal() : showFullScreen(); });
    on(QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
    const auto scale = [this](int by) {
        return [this, by] {
            m_services.settings.set(StudioSetting::fontScale,
                                    m_services.settings.get<int>(StudioSetting::fontScale) + by);
        };
    };
    on(QKeySequence(Qt::CTRL | Qt::Key_Equal), scale(kScaleStep));
    on(QKeySequence(Qt::CTRL | Qt::Key_Minus), scale(-kScaleStep));
}

void MainWindow::listenToNavigator() {
    const Navigator& navigator = m_services.navigator;
    connect(&navigator, &Navigator::pageRequested, this, &MainWindow::showPage);
    connect(&navigator, &Navigator::liveRequested, this, [this](const QString& key) {
        m_live->openRun(key);
        showPage(PageId::live);
    });
    connect(&navigator, &Navigator::liveFolderRequested, this, [this](const QString& folder) {
        m_live->openFolder(folder);
        showPage(PageId::live);
    });
    connect(&navigator, &Navigator::compareRequested, this, [this](const QStringList& keys) {
        m_compare->compare(keys);
        showPage(PageId::compare);
    });
    connect(&navigator, &Navigator::newRunRequested, this, [this](const FormSeed& seed) {
        m_newRun->fill(seed);
        showPage(PageId::newRun);
    });
    connect(&navigator, &Navigator::messageRequested, this,
            [this](BannerKind kind, const QString& sentence) { m_toast->showMessage(kind, sentence); });
    connect(&m_services.store, &RunStore::failed, this,
            [this](const QString& sentence) { m_toast->showMessage(BannerKind::warning, sentence); });
}

void MainWindow::retext() {
    const QStringList names = {tr("Runs"), tr("New run"), tr("Live"), tr("Compare"), tr("Settings")};
    for (int i = 0; i < names.size(); ++i) {
        m_rail->setText(i, names[i]);
        m_rail->setShortcutText(i, QStringLiteral("Ctrl+%1").arg(i + 1));
    }
    setWindowTitle(tr("Unmask"));
}

void MainWindow::restore() {
    const Settings& settings = m_services.settings;
    resize(Style::instance().px(92), Style::instance().px(58));
    const QByteArray geometry = settings.get<QByteArray>(StudioSetting::windowGeometry);
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
    PageId page = PageId::newRun;  // the first time: the sample project, ready to start
    for (const Room& room : kRooms)
        if (settings.text(StudioSetting::currentPage) == QLatin1String(room.word))
            page = room.page;
    showPage(page);
}

void MainWindow::remember() {
    Settings& settings = m_services.settings;
    settings.set(StudioSetting::windowGeometry, saveGeometry());
    for (const Room& room : kRooms)
        if (room.page == currentPage())
            settings.set(StudioSetting::currentPage, QLatin1String(room.word));
}

void MainWindow::showPage(PageId page) {
    const int index = static_cast<int>(page);
    m_rail->setCurrent(index);
    if (auto* before = qobject_cast<Page*>(m_stack->currentWidget()); before && m_stack->currentIndex() != index)
        before->left();
    m_stack->setCurrentIndex(index);
    if (auto* now = qobject_cast<Page*>(m_stack->currentWidget()))
        now->entered();
}

PageId MainWindow::currentPage() const {
    return static_cast<PageId>(m_stack->currentIndex());
}

void MainWindow::openPaths(const QStringList& paths) {
    sortPathsLater(paths).then(this, [this](const OpenedPaths& opened) {
        if (!opened.runFiles.isEmpty()) {
            m_newRun->openRunFile(opened.runFiles.first());
            showPage(PageId::newRun);
        }
        if (!opened.dataFiles.isEmpty()) {
            m_newRun->useDataFiles(opened.dataFiles);
            showPage(PageId::newRun);
        }
        for (const QString& folder : opened.runFolders)
            m_services.store.addFolder(std::filesystem::path(folder.toStdString()));
        if (!opened.runFolders.isEmpty()) {
            m_live->openFolder(opened.runFolders.first());
            showPage(PageId::live);
        }
    });
}

void MainWindow::bringToFront() {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    int active = 0;
    for (int i = 0; i < m_services.runs.rowCount(); ++i)
        if (m_services.runs.row(i).status.alive())
            ++active;
    if (active > 0 && !m_mayClose && !qApp->isSavingSession()) {
        event->ignore();
        askBeforeClosing(active);
        return;
    }
    remember();
    QMainWindow::closeEvent(event);
}

void MainWindow::askBeforeClosing(int active) {
    auto* box = new QMessageBox(QMessageBox::Information, tr("Close the window"),
                                tr("%n run(s) continue without this window.", nullptr, active), {}, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("closeQuestion"));
    box->setInformativeText(tr("Open the studio again at any time; the curves will be complete."));
    QPushButton* close = box->addButton(tr("Close"), QMessageBox::AcceptRole);
    close->setObjectName(QStringLiteral("closeButton"));
    QPushButton* stop = box->addButton(tr("Stop and save…"), QMessageBox::ActionRole);
    box->addButton(tr("Cancel"), QMessageBox::RejectRole);
    box->setDefaultButton(close);
    connect(box, &QMessageBox::buttonClicked, this, [this, close, stop](QAbstractButton* button) {
        if (button == close) {
            m_mayClose = true;
            this->close();
        } else if (button == stop) {
            showPage(PageId::live);
            m_live->openStopDialog();
        }
    });
    box->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    const QList<QUrl> urls = event->mimeData()->urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            paths.append(url.toLocalFile());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    openPaths(paths);
}

}  // namespace unmask::ui
