// SPDX-License-Identifier: Apache-2.0
// Draws the form of a run and its layout section with several layouts, in both themes and languages, to look at:
// `ui_page_gallery FOLDER` writes a picture each.
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QThread>
#include <QTranslator>
#include <QVBoxLayout>

#include "engine/protocol/presets.h"
#include "ui/pages/layout_proposals.h"
#include "ui/pages/layout_section.h"
#include "ui/pages/new_run_page.h"
#include "ui/settings/path_text.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/card.h"
#include "ui/widgets/rail.h"

namespace unmask::ui {
namespace {

struct Example {
    const char* name;
    const char* preset;
    const char* machines;
    ParallelConfig parallel;
    bool propose = false;
    int fontScale = 100;
    int width = 700;
};

ParallelConfig sizes(int64_t data, int64_t tensor, int64_t pipeline, int64_t zero = 0) {
    ParallelConfig parallel;
    parallel.dataParallelSize = data;
    parallel.tensorParallelSize = tensor;
    parallel.pipelineStages = pipeline;
    parallel.zeroStage = zero;
    parallel.microBatchSize = pipeline > 1 ? 2 : 0;
    return parallel;
}

void settle(const std::function<bool()>& done) {
    QElapsedTimer clock;
    clock.start();
    while (!done() && clock.elapsed() < 60000) {
        QApplication::processEvents(QEventLoop::AllEvents, 10);
        QThread::msleep(2);
    }
    for (int i = 0; i < 5; ++i)
        QApplication::processEvents();
}

void picture(const Example& example, const QString& file) {
    Style::instance().setFontScale(example.fontScale);
    SpecDraft draft;
    RunSpec spec = presetSpec(example.preset).value();
    spec.parallel = example.parallel;
    spec.training.batchSize = 64;
    draft.load(spec);
    QWidget window;
    window.setAutoFillBackground(true);
    auto* column = new QVBoxLayout(&window);
    auto* card = new Card(QStringLiteral("Layout"), &window);
    auto* section = new LayoutSection(&draft, card);
    card->body()->addWidget(section);
    column->addWidget(card);
    column->addStretch(1);
    section->setMachines(QString::fromUtf8(example.machines));
    window.resize(example.width, 600);
    window.show();
    const auto current = [&] {
        return section->latest() && section->latest()->machines == section->machines() &&
               section->latest()->spec == draft.spec();
    };
    settle(current);
    if (example.propose) {
        section->findChild<QPushButton*>(QStringLiteral("propose"))->click();
        settle([&] { return section->findChild<LayoutProposalList*>()->proposals().has_value(); });
    }
    const int height = window.layout()->hasHeightForWidth() ? window.layout()->heightForWidth(example.width)
                                                            : window.sizeHint().height();
    window.resize(example.width, std::min(height, 3000));
    settle(current);
    window.grab().save(file);
}

// The whole form as the window first shows it, at its layout.
void formPicture(const QString& file) {
    Style::instance().setFontScale(100);
    QTemporaryDir home;
    const std::filesystem::path folder = toPath(home.path());
    Settings settings(folder / "studio.ini");
    StoreOptions options;
    options.database = folder / "history.sqlite";
    options.runsFolder = folder / "runs";
    options.scan = false;
    RunStore store(options);
    EngineProcess engine(QStringLiteral("/nonexistent"));
    RunTableModel runs;
    Navigator navigator;
    const Services services{settings, store, engine, runs, navigator};
    RunActions actions(services);
    NewRunPage page(services, &actions);
    page.setAutoFillBackground(true);
    page.resize(Style::instance().px(84), Style::instance().px(56));
    page.show();
    auto* section = page.findChild<LayoutSection*>();
    section->setMachines(QStringLiteral("2 nodes of 8 H100"));
    RunSpec spec = page.draft().spec();
    spec.parallel = sizes(8, 2, 1, 1);
    spec.parallel.microBatchSize = 1;
    page.draft().apply(spec, QStringLiteral("example"));
    settle([&] { return page.mayStart() && section->latest() && section->latest()->spec == page.draft().spec(); });
    page.findChild<Rail*>()->setCurrent(3);
    settle([] { return true; });
    page.grab().save(file);
}

void allPictures(const QDir& folder) {
    QTranslator chineseWords;
    const bool loaded = chineseWords.load(QStringLiteral(UNMASK_BINARY_DIR "/app/i18n/unmask_zh_CN.qm"));
    const std::vector<Example> examples = {
        {"here", "first-steps", "", sizes(1, 1, 1)},
        {"two-nodes", "base", "8 x A100 80 GB on 2 nodes", sizes(2, 2, 2, 1)},
        {"illegal", "base", "8 x A100 80 GB on 2 nodes", sizes(2, 5, 1)},
        {"propose", "enhanced", "8 x RTX 4090", sizes(8, 1, 1), true},
        {"many", "enhanced", "64 x H200 on 8 nodes", sizes(8, 4, 2, 1)},
        {"wrong", "base", "8 x A1000", sizes(1, 1, 1)},
        {"large-text", "base", "8 x A100 80 GB on 2 nodes", sizes(2, 2, 2, 1), false, 150, 900},
    };
    for (const bool dark : {false, true})
        for (const bool chinese : {false, true}) {
            Style::instance().setTheme(dark ? ThemeChoice::dark : ThemeChoice::light);
            setUiLanguage(chinese ? Language::chinese : Language::english);
            if (chinese && loaded)
                QApplication::installTranslator(&chineseWords);
            const QString suffix = QStringLiteral("-%1-%2.png")
                                       .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                            chinese ? QStringLiteral("zh") : QStringLiteral("en"));
            for (const Example& example : examples)
                picture(example, folder.filePath(QStringLiteral("layout-") + QLatin1String(example.name) + suffix));
            formPicture(folder.filePath(QStringLiteral("form") + suffix));
            QApplication::removeTranslator(&chineseWords);
        }
}

}  // namespace
}  // namespace unmask::ui

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc < 2)
        return 20;
    QDir().mkpath(QString::fromLocal8Bit(argv[1]));
    unmask::ui::Style::instance().install(application);
    unmask::ui::allPictures(QDir(QString::fromLocal8Bit(argv[1])));
    return 0;
}
