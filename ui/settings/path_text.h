// SPDX-License-Identifier: Apache-2.0
// The one place where paths and UTF-8 text cross between Qt and the standard library. A path is never trimmed or
// altered.
#pragma once

#include <QString>
#include <filesystem>
#include <string>
#include <string_view>

namespace unmask::ui {

std::filesystem::path toPath(const QString& text);
QString fromPath(const std::filesystem::path& path);

inline QString fromUtf8(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
inline std::string toUtf8(const QString& text) {
    return text.toStdString();
}

}  // namespace unmask::ui
