// SPDX-License-Identifier: Apache-2.0
// See io_fault.h. Runs inside foreign programs before main, so it uses neither exceptions nor allocation.
#include "tests/support/io_fault.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {
using unmask::test::IoFault;
using unmask::test::IoFaultPlan;

constexpr int kMaxDescriptors = 65536;
IoFaultPlan g_plan;
char g_filter[512];
std::atomic<long> g_ownCounter{0};
std::atomic<long>* g_counter = &g_ownCounter;
std::atomic<bool> g_armed{false};
int g_log = -1;
std::atomic<bool> g_tracked[kMaxDescriptors];

void logCall(const char* call, const char* what, long number) {
    if (g_log < 0)
        return;
    char line[1024];
    const int size = ::snprintf(line, sizeof line, "%ld %s %s\n", number, call, what);
    (void)::syscall(SYS_write, g_log, line, size);
}

bool matches(const char* path) {
    return path && g_armed && ::strstr(path, g_filter) != nullptr;
}
bool tracked(int fd) {
    return g_armed && fd >= 0 && fd < kMaxDescriptors && g_tracked[fd];
}
void track(int fd, bool value) {
    if (fd >= 0 && fd < kMaxDescriptors)
        g_tracked[fd] = value;
}

[[noreturn]] void die() {
    ::kill(::getpid(), SIGKILL);
    for (;;)
        ::pause();
}

// What happens to this call.
enum class Fate { pass, fail, half, dieAfter };
Fate fateOf(const char* call, const char* what) {
    const long number = g_counter->fetch_add(1) + 1;
    logCall(call, what, number);
    const bool hit = number == g_plan.at || (g_plan.forever && number > g_plan.at);
    if (!hit)
        return Fate::pass;
    switch (g_plan.fault) {
        case IoFault::fail:
            return Fate::fail;
        case IoFault::shortWrite:
            return Fate::half;
        case IoFault::kill:
            die();
        case IoFault::killAfter:
            return Fate::dieAfter;
        case IoFault::none:
            break;
    }
    return Fate::pass;
}

template <class Call>
auto plainCall(const char* name, const char* what, bool concerned, Call&& call) -> decltype(call()) {
    const Fate fate = concerned ? fateOf(name, what) : Fate::pass;
    if (fate == Fate::fail) {
        errno = g_plan.error;
        return -1;
    }
    const auto result = call();
    if (fate == Fate::dieAfter)
        die();
    return result;
}

// `call(size)` writes that many of the bytes.
template <class Call>
ssize_t writeCall(const char* name, int fd, size_t size, Call&& call) {
    const Fate fate = tracked(fd) ? fateOf(name, "") : Fate::pass;
    if (fate == Fate::pass)
        return call(size);
    const ssize_t half = size > 1 ? call(size / 2) : 0;
    if (fate == Fate::dieAfter)
        die();
    if (fate == Fate::half && half > 0)
        return half;
    errno = fate == Fate::half ? EINTR : g_plan.error;
    return -1;
}

int openCall(const char* name, const char* path, int flags, mode_t mode, int at) {
    const bool concerned = matches(path);
    // Read-only opens are not counted: they change nothing on the disk.
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
    const int fd = plainCall(name, path, concerned && writes,
                             [&] { return static_cast<int>(::syscall(SYS_openat, at, path, flags, mode)); });
    track(fd, concerned);
    return fd;
}

void readEnvironment() __attribute__((constructor));
void readEnvironment() {
    const char* text = ::getenv("UNMASK_IO_FAULT");
    if (!text)
        return;
    IoFaultPlan plan;
    char copy[128];
    ::snprintf(copy, sizeof copy, "%s", text);
    char* rest = copy;
    const char* word = ::strsep(&rest, ":");
    if (const char* number = rest ? ::strsep(&rest, ":") : nullptr)
        plan.at = ::atol(number);
    if (::strcmp(word, "fail") == 0) {
        plan.fault = IoFault::fail;
        const char* error = rest ? ::strsep(&rest, ":") : "EIO";
        plan.error = ::strcmp(error, "ENOSPC") == 0 ? ENOSPC : ::strcmp(error, "EDQUOT") == 0 ? EDQUOT : EIO;
        plan.forever = rest && ::strcmp(rest, "forever") == 0;
    } else if (::strcmp(word, "short") == 0) {
        plan.fault = IoFault::shortWrite;
    } else if (::strcmp(word, "kill") == 0) {
        plan.fault = IoFault::kill;
    } else if (::strcmp(word, "killafter") == 0) {
        plan.fault = IoFault::killAfter;
    }
    if (const char* log = ::getenv("UNMASK_IO_FAULT_LOG"))
        g_log = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    const char* filter = ::getenv("UNMASK_IO_FAULT_PATH");
    unmask::test::unmaskArmIoFault(&plan, filter ? filter : "", nullptr);
}
}  // namespace

namespace unmask::test {
void unmaskArmIoFault(const IoFaultPlan* plan, const char* pathFilter, std::atomic<long>* counter) {
    g_plan = *plan;
    ::snprintf(g_filter, sizeof g_filter, "%s", pathFilter);
    g_counter = counter ? counter : &g_ownCounter;
    *g_counter = 0;
    g_armed = true;
}
}  // namespace unmask::test

#define UNMASK_EXPORT __attribute__((visibility("default")))
extern "C" {
#define UNMASK_MODE                                    \
    mode_t mode = 0;                                   \
    if (flags & (O_CREAT | O_TMPFILE)) {               \
        va_list list;                                  \
        va_start(list, flags);                         \
        mode = static_cast<mode_t>(va_arg(list, int)); \
        va_end(list);                                  \
    }

UNMASK_EXPORT int open(const char* path, int flags, ...) {
    UNMASK_MODE
    return openCall("open", path, flags, mode, AT_FDCWD);
}
UNMASK_EXPORT int open64(const char* path, int flags, ...) {
    UNMASK_MODE
    return openCall("open", path, flags, mode, AT_FDCWD);
}
UNMASK_EXPORT int openat(int at, const char* path, int flags, ...) {
    UNMASK_MODE
    return openCall("openat", path, flags, mode, at);
}
UNMASK_EXPORT int openat64(int at, const char* path, int flags, ...) {
    UNMASK_MODE
    return openCall("openat", path, flags, mode, at);
}
UNMASK_EXPORT ssize_t write(int fd, const void* data, size_t size) {
    return writeCall("write", fd, size, [&](size_t n) { return ::syscall(SYS_write, fd, data, n); });
}
UNMASK_EXPORT ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
    return writeCall("pwrite", fd, size, [&](size_t n) { return ::syscall(SYS_pwrite64, fd, data, n, offset); });
}
UNMASK_EXPORT ssize_t pwrite64(int fd, const void* data, size_t size, off_t offset) {
    return writeCall("pwrite", fd, size, [&](size_t n) { return ::syscall(SYS_pwrite64, fd, data, n, offset); });
}
UNMASK_EXPORT ssize_t writev(int fd, const struct iovec* parts, int count) {
    return plainCall("writev", "", tracked(fd), [&] { return ::syscall(SYS_writev, fd, parts, count); });
}
UNMASK_EXPORT int fsync(int fd) {
    return plainCall("fsync", "", tracked(fd), [&] { return static_cast<int>(::syscall(SYS_fsync, fd)); });
}
UNMASK_EXPORT int fdatasync(int fd) {
    return plainCall("fdatasync", "", tracked(fd), [&] { return static_cast<int>(::syscall(SYS_fdatasync, fd)); });
}
UNMASK_EXPORT int ftruncate(int fd, off_t size) noexcept {
    return plainCall("ftruncate", "", tracked(fd),
                     [&] { return static_cast<int>(::syscall(SYS_ftruncate, fd, size)); });
}
UNMASK_EXPORT int ftruncate64(int fd, off_t size) noexcept {
    return plainCall("ftruncate", "", tracked(fd),
                     [&] { return static_cast<int>(::syscall(SYS_ftruncate, fd, size)); });
}
UNMASK_EXPORT int rename(const char* from, const char* to) noexcept {
    return plainCall("rename", to, matches(to), [&] { return static_cast<int>(::syscall(SYS_rename, from, to)); });
}
UNMASK_EXPORT int renameat(int fromAt, const char* from, int toAt, const char* to) noexcept {
    return plainCall("renameat", to, matches(to),
                     [&] { return static_cast<int>(::syscall(SYS_renameat2, fromAt, from, toAt, to, 0)); });
}
UNMASK_EXPORT int renameat2(int fromAt, const char* from, int toAt, const char* to, unsigned flags) noexcept {
    return plainCall("renameat2", to, matches(to),
                     [&] { return static_cast<int>(::syscall(SYS_renameat2, fromAt, from, toAt, to, flags)); });
}
UNMASK_EXPORT int unlink(const char* path) noexcept {
    return plainCall("unlink", path, matches(path), [&] { return static_cast<int>(::syscall(SYS_unlink, path)); });
}
UNMASK_EXPORT int rmdir(const char* path) noexcept {
    return plainCall("rmdir", path, matches(path), [&] { return static_cast<int>(::syscall(SYS_rmdir, path)); });
}
UNMASK_EXPORT int unlinkat(int at, const char* path, int flags) noexcept {
    return plainCall("unlinkat", path, matches(path) || tracked(at),
                     [&] { return static_cast<int>(::syscall(SYS_unlinkat, at, path, flags)); });
}
UNMASK_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
    return plainCall("mkdir", path, matches(path), [&] { return static_cast<int>(::syscall(SYS_mkdir, path, mode)); });
}
UNMASK_EXPORT int close(int fd) {
    const bool concerned = tracked(fd);
    track(fd, false);
    const Fate fate = concerned ? fateOf("close", "") : Fate::pass;
    const int result = static_cast<int>(::syscall(SYS_close, fd));  // the descriptor is gone even when close fails
    if (fate == Fate::dieAfter)
        die();
    if (fate == Fate::fail) {
        errno = g_plan.error;
        return -1;
    }
    return result;
}
}  // extern "C"
