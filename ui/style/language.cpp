// SPDX-License-Identifier: Apache-2.0
#include "ui/style/language.h"

#include <QLocale>
#include <optional>

namespace unmask::ui {
namespace {
std::optional<Language>& chosen() {
    static std::optional<Language> language;
    return language;
}
}  // namespace

Language uiLanguage() {
    if (chosen())
        return *chosen();
    return QLocale().language() == QLocale::Chinese ? Language::chinese : Language::english;
}

void setUiLanguage(Language language) {
    chosen() = language;
}

QString inUiLanguage(std::string_view english, std::string_view chinese) {
    const bool useChinese = uiLanguage() == Language::chinese && !chinese.empty();
    return QString::fromUtf8(useChinese ? chinese : english);
}

}  // namespace unmask::ui
