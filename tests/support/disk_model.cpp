// SPDX-License-Identifier: Apache-2.0
#include "tests/support/disk_model.h"

#include <fcntl.h>

#include <algorithm>
#include <stdexcept>

#include "tests/support/temp_run.h"

namespace unmask::test {
namespace fs = std::filesystem;
namespace {
constexpr int64_t kSector = 512;

bool perhaps(std::mt19937& random) {
    return random() % 2 == 0;
}
}  // namespace

IoStep::IoStep(const IoCall& call)
    : kind(call.kind),
      path(call.path ? call.path : ""),
      to(call.to ? call.to : ""),
      at(call.at),
      descriptor(call.descriptor),
      flags(call.flags),
      offset(call.offset),
      data(static_cast<const char*>(call.data), call.data ? call.size : 0),
      failed(call.failed) {}

DiskModel::DiskModel(fs::path root) : m_root(std::move(root)), m_top(load(m_root)) {}

DiskModel::NodePtr DiskModel::load(const fs::path& place) const {
    auto node = std::make_shared<Node>();
    node->isFolder = fs::is_directory(place);
    if (!node->isFolder) {
        node->bytes = node->syncedBytes = readBytes(place);
        return node;
    }
    for (const auto& entry : fs::directory_iterator(place))
        node->names[entry.path().filename().string()] = load(entry.path());
    node->syncedNames = node->names;
    return node;
}

// The folder that holds the last name of `path`, and that name; none when the path leads out of the root.
std::optional<std::pair<DiskModel::NodePtr, std::string>> DiskModel::find(const IoStep& step,
                                                                          const std::string& path) const {
    NodePtr folder = m_top;
    fs::path below = path;
    if (step.at >= 0 && below.is_relative()) {
        const auto found = m_open.find(step.at);
        if (found == m_open.end())
            return std::nullopt;
        folder = found->second;
    } else {
        below = below.lexically_relative(m_root);
        if (below.empty() || *below.begin() == "..")
            return std::nullopt;
    }
    for (const auto& part : below.parent_path()) {
        const auto found = folder->names.find(part.string());
        if (found == folder->names.end())
            throw std::logic_error("disk model: no folder for " + path);
        folder = found->second;
    }
    return std::pair(folder, below.filename().string());
}

void DiskModel::change(const NodePtr& folder, NameChange change) {
    if (!change.removed.empty())
        folder->names.erase(change.removed);
    if (!change.added.empty())
        folder->names[change.added] = change.node;
    folder->changes.push_back(std::move(change));
}

void DiskModel::write(std::string& bytes, const Write& write) {
    const auto offset = static_cast<size_t>(write.offset);
    if (write.truncates) {
        bytes.resize(offset);
        return;
    }
    if (bytes.size() < offset + write.data.size())
        bytes.resize(offset + write.data.size());
    bytes.replace(offset, write.data.size(), write.data);
}

void DiskModel::apply(const IoStep& step) {
    const auto opened = m_open.find(step.descriptor);
    const NodePtr node = opened == m_open.end() ? nullptr : opened->second;
    switch (step.kind) {
        case IoCall::Kind::open:
            return open(step);
        case IoCall::Kind::close:
            m_open.erase(step.descriptor);
            return;
        case IoCall::Kind::write:
        case IoCall::Kind::truncate:
            if (node) {
                node->unsynced.push_back({step.offset, step.data, step.kind == IoCall::Kind::truncate});
                write(node->bytes, node->unsynced.back());
            }
            return;
        case IoCall::Kind::sync:
            return node ? sync(node, step.failed) : void();
        case IoCall::Kind::rename:
            return rename(step);
        case IoCall::Kind::unlink:
            if (const auto place = find(step, step.path))
                change(place->first, {place->second, "", nullptr});
            return;
        case IoCall::Kind::makeFolder:
            if (const auto place = find(step, step.path)) {
                auto folder = std::make_shared<Node>();
                folder->isFolder = true;
                change(place->first, {"", place->second, std::move(folder)});
            }
            return;
    }
}

void DiskModel::open(const IoStep& step) {
    m_open.erase(step.descriptor);
    if (fs::path(step.path) == m_root) {
        m_open[step.descriptor] = m_top;
        return;
    }
    const auto place = find(step, step.path);
    if (!place)
        return;
    const auto& [folder, name] = *place;
    if (!folder->names.contains(name)) {
        if (!(step.flags & O_CREAT))
            throw std::logic_error("disk model: " + step.path + " was opened and is not there");
        change(folder, {"", name, std::make_shared<Node>()});
    }
    const NodePtr node = folder->names.at(name);
    m_open[step.descriptor] = node;
    if (step.flags & O_TRUNC) {
        node->unsynced.push_back({0, "", true});
        node->bytes.clear();
    }
}

void DiskModel::rename(const IoStep& step) {
    const auto from = find(step, step.path);
    const auto to = find(step, step.to);
    if (!from || !to || from->first != to->first)
        throw std::logic_error("disk model: a rename from one folder to another: " + step.path);
    change(from->first, {from->second, to->second, from->first->names.at(from->second)});
}

void DiskModel::sync(const NodePtr& node, bool failed) {
    if (node->isFolder) {
        if (!failed) {
            node->syncedNames = node->names;
            node->changes.clear();
        }
        return;
    }
    if (failed) {  // the kernel now takes these pages for clean
        std::move(node->unsynced.begin(), node->unsynced.end(), std::back_inserter(node->doomed));
        node->unsynced.clear();
        return;
    }
    for (const Write& each : node->unsynced)
        write(node->syncedBytes, each);
    node->unsynced.clear();
}

std::string DiskModel::survivingBytes(const Node& node, Damage damage, std::mt19937& random) {
    std::string bytes = node.syncedBytes;
    if (damage == Damage::allUnsyncedLost)
        return bytes;
    if (damage == Damage::nothingLost)
        return node.bytes;
    if (damage == Damage::namesWithoutBytes) {
        if (perhaps(random) && node.bytes.size() > bytes.size())
            bytes.resize(node.bytes.size());
        return bytes;
    }
    std::vector<Write> writes = node.doomed;
    writes.insert(writes.end(), node.unsynced.begin(), node.unsynced.end());
    for (const Write& each : writes) {
        if (damage == Damage::anything && perhaps(random))
            continue;
        if (each.truncates) {
            write(bytes, each);
            continue;
        }
        const auto end = each.offset + static_cast<int64_t>(each.data.size());
        for (int64_t at = each.offset; at < end;) {
            const int64_t next = std::min(end, (at / kSector + 1) * kSector);
            if (perhaps(random))
                write(bytes,
                      {at, each.data.substr(static_cast<size_t>(at - each.offset), static_cast<size_t>(next - at)),
                       false});
            at = next;
        }
    }
    return bytes;
}

DiskModel::Names DiskModel::survivingNames(const Node& node, Damage damage, std::mt19937& random) {
    if (damage == Damage::allUnsyncedLost)
        return node.syncedNames;
    if (damage != Damage::anything)
        return node.names;
    Names names = node.syncedNames;
    const size_t count = random() % (node.changes.size() + 1);
    for (size_t i = 0; i < count; ++i) {
        const NameChange& each = node.changes[i];
        if (!each.removed.empty())
            names.erase(each.removed);
        if (!each.added.empty())
            names[each.added] = each.node;
    }
    return names;
}

void DiskModel::store(const Node& node, Damage damage, std::mt19937& random, const fs::path& target) {
    if (!node.isFolder) {
        writeBytes(target, survivingBytes(node, damage, random));
        return;
    }
    fs::create_directory(target);
    for (const auto& [name, child] : survivingNames(node, damage, random))
        store(*child, damage, random, target / name);
}

void DiskModel::afterPowerCut(Damage damage, std::mt19937& random, const fs::path& target) const {
    store(*m_top, damage, random, target);
}

}  // namespace unmask::test
