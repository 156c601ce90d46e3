// SPDX-License-Identifier: Apache-2.0
#include "engine/journal/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "engine/base/json.h"
#include "engine/journal/event_reader.h"
#include "engine/journal/run_state.h"

namespace unmask {
namespace {
using namespace std::chrono_literals;
constexpr size_t kMaxLockBytes = 4096;
constexpr auto kForeignHeartbeatWatch = 3s;
constexpr auto kObserverPatience = 500ms;  // an observer may hold the lock for an instant while it looks

FileDescriptor openLock(const RunFolder& folder, int flags) {
    FileDescriptor descriptor(
        ::open(folder.lockFile().c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t{0644}));
    struct stat info {};
    if (descriptor.valid() && (::fstat(descriptor.get(), &info) != 0 || !S_ISREG(info.st_mode)))
        throw Error(ErrorCode::badInput, "[journal] " + folder.lockFile().string() + " is not a regular file");
    return descriptor;
}

bool tryFlock(int descriptor, int kind) {
    while (::flock(descriptor, kind | LOCK_NB) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

std::optional<LockHolder> parseHolder(std::string_view text) {
    const auto parsed = parseJson(text.substr(0, text.find('\n')));
    if (!parsed || !parsed.value().is_object())
        return std::nullopt;
    const Json& json = parsed.value();
    try {
        LockHolder holder;
        holder.host = json.at("host").get<std::string>();
        holder.process.pid = json.at("pid").get<int64_t>();
        holder.process.startTime = json.at("start_time").get<uint64_t>();
        holder.process.bootId = json.at("boot_id").get<std::string>();
        holder.attempt = json.at("attempt").get<int64_t>();
        holder.released = json.at("released").get<bool>();
        return holder;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::optional<LockHolder> readHolder(int descriptor) {
    std::array<char, kMaxLockBytes> buffer{};
    const ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), 0);
    if (got <= 0)
        return std::nullopt;
    return parseHolder({buffer.data(), static_cast<size_t>(got)});
}

// The new line is written over the old one before the rest is cut, so the file is never empty in between.
void writeHolder(int descriptor, const LockHolder& holder, const std::filesystem::path& file) {
    Json json;
    json["host"] = holder.host;
    json["pid"] = holder.process.pid;
    json["start_time"] = holder.process.startTime;
    json["boot_id"] = holder.process.bootId;
    json["attempt"] = holder.attempt;
    json["released"] = holder.released;
    const std::string line = dumpLine(json) + '\n';
    for (size_t done = 0; done < line.size();) {
        const ssize_t count = ::pwrite(descriptor, line.data() + done, line.size() - done, static_cast<off_t>(done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw fileError("[journal] cannot write", file, count < 0 ? errno : EIO);
        done += static_cast<size_t>(count);
    }
    if (::ftruncate(descriptor, static_cast<off_t>(line.size())) != 0)
        throw fileError("[journal] cannot write", file, errno);
}

Error heldError(const RunFolder& folder, const std::optional<LockHolder>& holder) {
    std::string who = "another process";
    if (holder)
        who = "process " + std::to_string(holder->process.pid) +
              (holder->host == hostName() ? " on this computer" : " on " + holder->host);
    return Error(ErrorCode::badInput, "[journal] run " + folder.path.string() + " is being trained by " + who);
}

// The clocks of two hosts are never compared: only whether the counter moves while we look.
bool heartbeatMoves(const RunFolder& folder) {
    const auto first = readRunState(folder);
    if (!first)
        return false;
    const auto end = std::chrono::steady_clock::now() + kForeignHeartbeatWatch;
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(200ms);
        const auto now = readRunState(folder);
        if (now && now->heartbeat != first->heartbeat)
            return true;
    }
    return false;
}

int64_t nextAttempt(const RunFolder& folder, const std::optional<LockHolder>& last) {
    EventReader reader(folder);
    while (!reader.readLines().empty()) {
    }
    return std::max(reader.lastAttempt(), last ? last->attempt : 0) + 1;
}

}  // namespace

std::string hostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0)
        return "unknown";
    return name.data();
}

RunLock::RunLock(FileDescriptor descriptor, LockHolder holder)
    : m_descriptor(std::move(descriptor)), m_holder(std::move(holder)) {}

RunLock::~RunLock() {
    if (!m_descriptor.valid())
        return;
    m_holder.released = true;
    try {
        writeHolder(m_descriptor.get(), m_holder, {});
    } catch (const Error&) {  // the flock goes with the descriptor all the same
    }
}

RunLock RunLock::acquire(const RunFolder& folder, int64_t attempt) {
    FileDescriptor descriptor = openLock(folder, O_RDWR | O_CREAT);
    if (!descriptor.valid())
        throw fileError("[journal] cannot open", folder.lockFile(), errno);
    const auto patience = std::chrono::steady_clock::now() + kObserverPatience;
    while (!tryFlock(descriptor.get(), LOCK_EX)) {
        const auto holder = readHolder(descriptor.get());
        const bool alive = holder && !holder->released && lifeOf(holder->process) == ProcessLife::alive;
        if (alive || std::chrono::steady_clock::now() > patience)
            throw heldError(folder, holder);
        std::this_thread::sleep_for(10ms);
    }
    const auto last = readHolder(descriptor.get());
    if (last && !last->released && last->host != hostName() && heartbeatMoves(folder))
        throw heldError(folder, last);
    LockHolder holder{hostName(), ownIdentity(), attempt > 0 ? attempt : nextAttempt(folder, last)};
    writeHolder(descriptor.get(), holder, folder.lockFile());
    if (::fdatasync(descriptor.get()) != 0)
        throw fileError("[journal] cannot sync", folder.lockFile(), errno);
    syncFolder(folder.path);
    return RunLock(std::move(descriptor), std::move(holder));
}

std::optional<LockHolder> readLockHolder(const RunFolder& folder) {
    const FileDescriptor descriptor = openLock(folder, O_RDONLY);
    return descriptor.valid() ? readHolder(descriptor.get()) : std::nullopt;
}

bool isLocked(const RunFolder& folder) {
    const FileDescriptor descriptor = openLock(folder, O_RDONLY);
    return descriptor.valid() && !tryFlock(descriptor.get(), LOCK_SH);
}

}  // namespace unmask
