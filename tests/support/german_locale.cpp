// SPDX-License-Identifier: Apache-2.0
#include "tests/support/german_locale.h"

#include <stdlib.h>  // NOLINT: setenv

#include <clocale>
#include <cstdio>
#include <filesystem>

namespace unmask::test {

GermanLocale::GermanLocale() {
    m_active = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    if (m_active)
        return;
    const std::filesystem::path folder = std::filesystem::path(UNMASK_BINARY_DIR) / "locale";
    const auto locale = folder / "de_DE.UTF-8";
    if (!std::filesystem::exists(locale)) {
        std::filesystem::create_directories(folder);
        const std::string command = "localedef -i de_DE -f UTF-8 '" + locale.string() + "' 2>/dev/null";
        if (std::system(command.c_str()) != 0)
            return;
    }
    ::setenv("LOCPATH", folder.c_str(), 1);
    m_active = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    // A locale that is there and writes points would prove nothing.
    char text[16];
    std::snprintf(text, sizeof text, "%.1f", 0.5);
    m_active = m_active && text[1] == ',';
}

GermanLocale::~GermanLocale() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
}

}  // namespace unmask::test
