// SPDX-License-Identifier: Apache-2.0
// What a disk may hold after a power cut. The model is told the calls of io_fault.h and keeps, beside what a process
// sees, what has been synced: bytes of a file by fsync or fdatasync of it, names by fsync of their folder and by
// nothing else. Of the rest anything may have reached the disk, which is what `afterPowerCut` draws. Names of one
// folder survive in order, as journalling file systems keep them; bytes in any order, sector by sector.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/io_fault.h"

namespace unmask::test {

// An IoCall that owns its words and bytes.
struct IoStep {
    IoCall::Kind kind{};
    std::string path;
    std::string to;
    int at = -1;
    int descriptor = -1;
    int flags = 0;
    int64_t offset = 0;
    std::string data;
    bool failed = false;

    IoStep() = default;
    explicit IoStep(const IoCall& call);
};

enum class Damage {
    allUnsyncedLost,
    nothingLost,        // as after a kill
    namesWithoutBytes,  // all names, but files empty or full of zeros where they were not synced
    tornBytes,          // all names; of each unsynced write some sectors
    anything,           // some names, some writes, of those some sectors
};
constexpr Damage kDamages[] = {Damage::allUnsyncedLost, Damage::nothingLost, Damage::namesWithoutBytes,
                               Damage::tornBytes, Damage::anything};

class DiskModel {
 public:
    // What lies below `root` now counts as synced. The root itself cannot be lost.
    explicit DiskModel(std::filesystem::path root);

    void apply(const IoStep& step);  // throws std::logic_error for what the model does not know
    // Makes `target` (which must not exist) hold what is left below the root. Nothing in the model changes.
    void afterPowerCut(Damage damage, std::mt19937& random, const std::filesystem::path& target) const;

 private:
    struct Write {
        int64_t offset = 0;
        std::string data;
        bool truncates = false;  // to `offset`
    };
    struct Node;
    using NodePtr = std::shared_ptr<Node>;
    using Names = std::map<std::string, NodePtr>;
    struct NameChange {
        std::string removed;  // empty: nothing
        std::string added;    // empty: nothing
        NodePtr node;         // of the added name
    };
    struct Node {
        bool isFolder = false;
        std::string bytes;  // what a process sees
        std::string syncedBytes;
        std::vector<Write> unsynced;
        std::vector<Write> doomed;  // a sync of them failed: no later one brings them to the disk
        Names names;
        Names syncedNames;
        std::vector<NameChange> changes;  // not synced
    };

    NodePtr load(const std::filesystem::path& place) const;
    std::optional<std::pair<NodePtr, std::string>> find(const IoStep& step, const std::string& path) const;
    void change(const NodePtr& folder, NameChange change);
    static void write(std::string& bytes, const Write& write);
    void open(const IoStep& step);
    void rename(const IoStep& step);
    void sync(const NodePtr& node, bool failed);
    static std::string survivingBytes(const Node& node, Damage damage, std::mt19937& random);
    static Names survivingNames(const Node& node, Damage damage, std::mt19937& random);
    static void store(const Node& node, Damage damage, std::mt19937& random, const std::filesystem::path& target);

    std::filesystem::path m_root;
    NodePtr m_top;
    std::map<int, NodePtr> m_open;
};

}  // namespace unmask::test
