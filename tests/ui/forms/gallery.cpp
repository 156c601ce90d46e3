// SPDX-License-Identifier: Apache-2.0
// Pictures of widgets, charts and forms in both themes and languages, for people to look at: ui_gallery FOLDER.
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <cmath>
#include <random>

#include "ui/charts/chart_grid.h"
#include "ui/charts/chart_widget.h"
#include "ui/forms/spec_form.h"
#include "ui/style/language.h"
#include "ui/style/style.h"
#include "ui/widgets/architecture_card.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/log_view.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/problem_label.h"
#include "ui/widgets/rail.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/sparkline.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"

namespace unmask::ui {
namespace {

QString two(const char* english, const char* chinese) {
    return inUiLanguage(english, chinese);
}

PointBatch curve(int points, double floor, double noiseSize, int seed, int stride = 1) {
    PointBatch batch;
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    std::normal_distribution<double> noise(0, noiseSize);
    for (int i = 1; i <= points; i += stride)
        batch.push(i, i * 2048.0, i * 0.1, 1.7962e9 + i * 0.1,
                   floor + 3.2 * std::exp(-i / (points * 0.18)) + noise(random));
    return batch;
}

QWidget* tiles() {
    auto* card = new Card(two("Now", "当前"));
    auto* row = new QHBoxLayout;
    const QList<std::array<QString, 3>> facts{
        {two("Loss", "损失"), QStringLiteral("2.913"), two("validation 2.957", "验证 2.957")},
        {two("Throughput", "吞吐量"), QStringLiteral("498 k tok/s"), {}},
        {two("Temperature", "温度"), {}, {}},
        {two("Left", "剩余"), QStringLiteral("21 min"), two("ends 14:52", "14:52 结束")}};
    for (const auto& fact : facts) {
        auto* tile = new StatTile(fact[0]);
        tile->setValue(fact[1]);
        tile->setDetail(fact[2]);
        row->addWidget(tile);
    }
    auto* spark = new Sparkline;
    QVector<double> values;
    for (int i = 0; i < 60; ++i)
        values << std::exp(-i * 0.05) + 0.05 * std::sin(i * 1.7);
    spark->setValues(values);
    row->addWidget(spark);
    card->body()->addLayout(row);
    auto* badges = new QWidget;
    auto* flow = new FlowLayout(badges);
    for (const char* state :
         {"running", "paused", "queued", "finished", "stopped", "failed", "interrupted", "stalled"}) {
        auto* badge = new StateBadge;
        badge->setState(QString::fromLatin1(state));
        flow->addWidget(badge);
    }
    card->body()->addWidget(badges);
    return card;
}

QWidget* architectures() {
    auto* card = new Card(two("Architecture", "架构"));
    auto* row = new QHBoxLayout;
    const QList<ArchitectureFacts> all{
        {two("First steps", "第一步"), two("4 layers × 128", "4 层 × 128"), two("0.9 M parameters", "90 万参数"),
         two("two minutes on two cores", "双核两分钟"), 4, 128},
        {two("Light", "轻量"),
         two("6 layers × 512", "6 层 × 512"),
         two("70.8 M parameters", "7080 万参数"),
         {},
         6,
         512},
        {two("Base", "基础"),
         two("12 layers × 768", "12 层 × 768"),
         two("162.2 M parameters", "1.62 亿参数"),
         {},
         12,
         768},
        {two("Enhanced", "增强"),
         two("24 layers × 1024", "24 层 × 1024"),
         two("411.4 M parameters", "4.11 亿参数"),
         {},
         24,
         1024},
        {two("Custom", "自定义"), two("your own numbers", "自选数值"), {}, {}, 0, 0}};
    for (const ArchitectureFacts& facts : all) {
        auto* one = new ArchitectureCard;
        one->setFacts(facts);
        one->setChecked(facts.layers == 12);
        row->addWidget(one);
    }
    card->body()->addLayout(row);
    auto* memory = new MemoryBar;
    constexpr double kGiB = 1073741824.0;
    memory->setParts({12 * kGiB, 6 * kGiB, 24 * kGiB, 41 * kGiB, 3 * kGiB, 9 * kGiB, 139 * kGiB});
    card->body()->addWidget(memory);
    auto* tooMuch = new MemoryBar;
    tooMuch->setParts({12 * kGiB, 6 * kGiB, 24 * kGiB, 41 * kGiB, 3 * kGiB, 0, 64 * kGiB});
    card->body()->addWidget(tooMuch);
    auto* problem = new ProblemLabel;
    problem->setProblem(ProblemKind::error, two("5 heads do not divide a width of 768; 1, 2, 3, 4, 6, 8 and 12 do.",
                                                "5 个头不能整除宽度 768；可用 1、2、3、4、6、8、12。"));
    card->body()->addWidget(problem);
    auto* warning = new ProblemLabel;
    warning->setProblem(ProblemKind::warning,
                        two("The micro-batch leaves 31 % of the memory unused.", "该微批有 31 % 的内存未使用。"));
    card->body()->addWidget(warning);
    return card;
}

QWidget* controls() {
    auto* card = new Card(two("Controls", "控件"));
    auto* row = new QHBoxLayout;
    auto* start = new QPushButton(two("Start", "开始"));
    setRole(start, "primary");
    auto* off = new QPushButton(two("Start", "开始"));
    setRole(off, "primary");
    off->setEnabled(false);
    auto* stop = new QPushButton(two("Stop…", "停止…"));
    setRole(stop, "danger");
    auto* quiet = new QPushButton(two("Quiet", "次要"));
    setRole(quiet, "quiet");
    auto* axis = new SegmentedControl;
    axis->setTexts({two("step", "步"), two("tokens", "token"), two("active", "运行时间"), two("wall", "时钟")});
    for (QWidget* one :
         std::initializer_list<QWidget*>{start, off, new QPushButton(two("Pause", "暂停")), stop, quiet, axis})
        row->addWidget(one);
    for (int i = 0; i < 2; ++i) {
        auto* chip = new Chip(i == 0 ? QStringLiteral("base-3e4") : QStringLiteral("base-1e4"));
        chip->setLine(Style::instance().chartColors().series[static_cast<size_t>(i)], static_cast<LineMark>(1 + i));
        chip->setStarred(i == 0);
        chip->setClosable(true);
        row->addWidget(chip);
    }
    row->addStretch();
    card->body()->addLayout(row);
    auto* banner = new Banner;
    banner->setActions(two("Resume", "继续"), two("Diagnostics…", "诊断…"));
    banner->showMessage(BannerKind::danger,
                        two("Out of memory on GPU 2: 25.1 GiB needed, 23.6 GiB were free. Try micro-batch 4, or switch "
                            "on activation checkpointing.",
                            "GPU 2 显存不足：需要 25.1 GiB，可用 23.6 GiB。可将微批设为 4，或开启激活检查点。"),
                        QStringLiteral("trace"));
    card->body()->addWidget(banner);
    auto* info = new Banner;
    info->showMessage(BannerKind::info, two("History is being rebuilt from 214 run folders (37 done).",
                                            "正在从 214 个运行文件夹重建历史（已完成 37）。"));
    card->body()->addWidget(info);
    auto* log = new LogView;
    log->append({{LogLevel::info, QStringLiteral("14:21:07"), two("step 8,420 loss 2.913", "第 8,420 步 损失 2.913")},
                 {LogLevel::warning, QStringLiteral("14:21:09"),
                  two("3 lines skipped in c4_demo.jsonl", "c4_demo.jsonl 中跳过 3 行")},
                 {LogLevel::error, QStringLiteral("14:21:12"), two("disk full", "磁盘已满")}});
    log->setFixedHeight(Style::instance().px(9));
    card->body()->addWidget(log);
    return card;
}

QWidget* railBeside(QWidget* content) {
    auto* whole = new QWidget;
    auto* row = new QHBoxLayout(whole);
    row->setContentsMargins(0, 0, 0, 0);
    auto* rail = new Rail;
    rail->addItem(Icon::runs, two("Runs", "运行"));
    rail->addItem(Icon::newRun, two("New run", "新建运行"));
    rail->addItem(Icon::live, two("Live", "实时"));
    rail->addItem(Icon::compare, two("Compare", "对比"));
    rail->addItem(Icon::data, two("Data", "数据"));
    rail->addItem(Icon::playground, two("Playground", "试验场"));
    rail->addItem(Icon::servers, two("Servers", "服务器"));
    rail->addItem(Icon::settings, two("Settings", "设置"));
    rail->setCurrent(1);
    rail->setMark(4, RailMark::ok);
    rail->setMark(5, RailMark::warning, 2);
    rail->setMark(6, RailMark::error, 1);
    row->addWidget(rail);
    row->addWidget(content, 1);
    return whole;
}

QWidget* widgetPage() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(wideGap(), wideGap(), wideGap(), wideGap());
    column->setSpacing(wideGap());
    auto* title = new QLabel(two("New run", "新建运行"));
    setRole(title, "title");
    column->addWidget(title);
    column->addWidget(tiles());
    column->addWidget(architectures());
    column->addWidget(controls());
    column->addStretch();
    return railBeside(content);
}

QWidget* livePage() {
    auto* grid = new ChartGrid;
    grid->setCharts({QStringLiteral("loss"), QStringLiteral("grad_norm"), QStringLiteral("learning_rate"),
                     QStringLiteral("tokens_per_second"), QStringLiteral("device_memory"), QStringLiteral("host_cpu")});
    const QString run = QStringLiteral("a");
    grid->addRun(run, QStringLiteral("shakespeare-12L"));
    PointBatch loss = curve(8420, 2.4, 0.12, 1);
    for (size_t i = 3000; i < 3200; ++i)
        loss.value[i] = NAN;
    PointBatch first = loss;
    grid->setData(run, QStringLiteral("train/loss"), loss);
    grid->resumeFrom(run, 7000);
    grid->appendBatch(run, QStringLiteral("train/loss"), [] {
        PointBatch more = curve(8420, 2.35, 0.12, 9);
        PointBatch tail;
        for (size_t i = 7000; i < more.size(); ++i)
            tail.push(more.step[i], more.tokens[i], more.activeSeconds[i], more.wallSeconds[i], more.value[i]);
        return tail;
    }());
    grid->setData(run, QStringLiteral("validation/loss"), curve(8420, 2.5, 0.01, 2, 500));
    PointBatch norm = curve(8420, 0.8, 0.25, 3);
    norm.value[5000] = 40;
    grid->setData(run, QStringLiteral("train/grad_norm"), norm);
    PointBatch rate;
    for (int i = 1; i <= 8420; ++i)
        rate.push(i, i * 2048.0, i * 0.1, 1.7962e9 + i * 0.1,
                  3e-4 * std::min(1.0, i / 842.0) * 0.5 * (1 + std::cos(M_PI * i / 18300)));
    grid->setData(run, QStringLiteral("train/learning_rate"), rate);
    PointBatch speed = curve(8420, 498000, 6000, 4);
    grid->setData(run, QStringLiteral("train/tokens_per_second"), speed);
    for (int device = 0; device < 2; ++device) {
        PointBatch memory;
        for (int i = 1; i <= 8420; i += 20)
            memory.push(i, i * 2048.0, i * 0.1, 1.7962e9 + i * 0.1,
                        (60.0 + device * 4 + (i > 400 ? 6 : 0)) * 1073741824.0);
        grid->setData(run, QStringLiteral("device/%1/memory_used").arg(device), memory);
    }
    grid->setEvidence({{6000, 6400, two("flat for 12 evaluations", "12 次验证无改善")}});
    return grid;
}

QWidget* comparePage() {
    auto* grid = new ChartGrid;
    grid->setCharts({QStringLiteral("loss"), QStringLiteral("grad_norm")});
    int seed = 0;
    for (const char* name : {"base-3e4", "base-1e4", "base-fp8", "tiny"}) {
        const QString id = QString::fromLatin1(name);
        grid->addRun(id, id);
        ++seed;
        grid->setData(id, QStringLiteral("train/loss"), curve(5000 + 400 * seed, 2.2 + 0.3 * seed, 0.06, seed));
        grid->setData(id, QStringLiteral("train/grad_norm"),
                      curve(5000 + 400 * seed, 0.5 + 0.4 * seed, 0.05, seed + 20));
    }
    grid->setXAxis(XAxis::tokens);
    return grid;
}

QWidget* formPage() {
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    auto* form = new SpecForm;
    form->draft()->setText(QStringLiteral("model.heads"), QStringLiteral("five"));
    form->draft()->setText(QStringLiteral("model.layers"), QStringLiteral("12"));
    form->draft()->setValue(QStringLiteral("data.files"),
                            Json::array({"/home/li/训练 数据/小说.txt", "/data/c4_demo.jsonl"}));
    form->draft()->setOutsideProblems({{QStringLiteral("training.batch_size"), ProblemKind::warning,
                                        two("31 % of the memory stays unused.", "31 % 的内存未使用。")}});
    auto* body = new QWidget;
    body->setObjectName(QStringLiteral("scrollBody"));
    auto* column = new QVBoxLayout(body);
    column->addWidget(form);
    area->setWidget(body);
    return area;
}

void picture(QWidget* page, const QSize& size, const QString& file) {
    QWidget window;
    window.setAutoFillBackground(true);
    auto* column = new QVBoxLayout(&window);
    column->setContentsMargins(
        page->layout() && page->findChild<Rail*>() ? QMargins() : QMargins(wideGap(), wideGap(), wideGap(), wideGap()));
    column->addWidget(page);
    window.resize(size);
    window.show();
    QApplication::processEvents();
    for (ChartWidget* chart : window.findChildren<ChartWidget*>())
        chart->renderNow();
    if (auto* grid = window.findChild<ChartGrid*>())
        if (ChartWidget* loss = grid->chart(QStringLiteral("loss"))) {
            QMouseEvent move(QEvent::MouseMove, QPointF(loss->width() * 0.55, loss->height() * 0.5),
                             loss->mapToGlobal(QPointF(loss->width() * 0.55, loss->height() * 0.5)), Qt::NoButton,
                             Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(loss, &move);
        }
    window.grab().save(file);
}

void allPictures(const QDir& folder) {
    for (const bool dark : {false, true})
        for (const bool chinese : {false, true}) {
            Style::instance().setTheme(dark ? ThemeChoice::dark : ThemeChoice::light);
            setUiLanguage(chinese ? Language::chinese : Language::english);
            const QString suffix = QStringLiteral("-%1-%2.png")
                                       .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                            chinese ? QStringLiteral("zh") : QStringLiteral("en"));
            picture(widgetPage(), {1280, 1000}, folder.filePath(QStringLiteral("widgets") + suffix));
            picture(livePage(), {1280, 900}, folder.filePath(QStringLiteral("live") + suffix));
            picture(comparePage(), {1280, 480}, folder.filePath(QStringLiteral("compare") + suffix));
            picture(formPage(), {900, 1000}, folder.filePath(QStringLiteral("form") + suffix));
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
