// SPDX-License-Identifier: Apache-2.0
#include "engine/base/places.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace unmask {
namespace fs = std::filesystem;
namespace {
fs::path home() {
    if (const char* set = std::getenv("HOME"); set && *set)
        return set;
    if (const struct passwd* entry = ::getpwuid(::getuid()))
        return entry->pw_dir;
    return "/";
}

fs::path fromEnvironment(const char* variable, const fs::path& below, const fs::path& otherwise) {
    if (const char* set = std::getenv(variable); set && *set)
        return below.empty() ? fs::path(set) : fs::path(set) / below;
    return otherwise;
}
}  // namespace

fs::path runsFolder() {
    return fromEnvironment("UNMASK_RUNS", {}, home() / "unmask" / "runs");
}
fs::path cacheFolder() {
    return fromEnvironment("UNMASK_CACHE", {},
                           fromEnvironment("XDG_CACHE_HOME", "unmask", home() / ".cache" / "unmask"));
}
fs::path dataHome() {
    return fromEnvironment("XDG_DATA_HOME", "unmask", home() / ".local" / "share" / "unmask");
}
fs::path configHome() {
    return fromEnvironment("XDG_CONFIG_HOME", "unmask", home() / ".config" / "unmask");
}

fs::path executableFolder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path(".") : self.parent_path();
}

}  // namespace unmask
