// SPDX-License-Identifier: Apache-2.0
#include "engine/launch/meeting_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/base/error.h"

namespace unmask {

MeetingFolder::MeetingFolder() {
    std::error_code none;
    const std::filesystem::path temporary = std::filesystem::temp_directory_path(none);
    std::string name = (temporary / "unmask-ranks-XXXXXX").string();
    if (none || mkdtemp(name.data()) == nullptr)
        throw Error{ErrorCode::badInput, "[launch] no folder for temporary files can be made in " + temporary.string() +
                                             ": " + (none ? none.message() : std::strerror(errno)) +
                                             "; set TMPDIR to one that can be written"};
    m_folder = name;
}

MeetingFolder::~MeetingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

}  // namespace unmask
