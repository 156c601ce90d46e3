// SPDX-License-Identifier: Apache-2.0
#include "engine/data/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "engine/base/durable_file.h"
#include "engine/base/error.h"

namespace unmask {

MappedFile::MappedFile(const std::filesystem::path& file) {
    const FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    struct stat status {};
    if (!descriptor.valid() || ::fstat(descriptor.get(), &status) != 0)
        throw systemError("[token store] cannot open " + file.string(), errno);
    if (!S_ISREG(status.st_mode) || status.st_size <= 0)
        throw Error{ErrorCode::badInput, "[token store] " + file.string() + " is not a file with content"};
    m_size = static_cast<size_t>(status.st_size);
    void* const place = ::mmap(nullptr, m_size, PROT_READ, MAP_SHARED, descriptor.get(), 0);
    if (place == MAP_FAILED)
        throw systemError("[token store] cannot map " + file.string(), errno);
    m_data = static_cast<const std::byte*>(place);
}

MappedFile::~MappedFile() {
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

}  // namespace unmask
