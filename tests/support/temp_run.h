// SPDX-License-Identifier: Apache-2.0
// A temporary folder, a temporary run folder, and a clock that tests move by hand. Gone at the end of the test,
// unless UNMASK_KEEP_FOLDERS is set: then what a failed test left can be looked at.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "engine/journal/run_folder.h"

namespace unmask::test {

class TempFolder {
 public:
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    const std::filesystem::path& path() const { return m_path; }

 private:
    std::filesystem::path m_path;
};

// A run folder as `createRunFolder` makes it; the name has a space, an umlaut and a Chinese character on purpose.
class TempRun {
 public:
    explicit TempRun(RunSpec spec = {});
    const RunFolder& folder() const { return m_folder; }
    operator const RunFolder&() const { return m_folder; }  // NOLINT: reads plainly in tests

 private:
    TempFolder m_root;
    RunFolder m_folder;
};

class ManualClock {
 public:
    double now() const { return m_seconds; }
    void advance(double seconds) { m_seconds += seconds; }
    std::function<double()> function() {
        return [this] { return m_seconds; };
    }

 private:
    double m_seconds = 1000;
};

std::string readBytes(const std::filesystem::path& file);
void writeBytes(const std::filesystem::path& file, std::string_view bytes);
void flipBit(const std::filesystem::path& file, size_t byte, int bit);

}  // namespace unmask::test
