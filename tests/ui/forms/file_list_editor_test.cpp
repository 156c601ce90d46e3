// SPDX-License-Identifier: Apache-2.0
// Paths are never altered, trimmed or taken twice.
#include "ui/forms/setting_editor.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QDropEvent>
#include <QListView>
#include <QMimeData>
#include <QTest>
#include <QUrl>
#include <memory>

#include "ui/forms/setting_text.h"

namespace unmask::ui {
namespace {

TEST(FileListEditor, DroppedFilesAreTakenAsTheyAre) {
    SpecDraft draft;
    std::unique_ptr<SettingEditor> files(makeSettingEditor(settingAt(QStringLiteral("data.files")), &draft));
    files->show();
    QMimeData data;
    const QString odd = QStringLiteral("/tmp/训练 数据/Überprüfung a'b.txt");
    data.setUrls({QUrl::fromLocalFile(odd), QUrl(QStringLiteral("https://example.org/x.txt"))});
    for (int times = 0; times < 2; ++times) {
        QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(files.get(), &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent drop(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(files.get(), &drop);
    }
    ASSERT_EQ(draft.spec().data.files.size(), 1U) << "no web address, no double";
    EXPECT_EQ(draft.spec().data.files[0], odd.toStdString());
    auto* view = files->findChild<QListView*>();
    view->selectAll();
    QTest::keyClick(view, Qt::Key_Delete);
    EXPECT_TRUE(draft.spec().data.files.empty());
    draft.undoStack()->undo();
    EXPECT_EQ(draft.spec().data.files.size(), 1U);
}

}  // namespace
}  // namespace unmask::ui
