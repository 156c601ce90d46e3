// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/studio_support.h"

#include <signal.h>

#include <QMessageBox>
#include <QSignalSpy>

#include "engine/base/places.h"
#include "engine/journal/run_state.h"
#include "engine/launch/worker_program.h"
#include "engine/protocol/metric_names.h"
#include "ui/forms/spec_form.h"
#include "ui/pages/live_page.h"
#include "ui/pages/new_run_page.h"

namespace unmask::test {
namespace fs = std::filesystem;
using namespace unmask::ui;

namespace {

constexpr int kPatienceMs = 30'000;

void setPlace(const char* name, const fs::path& place) {
    qputenv(name, QByteArray::fromStdString(place.string()));
}

QString lossName() {
    return QString::fromUtf8(metric::kTrainLoss.data(), static_cast<qsizetype>(metric::kTrainLoss.size()));
}

}  // namespace

bool engineBuilt() {
    return fs::exists(UNMASK_BINARY_DIR "/bin/unmask-engine") && fs::exists(UNMASK_BINARY_DIR "/bin/unmask-worker") &&
           torchInstalled();
}

StudioTest::StudioTest() : m_home(m_root.path() / "Haus ä 训练") {
    fs::create_directories(m_home);
    setPlace("UNMASK_TORCH_DIR", torchFolder());  // before the cache moves away from it
    setPlace("UNMASK_RUNS", m_home / "runs");
    setPlace("UNMASK_CACHE", m_home / "cache");
    setPlace("XDG_DATA_HOME", m_home / "data");
    setPlace("XDG_CONFIG_HOME", m_home / "config");
    setPlace("UNMASK_ENGINE", fs::path(UNMASK_BINARY_DIR "/bin/unmask-engine"));
}

StudioTest::~StudioTest() {
    m_studio.reset();
    // Nothing may go on training after the test: end each worker by the pid that its own state file names.
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(m_home / "runs", none))
        if (const auto state = readRunState({entry.path()}); state && lifeOf(state->process) == ProcessLife::alive)
            kill(static_cast<pid_t>(state->process.pid), SIGKILL);
    QTest::qWait(500);  // its supervisor writes exit.json
}

void StudioTest::openStudio(const CommandLine& line) {
    CommandLine english = line;
    if (english.language.isEmpty())
        english.language = QStringLiteral("en");
    m_studio = std::make_unique<Studio>(*qobject_cast<QApplication*>(QCoreApplication::instance()), english);
    m_studio->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&m_studio->window()));
}

void StudioTest::closeStudio() {
    m_studio->window().close();
    if (m_studio->window().isVisible())
        click("closeButton");
    EXPECT_TRUE(QTest::qWaitFor([this] { return !m_studio->window().isVisible(); }, 5000));
    m_studio.reset();
}

const RunSession& StudioTest::session() {
    return studio().window().livePage().session();
}

void StudioTest::click(const char* objectName) {
    auto* button = find<QAbstractButton>(objectName);
    ASSERT_TRUE(button);
    ASSERT_TRUE(QTest::qWaitFor([button] { return button->isEnabled() && button->isVisible(); }, kPatienceMs))
        << objectName << " cannot be pressed";
    QTest::mouseClick(button, Qt::LeftButton);
}

void StudioTest::startRun(const std::map<std::string, std::string>& typed) {
    const QString before = session().row().key;
    studio().window().showPage(PageId::newRun);
    click("preset-first-steps");
    for (const auto& [path, text] : typed)
        studio().window().newRunPage().draft().setText(QString::fromStdString(path), QString::fromStdString(text));
    // The form checks itself a moment after the last edit; Start pressed before says so and does nothing.
    ASSERT_TRUE(QTest::qWaitFor([this] { return studio().window().newRunPage().mayStart(); }, kPatienceMs));
    click("startButton");
    const auto follows = [this, before] { return session().isOpen() && session().row().key != before; };
    ASSERT_TRUE(QTest::qWaitFor(follows, kPatienceMs)) << "the window does not show the run it started";
    ASSERT_TRUE(waitForStep(1)) << "the run gave no first point";
}

bool StudioTest::waitForStep(qint64 step, int milliseconds) {
    return QTest::qWaitFor(
        [this, step] {
            const std::vector<double>& steps = session().series().columns(lossName()).step;
            return !steps.empty() && steps.back() >= static_cast<double>(step);
        },
        milliseconds);
}

bool StudioTest::waitForWord(RunWord word, int milliseconds) {
    return QTest::qWaitFor([this, word] { return session().status().word == word; }, milliseconds);
}

RunFolder StudioTest::runFolder() {
    return {fs::path(session().row().folder.toStdString())};
}

void StudioTest::expectWholeCurve() {
    std::vector<double> expected;
    EventReader reader(runFolder());
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records) {
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                while (!expected.empty() && expected.back() > static_cast<double>(resumed->fromStep))
                    expected.pop_back();
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (metrics && metrics->values.contains(std::string(metric::kTrainLoss)))
                expected.push_back(static_cast<double>(record.step));
        }
    ASSERT_FALSE(expected.empty());
    // The window may be a moment behind the file, or the file behind the window; both grow.
    ASSERT_TRUE(waitForStep(static_cast<qint64>(expected.back()), 10'000));
    const std::vector<double>& shown = session().series().columns(lossName()).step;
    ASSERT_GE(shown.size(), expected.size());
    for (size_t i = 0; i < shown.size(); ++i)
        ASSERT_EQ(shown[i], static_cast<double>(i + 1)) << "gap or double at point " << i;
    for (size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(shown[i], expected[i]);
}

}  // namespace unmask::test
