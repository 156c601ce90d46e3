// SPDX-License-Identifier: Apache-2.0
// Which language the window speaks. Words of the studio go through tr(); this chooses among texts that carry both
// languages themselves (field help, metric titles).
#pragma once

#include <QString>
#include <string_view>

namespace unmask::ui {

enum class Language { english, chinese };

// Until it is set: Chinese when the default QLocale is Chinese, otherwise English.
Language uiLanguage();
void setUiLanguage(Language language);

QString inUiLanguage(std::string_view english, std::string_view chinese);

}  // namespace unmask::ui
