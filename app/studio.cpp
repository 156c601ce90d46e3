// SPDX-License-Identifier: Apache-2.0
#include "app/studio.h"

#include <QLibraryInfo>
#include <QLocale>

#include "ui/style/language.h"
#include "ui/style/style.h"

namespace unmask::ui {

namespace {

bool isChinese(const QString& language) {
    if (language == QLatin1String("system"))
        return QLocale::system().language() == QLocale::Chinese;
    return language == QLatin1String("zh_CN");
}

// Figures and dates follow the desktop, except where it knows no language or speaks another than the window.
QLocale numberLocale(bool chinese) {
    const QLocale system = QLocale::system();
    if (chinese)
        return system.language() == QLocale::Chinese ? system : QLocale(QLocale::Chinese, QLocale::China);
    const bool silent = system.language() == QLocale::C || system.language() == QLocale::Chinese;
    return silent ? QLocale(QLocale::English, QLocale::UnitedStates) : system;
}

}  // namespace

Studio::Studio(QApplication& application, const CommandLine& line) : m_application(application), m_line(line) {
    Style::instance().install(application);
    const auto chosen = [this](const QString& fromLine, StudioSetting setting) {
        return fromLine.isEmpty() ? m_settings.text(setting) : fromLine;
    };
    useLanguage(chosen(line.language, StudioSetting::language));
    useTheme(chosen(line.theme, StudioSetting::theme));
    Style::instance().setFontScale(m_settings.get<int>(StudioSetting::fontScale));

    StoreOptions options;
    options.runsFolder = m_settings.runsFolder();
    m_store = std::make_unique<RunStore>(options);
    m_engine = std::make_unique<EngineProcess>();
    m_runs = std::make_unique<RunTableModel>();
    m_runs->follow(m_store.get());
    m_store->open();
    if (line.rebuildHistory)
        m_store->rebuildHistory();
    m_window = std::make_unique<MainWindow>(Services{m_settings, *m_store, *m_engine, *m_runs, m_navigator});
    connect(&m_settings, &Settings::changed, this, &Studio::onSetting);
}

Studio::~Studio() {
    m_window.reset();  // before the services it uses
    m_settings.flush();
}

void Studio::show() {
    m_window->show();
    openPaths(m_line.paths);
}

void Studio::openPaths(const QStringList& paths) {
    if (!paths.isEmpty())
        m_window->openPaths(paths);
}

void Studio::onSetting(StudioSetting setting) {
    if (setting == StudioSetting::language)
        useLanguage(m_settings.text(setting));
    else if (setting == StudioSetting::theme)
        useTheme(m_settings.text(setting));
    else if (setting == StudioSetting::fontScale)
        Style::instance().setFontScale(m_settings.get<int>(setting));
}

void Studio::useLanguage(const QString& language) {
    const bool chinese = isChinese(language);
    QLocale::setDefault(numberLocale(chinese));
    setUiLanguage(chinese ? Language::chinese : Language::english);
    m_application.removeTranslator(&m_qtWords);
    m_application.removeTranslator(&m_words);
    // English is translated too: it holds the plurals.
    if (m_words.load(chinese ? QStringLiteral(":/i18n/unmask_zh_CN.qm") : QStringLiteral(":/i18n/unmask_en.qm")))
        m_application.installTranslator(&m_words);
    if (chinese && m_qtWords.load(QStringLiteral("qtbase_zh_CN"), QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        m_application.installTranslator(&m_qtWords);
}

void Studio::useTheme(const QString& theme) {
    if (theme == QLatin1String("light"))
        Style::instance().setTheme(ThemeChoice::light);
    else if (theme == QLatin1String("dark"))
        Style::instance().setTheme(ThemeChoice::dark);
    else
        Style::instance().setTheme(ThemeChoice::system);
}

}  // namespace unmask::ui
