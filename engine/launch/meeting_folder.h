// SPDX-License-Identifier: Apache-2.0
// Where the ranks of one attempt on one node find each other: a file that only this user can open.
#pragma once

#include <filesystem>

namespace unmask {

class MeetingFolder {
 public:
    MeetingFolder();   // a new folder (0700) for temporary files; Error(badInput) when there is no room for one
    ~MeetingFolder();  // takes it away
    MeetingFolder(const MeetingFolder&) = delete;
    MeetingFolder& operator=(const MeetingFolder&) = delete;

    std::filesystem::path file() const { return m_folder / "meeting"; }

 private:
    std::filesystem::path m_folder;
};

}  // namespace unmask
