// SPDX-License-Identifier: Apache-2.0
// The bridge between a run and whoever looks at it: prints the journal from a number on, says each second how the run
// stands, and passes commands on. It holds nothing, so it may be killed and begun again at any time.
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/base/clock.h"
#include "engine/cli/bridge.h"
#include "engine/cli/control_client.h"
#include "engine/cli/journal_watch.h"
#include "engine/cli/line_input.h"
#include "engine/cli/output.h"
#include "engine/cli/quick_status.h"
#include "engine/cli/subcommands.h"

namespace unmask {
namespace {

constexpr int kStateMs = 1000;
constexpr int kBatchMs = 50;  // a run that writes thousands of records a second must not wake the bridge for each

struct AttachOptions {
    std::string run;
    int64_t from = 1;
    bool follow = true;
};

class Bridge {
 public:
    Bridge(RunFolder folder, int64_t from)
        : m_folder(folder),
          m_from(from),
          m_card(readRunCard(folder)),
          m_reader(folder),
          m_observer(folder),
          m_control(folder),
          m_watch(folder),
          m_input(STDIN_FILENO) {}

    int run(bool follow) {
        RunStatus status = quickStatus(m_folder);  // records come before a long journal is folded
        print(helloLine(m_folder, m_card, status));
        bool followed = false;
        while (m_readersThere) {
            const bool alive = status.alive();  // seen before the journal is read: nothing is written afterwards
            printRecords();
            if (!alive || !follow)
                break;
            followed = true;
            waitAndServe();
            status = m_observer.observe();
            print(stateLine(status));
        }
        if (m_readersThere)
            print(stateLine(followed ? m_observer.observe() : quickStatus(m_folder)));
        return 0;
    }

 private:
    void print(const std::string& line) { m_readersThere = m_readersThere && writeOut(line + "\n"); }

    bool printRecords() {
        bool any = false;
        for (auto lines = m_reader.readLines(m_from); !lines.empty() && m_readersThere;
             lines = m_reader.readLines(m_from)) {
            std::string batch;
            for (const auto& line : lines) {
                batch += line.bytes;
                batch += '\n';
            }
            m_readersThere = writeOut(batch);
            any = true;
        }
        return any;
    }

    // One second of following: records as they come, commands at once.
    void waitAndServe() {
        const auto end = SteadyClock::now() + std::chrono::milliseconds(kStateMs);
        auto quietUntil = SteadyClock::time_point::min();
        for (auto now = SteadyClock::now(); now < end && m_readersThere; now = SteadyClock::now()) {
            const bool quiet = now < quietUntil;
            const auto until = quiet ? std::min(quietUntil, end) : end;
            const auto wake = m_watch.wait(millisecondsUntil(until, now), m_input.ended() ? -1 : STDIN_FILENO, quiet);
            if (wake == JournalWatch::Wake::input)
                takeCommands();
            else if ((quiet || wake == JournalWatch::Wake::journal) && printRecords())
                quietUntil = SteadyClock::now() + std::chrono::milliseconds(kBatchMs);
        }
    }

    static int millisecondsUntil(SteadyClock::time_point time, SteadyClock::time_point now) {
        return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(time - now).count());
    }

    void takeCommands() {
        for (const LineInput::Line& line : m_input.read()) {
            if (line.tooLong)
                print(answerLine("", "", "the line is too long for a command"));
            else if (line.text.find_first_not_of(" \t\r") != std::string::npos)
                passOn(line.text);
        }
    }

    void passOn(const std::string& text) {
        const auto command = decodeCommand(text);
        if (!command) {
            print(answerLine("", "", plainMessage(command.error())));
            return;
        }
        const Outcome delivered = m_control.send(command.value());
        if (!delivered)
            print(answerLine(command.value().id, commandWord(command.value().kind), plainMessage(delivered.error())));
    }

    RunFolder m_folder;
    int64_t m_from;
    RunCard m_card;
    EventReader m_reader;
    RunObserver m_observer;
    ControlClient m_control;
    JournalWatch m_watch;
    LineInput m_input;
    bool m_readersThere = true;
};

int attach(const AttachOptions& options) {
    signal(SIGPIPE, SIG_IGN);
    return Bridge(findRun(options.run).orThrow(), options.from).run(options.follow);
}

}  // namespace

void addAttach(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<AttachOptions>();
    CLI::App* command =
        app.add_subcommand("attach", "Print what a run says and pass commands to it, one JSON line each");
    command->add_option("run", options->run, "Run folder, or the id of a run in the runs folder")->required();
    command->add_option("--from", options->from, "First record to print, by its number")
        ->check(CLI::Range(int64_t{1}, int64_t{1} << 62));
    command->add_flag_callback(
        "--follow", [options] { options->follow = true; }, "Keep printing while the run runs (the default)");
    command->add_flag_callback(
        "--no-follow", [options] { options->follow = false; }, "Print what there is and end");
    command->callback([options, &chosen] { chosen = [options] { return attach(*options); }; });
}

}  // namespace unmask
