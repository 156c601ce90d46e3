// SPDX-License-Identifier: Apache-2.0
// Whatever is wrong with the input: one clear sentence, exit code 20, and nothing half-made is left.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/base/json.h"
#include "tests/e2e/cli_support.h"
#include "tests/support/german_locale.h"

namespace unmask::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BadInputTest : public CliTest {
 protected:
    // The command must be refused with all the `words` in its one line, and leave no run behind.
    void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
        const std::string shown = testing::PrintToString(arguments);
        EXPECT_EQ(run(arguments), 20) << shown << m_output << m_errors;
        EXPECT_THAT(m_errors, testing::StartsWith("unmask-engine: ")) << shown;
        EXPECT_EQ(std::count(m_errors.begin(), m_errors.end(), '\n'), 1) << m_errors;
        for (const std::string& word : words)
            EXPECT_THAT(m_errors, HasSubstr(word)) << shown;
        EXPECT_FALSE(fs::exists(runFolder().path)) << shown;
        EXPECT_FALSE(fs::exists(place("runs")) && !fs::is_empty(place("runs"))) << shown;
    }
    void refusedData(const std::string& path, const std::vector<std::string>& words) {
        refused({"train", "--preset", "first-steps", "--data", path, "--run", runFolder().path.string()}, words);
        refused({"start", "--preset", "first-steps", "--data", path}, words);
    }
    void refusedSpec(const std::string& json, const std::vector<std::string>& words) {
        refused({"train", "--spec", file("run file.json", json), "--run", runFolder().path.string()}, words);
    }
    std::string text() { return file("good ü.txt", std::string(20000, 'a') + "\n"); }
};

TEST_F(BadInputTest, DataFiles) {
    refusedData(place("missing 文.txt").string(), {"missing 文.txt"});
    refusedData(file("empty.txt", ""), {"empty.txt", "empty"});
    refusedData(place("").string(), {"folder"});
    ASSERT_EQ(mkfifo(place("fifo").c_str(), 0600), 0);
    refusedData(place("fifo").string(), {"fifo"});
    refusedData("/dev/zero", {"/dev/zero"});
    refusedData(file("binary.txt", std::string("\x7f"
                                               "ELF\x02\x01\x01\0\0\0\0\0\0\0",
                                               14) +
                                       std::string(5000, '\0')),
                {"binary.txt"});
    refusedData(file("latin1.txt", std::string(1000, 'a') + "M\xFCnchen" + std::string(1000, 'a')),
                {"latin1.txt", "1001"});
    refusedData(file("tiny.txt", "a"), {});
}

TEST_F(BadInputTest, WhatMayNotBeReadOrWrittenIsNamed) {
    const std::string secret = file("geheim ü.txt", std::string(20000, 'a') + "\n");
    const std::string secretSpec = file("geheim ü.json", "{}");
    const std::string data = text();
    fs::create_directories(place("fremd"));
    for (const std::string& closed : {secret, secretSpec})
        fs::permissions(closed, fs::perms::none);
    fs::permissions(place("fremd"), fs::perms::owner_read | fs::perms::owner_exec);
    asAnybody([&] {
        refusedData(secret, {"geheim ü.txt", "Permission denied"});
        refused({"data", "inspect", secret}, {"geheim ü.txt", "Permission denied"});
        refused({"train", "--spec", secretSpec}, {"geheim ü.json", "Permission denied"});
        refused({"train", "--data", data, "--run", place("fremd/run").string()}, {"fremd/run", "Permission denied"});
    });
    EXPECT_TRUE(fs::is_empty(place("fremd")));
}

// Lines longer than the limit are passed over without being kept. The line has no blocks on the disk.
TEST_F(BadInputTest, ALineOfAGigabyteCostsItself) {
    std::string good;
    for (int i = 0; i < 300; ++i)
        good += "{\"text\": \"line number " + std::to_string(i) + " jumps over the lazy dog, and so on and on\"}\n";
    const std::string path = file("long 行.jsonl", good + "{\"text\": \"");
    const auto holeBegins = static_cast<int64_t>(fs::file_size(path));
    fs::resize_file(path, static_cast<uintmax_t>(holeBegins + (int64_t{1} << 30)));
    std::ofstream(path, std::ios::binary | std::ios::app) << "\"}\n" << good;
    ASSERT_EQ(run({"data", "inspect", path}), 0) << m_errors;
    EXPECT_THAT(m_output, HasSubstr("600 documents"));
    EXPECT_THAT(m_output, HasSubstr("long 行.jsonl:301: too long"));
    EXPECT_LT(m_peakKiB, 200 << 10);
    if (workerBuilt()) {
        std::vector<std::string> arguments = tiny("train", 2);
        arguments[2] = path;
        EXPECT_EQ(run(arguments), 0) << m_output << m_errors;
        EXPECT_THAT(m_output, HasSubstr("long 行.jsonl:301: too long"));
        EXPECT_THAT(m_output, HasSubstr("Finished: 2 steps"));
        fs::remove_all(runFolder().path);
    }

    fs::resize_file(path, 0);
    fs::resize_file(path, uintmax_t{1} << 30);
    fs::rename(path, place("zeros.txt"));
    refusedData(place("zeros.txt").string(), {"zeros.txt is not text", "NUL byte at byte offset 0 (line 1)"});
    EXPECT_LT(m_peakKiB, 200 << 10);
}

TEST_F(BadInputTest, JsonLinesMostlyMalformed) {
    refusedData(file("bad.jsonl", "{\"text\": \"good\"}\n{\"text\": \n{\"text\": \"good\"}\nnot json\n"),
                {"bad.jsonl", "2"});
}

TEST_F(BadInputTest, SpecFiles) {
    refusedSpec("{\"training\": {\"stpes\": 5}}", {"stpes", "steps"});
    refusedSpec("{\"trainnig\": {\"steps\": 5}}", {"trainnig", "training"});
    refusedSpec("{\"training\": {\"steps\": \"many\"}}", {"training.steps"});
    refusedSpec("{\"training\": {\"steps\": -5}}", {"training.steps"});
    refusedSpec("{\"training\": {\"steps\": 5, \"steps\": 6}}", {"steps"});
    refusedSpec("{\"model\": {\"width\": 128, \"heads\": 7}}", {"model.heads", "7", "128"});
    refusedSpec("not json", {"run file.json"});
    refusedSpec("", {"run file.json"});
    refused({"train", "--spec", place("none.json").string()}, {"none.json"});
    ASSERT_EQ(mkfifo(place("spec.json").c_str(), 0600), 0);
    refused({"train", "--spec", place("spec.json").string()}, {"spec.json"});
    refused({"train", "--spec", "/dev/zero"}, {"/dev/zero"});
}

TEST_F(BadInputTest, Arguments) {
    refused({"train", "--stpes", "5"}, {"--stpes", "--steps"});
    refused({"train", "--set", "training.stpes=5"}, {"training.stpes", "training.steps"});
    refused({"train", "--set", "kind=bytes"}, {"kind"});
    refused({"train", "--steps", "0"}, {"training.steps", "1"});
    refused({"train", "--steps", "2,5"}, {"training.steps", "2,5"});
    refused({"train", "--learning-rate", "1e"}, {"optimizer.learning_rate"});
    refused({"train", "--precision", "fp23"}, {"training.precision"});
    refused({"train", "--preset", "enhnced"}, {"enhnced", "enhanced"});
    refused({"train", "--steps"}, {"--steps"});
    refused({"trian"}, {"trian", "train"});
    refused({}, {"train"});
    refused({"train", "--data", ""}, {"data file is empty"});
    refused({"train", "--run", ""}, {"--run", "empty"});
    refusedSpec("{\"data\": {\"files\": [\"\"]}}", {"data file is empty"});
    refused({"attach"}, {"run"});
    refused({"attach", "no-such-run"}, {"no-such-run"});
    refused({"attach", place("").string()}, {});
    refused({"status", "no-such-run"}, {"no-such-run"});
    refused({"command", "no-such-run", "pause"}, {"no-such-run"});
    refused({"data", "inspect", place("none").string()}, {"none"});
    refused({"data"}, {"data", "inspect"});
    refused({"doctor", "--jsn"}, {"--jsn", "--json"});
    refused({"train", "--set", "training.steps="}, {"training.steps is empty"});
    if (!workerBuilt())
        return;
    refused({"sample", "--run", "no-such-run"}, {"no-such-run"});
    refused({"sample", "--run", "no-such-run", "--lenght", "4"}, {"--lenght", "--length"});
    refused({"sample"}, {"--run"});
    refused({"eval", "more"}, {"eval", "\"more\""});
}

TEST_F(BadInputTest, BatchThatCannotFitIsSaidBeforeStarting) {
    refused({"train", "--preset", "enhanced", "--data", text(), "--batch-size", "1e6", "--micro-batch-size", "1e6"},
            {"memory"});
    refused({"train", "--preset", "enhanced", "--data", text(), "--batch-size", "4096"}, {"iB"});
}

TEST_F(BadInputTest, LayoutsOfOtherMachines) {
    refused({"train", "--data", text(), "--tensor-parallel-size", "3"}, {"parallel", "tensor"});
    refused({"train", "--data", text(), "--device", "cuda"}, {"training.device", "CPU"});
    refused({"train", "--data", text(), "--precision", "bf16"}, {"training.precision"});
    EXPECT_EQ(m_errors.find("training.precision"), m_errors.rfind("training.precision")) << "said once";
}

TEST_F(BadInputTest, RunFoldersThatAreTaken) {
    const std::string taken = file("taken.txt", "mine");
    EXPECT_EQ(run({"train", "--data", text(), "--run", taken}), 20);
    EXPECT_THAT(m_errors, HasSubstr("not a folder"));
    EXPECT_EQ(readBytes(taken), "mine");

    fs::create_directories(place("papers"));
    file("papers/letter.txt", "mine");
    EXPECT_EQ(run({"train", "--data", text(), "--run", place("papers").string()}), 20);
    EXPECT_THAT(m_errors, HasSubstr("not empty"));
    EXPECT_EQ(run({"train", "--resume", "--run", place("papers").string()}), 20);
    EXPECT_EQ(readBytes(place("papers/letter.txt")), "mine");
    EXPECT_EQ(std::distance(fs::directory_iterator(place("papers")), fs::directory_iterator()), 1);

    fs::create_symlink(place("nowhere"), place("dangling"));
    EXPECT_EQ(run({"train", "--data", text(), "--run", place("dangling").string()}), 20);
    refused({"train", "--data", text(), "--run", "/proc/no/run"}, {"/proc/no"});
    refused({"train", "--resume"}, {"--run"});
}

TEST_F(BadInputTest, RunOfANewerVersion) {
    fs::create_directories(place("newer"));
    const std::string runJson =
        file("newer/run.json", "{\"id\":\"newer\",\"format_version\":99,\"shape\":\"unknown\"}");
    for (const char* command : {"train", "start"}) {
        EXPECT_EQ(run({command, "--resume", "--run", place("newer").string()}), 20);
        EXPECT_THAT(m_errors, HasSubstr("newer version"));
    }
    EXPECT_EQ(run({"status", place("newer").string()}), 0);
    EXPECT_THAT(m_output, HasSubstr("newer version"));
    EXPECT_EQ(run({"attach", place("newer").string()}), 0) << "it is shown as far as it goes";
    EXPECT_THAT(m_output, HasSubstr("newer version"));
    EXPECT_EQ(std::distance(fs::directory_iterator(place("newer")), fs::directory_iterator()), 1) << "left alone";
}

TEST_F(BadInputTest, MissingLibTorchOrWorkerIsSaidInWords) {
    m_environment["UNMASK_TORCH_DIR"] = place("no torch").string();
    m_environment["UNMASK_WORKER"] = UNMASK_BINARY_DIR "/bin/fake-worker";
    m_environment["UNMASK_FAKE"] = "unloadable";  // as the system's loader ends a program whose library is missing
    EXPECT_EQ(run({"doctor"}), 0);
    EXPECT_THAT(m_output, HasSubstr("no torch"));
    EXPECT_EQ(run({"status"}), 0);
    fs::remove_all(place("runs"));
    refused({"train", "--data", text()}, {"LibTorch", "no torch"});
    refused({"start", "--data", text()}, {"LibTorch", "no torch"});
    m_environment["UNMASK_WORKER"] = place("no worker").string();
    refused({"train", "--data", text()}, {"no worker"});
    refused({"sample", "--run", "x"}, {"no worker"});
}

// A desktop that writes 0,5: files and flags stay as they are everywhere else.
TEST_F(BadInputTest, GermanLocaleChangesNothing) {
    const GermanLocale german;  // tells programs where it lies, too
    if (!german.active())
        GTEST_SKIP() << "no German locale here, and none can be made";
    m_environment["LANG"] = m_environment["LC_ALL"] = "de_DE.UTF-8";
    EXPECT_EQ(run({"plan", "--learning-rate", "0.5e-3", "--json"}), 0) << m_errors;
    EXPECT_TRUE(parseJson(m_output).orThrow().at("seconds_per_step").is_number_float());
    refused({"plan", "--learning-rate", "0,5"}, {"optimizer.learning_rate", "0,5"});
}

}  // namespace
}  // namespace unmask::test
