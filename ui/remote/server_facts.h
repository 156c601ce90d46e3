// SPDX-License-Identifier: Apache-2.0
// What a server has, as far as it said so. What it did not say, or said in a way that makes no sense, is unknown and
// never zero.
#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <compare>
#include <optional>
#include <vector>

namespace unmask::ui {

struct LibraryVersion {
    int major = 0;
    int minor = 0;
    auto operator<=>(const LibraryVersion&) const = default;
};
std::optional<LibraryVersion> readLibraryVersion(const QString& text);  // the first "2.31" in it

struct GpuFacts {
    int index = 0;
    QString name;
    QString uuid;
    std::optional<qint64> memoryBytes;
    std::optional<qint64> usedBytes;
    std::optional<int> busyPercent;
    std::optional<int> celsius;
    QString driver;
    QString computeCapability;  // "9.0"; empty: unknown
};

enum class GpuAnswer {
    unknown,  // was not asked or did not answer in time
    noTool,   // there is no nvidia-smi, so most likely there is no such GPU
    failed,   // nvidia-smi says why in `gpuProblem`
    listed,
};

struct TorchFacts {
    QString folder;   // with include/ and lib/ in it
    QString version;  // "2.11.0+cu130"; empty: unknown
    bool cuda = false;
};

struct PartitionFacts {
    QString name;
    bool up = false;
    QString timeLimit;
    QString gpus;
};

enum class DetachWay { unknown, slurm, systemd, setsid, none };

struct ServerFacts {
    bool whole = false;  // the answer came to its end
    QString system;      // "Linux"
    QString machine;     // "x86_64"
    QString host;
    QString user;
    QString home;
    QString bootId;
    std::optional<double> clockAheadSeconds;  // of this computer's clock
    std::optional<int> cores;
    std::optional<qint64> memoryBytes;
    std::optional<qint64> availableBytes;
    std::optional<qint64> diskBytes;  // where the home folder lies
    std::optional<qint64> diskFreeBytes;
    QString homeFileSystem;  // "ext2/ext3", "nfs"
    std::optional<LibraryVersion> glibc;
    GpuAnswer gpuAnswer = GpuAnswer::unknown;
    QString gpuProblem;
    QString cudaOfDriver;
    std::vector<GpuFacts> gpus;
    std::vector<TorchFacts> torches;
    QString slurm;  // "slurm 23.02.6"; empty: none
    std::vector<PartitionFacts> partitions;
    std::optional<bool> hasSetsid;
    std::optional<bool> hasUserManager;  // of systemd, for this account
    std::optional<bool> lingers;
    std::optional<bool> hasPython;

    std::optional<bool> homeOnNetwork() const;
    DetachWay detachWay() const;
    // The newest of version `major`.`minor`, those with CUDA first where the server has GPUs; null: none.
    const TorchFacts* torchOf(LibraryVersion version) const;
};

// The text that the probe's script prints: "name=value", one a line, in any order.
ServerFacts readServerFacts(const QByteArray& text, double secondsHere);

}  // namespace unmask::ui

Q_DECLARE_METATYPE(unmask::ui::ServerFacts)
