// SPDX-License-Identifier: Apache-2.0
// A real process with its two outputs caught in files.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace unmask::test {

struct ChildResult {
    int exitCode = -1;  // 128 + N when a signal ended it
    std::string output;
    std::string errors;
};

class Child {
 public:
    Child(const std::vector<std::string>& arguments, const std::filesystem::path& folder);
    ~Child();  // killed if it still runs
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    void signal(int number) const;
    ChildResult wait();

 private:
    std::filesystem::path m_folder;
    pid_t m_pid = -1;
};

ChildResult runChild(const std::vector<std::string>& arguments, const std::filesystem::path& folder);

}  // namespace unmask::test
