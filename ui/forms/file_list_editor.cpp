// SPDX-License-Identifier: Apache-2.0
// Files are kept exactly as they were chosen: no path is altered, trimmed or made absolute by other rules than the
// file dialog's own.
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QStringListModel>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/forms/setting_editors.h"
#include "ui/forms/setting_text.h"
#include "ui/style/style.h"

namespace unmask::ui {
namespace {

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

}  // namespace

FileListEditor::FileListEditor(const Setting& setting, SpecDraft* draft, QWidget* parent)
    : SettingEditor(setting, draft, parent),
      m_view(new QListView),
      m_model(new QStringListModel(this)),
      m_hint(new QLabel),
      m_add(new QPushButton),
      m_remove(new QPushButton) {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    auto* buttons = new QHBoxLayout;
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    column->addLayout(buttons);
    buttons->addWidget(m_add);
    buttons->addWidget(m_remove);
    buttons->addStretch();
    m_view->setModel(m_model);
    auto* over = new QVBoxLayout(m_view->viewport());
    m_hint->setWordWrap(true);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setAttribute(Qt::WA_TransparentForMouseEvents);
    setRole(m_hint, "caption");
    over->addWidget(m_hint);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setTextElideMode(Qt::ElideMiddle);
    m_view->installEventFilter(this);
    box->setFocusProxy(m_view);
    setControl(box, true);
    setAcceptDrops(true);
    connect(m_add, &QPushButton::clicked, this,
            [this] { addFiles(QFileDialog::getOpenFileNames(this, tr("Add files"))); });
    connect(m_remove, &QPushButton::clicked, this, &FileListEditor::removeSelected);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_remove->setEnabled(m_view->selectionModel()->hasSelection()); });
}

void FileListEditor::showDraft() {
    QStringList files;
    for (const Json& file : draft()->value(path()))
        files << QString::fromStdString(file.get<std::string>());
    m_model->setStringList(files);
    m_remove->setEnabled(false);
    m_hint->setVisible(files.isEmpty());
    const int rows = std::clamp(static_cast<int>(files.size()), 2, 6);
    m_view->setFixedHeight(static_cast<int>(rows * fontMetrics().height() * 1.25) + Style::instance().px(0.8));
    m_view->viewport()->update();
}

void FileListEditor::retextControl() {
    m_add->setText(tr("Add files…"));
    m_remove->setText(tr("Remove"));
    m_hint->setText(tr("Drop text or JSON lines here. Without files the bundled sample corpus is used."));
    m_view->setAccessibleName(settingLabel(setting()));
    m_remove->setAccessibleName(tr("Remove the chosen files from the list"));
}

void FileListEditor::setFiles(const QStringList& files) {
    Json list = Json::array();
    for (const QString& file : files)
        list.push_back(file.toStdString());
    draft()->setValue(path(), list);
}

void FileListEditor::addFiles(const QStringList& files) {
    QStringList all = m_model->stringList();
    for (const QString& file : files)
        if (!all.contains(file))
            all << file;
    if (all.size() != m_model->rowCount())
        setFiles(all);
}

void FileListEditor::removeSelected() {
    QStringList kept;
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (!m_view->selectionModel()->isRowSelected(row))
            kept << m_model->index(row).data().toString();
    setFiles(kept);
}

void FileListEditor::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void FileListEditor::dropEvent(QDropEvent* event) {
    addFiles(localFiles(event->mimeData()));
    event->acceptProposedAction();
}

bool FileListEditor::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_view && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        removeSelected();
        return true;
    }
    return SettingEditor::eventFilter(watched, event);
}

}  // namespace unmask::ui
