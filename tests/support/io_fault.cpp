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
#include <mutex>

namespace {
using unmask::test::IoCall;
using unmask::test::IoFault;
using unmask::test::IoFaultPlan;
using unmask::test::IoListener;

constexpr int kMaxDescriptors = 65536;
IoFaultPlan g_plan;
char g_filter[512];
std::atomic<long> g_ownCounter{0};
std::atomic<long>* g_counter = &g_ownCounter;
std::atomic<bool> g_armed{false};
int g_log = -1;
std::atomic<bool> g_tracked[kMaxDescriptors];
std::atomic<IoListener> g_after{nullptr};
void (*g_before)() = nullptr;
std::mutex g_listening;  // held over a call and what is told of it

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

// Makes the call and tells the listener, who is asked only where the call concerns him.
template <class Call, class Tell>
auto toldCall(bool concerned, Call&& call, Tell&& tell) -> decltype(call()) {
    if (!concerned || !g_after)
        return call();
    const std::lock_guard lock(g_listening);
    g_before();
    const auto result = call();
    const int reason = errno;
    tell(result, g_after.load());
    errno = reason;
    return result;
}

// `told` is what a listener hears when the call has succeeded.
template <class Call>
auto plainCall(const char* name, const char* what, bool concerned, const IoCall& told, Call&& call)
    -> decltype(call()) {
    const Fate fate = concerned ? fateOf(name, what) : Fate::pass;
    const auto pretend = [&]() -> decltype(call()) {
        if (fate != Fate::fail)
            return call();
        errno = g_plan.error;
        return -1;
    };
    const auto result = toldCall(concerned, pretend, [&](auto value, IoListener after) {
        IoCall made = told;
        made.failed = value < 0;
        if (!made.failed || made.kind == IoCall::Kind::sync)
            after(made);
    });
    if (fate == Fate::fail)
        return -1;
    if (fate == Fate::dieAfter)
        die();
    return result;
}

// `call(size)` writes that many of the bytes; `offset` is -1 where the file's own position counts.
template <class Call>
ssize_t writeCall(const char* name, int fd, const void* data, size_t size, off_t offset, Call&& call) {
    const bool concerned = tracked(fd);
    const auto write = [&](size_t bytes) {
        return toldCall(
            concerned, [&] { return static_cast<ssize_t>(call(bytes)); },
            [&](ssize_t written, IoListener after) {
                const off_t end = offset < 0 ? ::lseek(fd, 0, SEEK_CUR) : offset + written;
                if (written > 0)
                    after({.kind = IoCall::Kind::write,
                           .descriptor = fd,
                           .offset = end - written,
                           .data = data,
                           .size = static_cast<size_t>(written)});
            });
    };
    const Fate fate = concerned ? fateOf(name, "") : Fate::pass;
    if (fate == Fate::pass)
        return write(size);
    const ssize_t half = size > 1 ? write(size / 2) : 0;
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
    const auto make = [&] { return static_cast<int>(::syscall(SYS_openat, at, path, flags, mode)); };
    const Fate fate = concerned && writes ? fateOf(name, path) : Fate::pass;
    if (fate == Fate::fail) {
        errno = g_plan.error;
        return -1;
    }
    const int fd = toldCall(concerned, make, [&](int opened, IoListener after) {
        if (opened >= 0)
            after({.kind = IoCall::Kind::open, .path = path, .descriptor = opened, .flags = flags});
    });
    if (fate == Fate::dieAfter)
        die();
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

void unmaskListenToIo(void (*before)(), IoListener after) {
    const std::lock_guard lock(g_listening);
    g_before = before;
    g_after = after;
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
    return writeCall("write", fd, data, size, -1, [&](size_t n) { return ::syscall(SYS_write, fd, data, n); });
}
UNMASK_EXPORT ssize_t pwrite(int fd, const void* data, size_t size, off_t offset) {
    return writeCall("pwrite", fd, data, size, offset,
                     [&](size_t n) { return ::syscall(SYS_pwrite64, fd, data, n, offset); });
}
UNMASK_EXPORT ssize_t pwrite64(int fd, const void* data, size_t size, off_t offset) {
    return writeCall("pwrite", fd, data, size, offset,
                     [&](size_t n) { return ::syscall(SYS_pwrite64, fd, data, n, offset); });
}
// Nothing of the project gathers its writes; a listener would have to be told each part.
UNMASK_EXPORT ssize_t writev(int fd, const struct iovec* parts, int count) {
    if (tracked(fd) && g_after)
        ::abort();
    return plainCall("writev", "", tracked(fd), {}, [&] { return ::syscall(SYS_writev, fd, parts, count); });
}
UNMASK_EXPORT int fsync(int fd) {
    return plainCall("fsync", "", tracked(fd), {.kind = IoCall::Kind::sync, .descriptor = fd},
                     [&] { return static_cast<int>(::syscall(SYS_fsync, fd)); });
}
UNMASK_EXPORT int fdatasync(int fd) {
    return plainCall("fdatasync", "", tracked(fd), {.kind = IoCall::Kind::sync, .descriptor = fd},
                     [&] { return static_cast<int>(::syscall(SYS_fdatasync, fd)); });
}
UNMASK_EXPORT int ftruncate(int fd, off_t size) noexcept {
    return plainCall("ftruncate", "", tracked(fd), {.kind = IoCall::Kind::truncate, .descriptor = fd, .offset = size},
                     [&] { return static_cast<int>(::syscall(SYS_ftruncate, fd, size)); });
}
UNMASK_EXPORT int ftruncate64(int fd, off_t size) noexcept {
    return ftruncate(fd, size);
}
UNMASK_EXPORT int rename(const char* from, const char* to) noexcept {
    return plainCall("rename", to, matches(to), {.kind = IoCall::Kind::rename, .path = from, .to = to},
                     [&] { return static_cast<int>(::syscall(SYS_rename, from, to)); });
}
UNMASK_EXPORT int renameat(int fromAt, const char* from, int toAt, const char* to) noexcept {
    return plainCall("renameat", to, matches(to), {.kind = IoCall::Kind::rename, .path = from, .to = to},
                     [&] { return static_cast<int>(::syscall(SYS_renameat2, fromAt, from, toAt, to, 0)); });
}
UNMASK_EXPORT int renameat2(int fromAt, const char* from, int toAt, const char* to, unsigned flags) noexcept {
    return plainCall("renameat2", to, matches(to), {.kind = IoCall::Kind::rename, .path = from, .to = to},
                     [&] { return static_cast<int>(::syscall(SYS_renameat2, fromAt, from, toAt, to, flags)); });
}
UNMASK_EXPORT int unlink(const char* path) noexcept {
    return plainCall("unlink", path, matches(path), {.kind = IoCall::Kind::unlink, .path = path},
                     [&] { return static_cast<int>(::syscall(SYS_unlink, path)); });
}
UNMASK_EXPORT int rmdir(const char* path) noexcept {
    return plainCall("rmdir", path, matches(path), {.kind = IoCall::Kind::unlink, .path = path},
                     [&] { return static_cast<int>(::syscall(SYS_rmdir, path)); });
}
UNMASK_EXPORT int unlinkat(int at, const char* path, int flags) noexcept {
    const int folder = path[0] == '/' ? -1 : at;
    return plainCall("unlinkat", path, matches(path) || tracked(at),
                     {.kind = IoCall::Kind::unlink, .path = path, .at = folder},
                     [&] { return static_cast<int>(::syscall(SYS_unlinkat, at, path, flags)); });
}
// The C library's own remove() would pass by unlink and rmdir above.
UNMASK_EXPORT int remove(const char* path) noexcept {
    const int result = unlink(path);
    return result != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : result;
}
UNMASK_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
    return plainCall("mkdir", path, matches(path), {.kind = IoCall::Kind::makeFolder, .path = path},
                     [&] { return static_cast<int>(::syscall(SYS_mkdir, path, mode)); });
}
UNMASK_EXPORT int close(int fd) {
    const bool concerned = tracked(fd);
    track(fd, false);
    const Fate fate = concerned ? fateOf("close", "") : Fate::pass;
    const auto make = [&] { return static_cast<int>(::syscall(SYS_close, fd)); };
    // The descriptor is gone even when close fails.
    const int result = toldCall(concerned, make,
                                [&](int, IoListener after) { after({.kind = IoCall::Kind::close, .descriptor = fd}); });
    if (fate == Fate::dieAfter)
        die();
    if (fate == Fate::fail) {
        errno = g_plan.error;
        return -1;
    }
    return result;
}
}  // extern "C"
