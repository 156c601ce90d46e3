// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/path_text.h"

#include <QFile>

namespace unmask::ui {

#ifdef Q_OS_WIN
std::filesystem::path toPath(const QString& text) {
    return {text.toStdWString()};
}
QString fromPath(const std::filesystem::path& path) {
    return QString::fromStdWString(path.generic_wstring());
}
#else
std::filesystem::path toPath(const QString& text) {
    return {QFile::encodeName(text).toStdString()};
}
QString fromPath(const std::filesystem::path& path) {
    return QFile::decodeName(QByteArray::fromStdString(path.native()));
}
#endif

}  // namespace unmask::ui
