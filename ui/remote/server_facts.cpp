// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_facts.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kMostLines = 2000;
constexpr int kLongestValue = 1000;
constexpr size_t kMostOfAKind = 256;
constexpr qint64 kKibi = 1024;
constexpr qint64 kMebi = kKibi * 1024;
constexpr qint64 kMostKibi = qint64{1} << 50;

// Nothing that is printed later may move a cursor or hide text.
QString cleaned(const QByteArray& bytes) {
    return fromUtf8(harmless(toValidUtf8(bytes.left(kLongestValue).toStdString()))).trimmed();
}

std::optional<qint64> number(const QString& text, qint64 least, qint64 most) {
    bool good = false;
    const qint64 value = text.trimmed().toLongLong(&good);
    return good && value >= least && value <= most ? std::optional(value) : std::nullopt;
}

std::optional<int> smallNumber(const QString& text, int least, int most) {
    const auto value = number(text, least, most);
    return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<qint64> scaled(const QString& text, qint64 unit) {
    const auto value = number(text, 0, kMostKibi);
    return value ? std::optional(*value * unit) : std::nullopt;
}

std::optional<bool> truth(const QString& text) {
    if (text == QLatin1String("yes"))
        return true;
    if (text == QLatin1String("no"))
        return false;
    return std::nullopt;
}

// index, name, uuid, memory.total, memory.used, utilization.gpu, temperature.gpu, driver_version[, compute_cap];
// "[N/A]" and "[Not Supported]" stand where a card does not say.
std::optional<GpuFacts> readGpu(const QString& line) {
    QStringList fields = line.split(u',');
    if (fields.size() < 8)
        return std::nullopt;
    for (QString& field : fields) {
        field = field.trimmed();
        if (field.startsWith(u'[') || field == QLatin1String("N/A"))
            field.clear();
    }
    const auto index = smallNumber(fields[0], 0, 1023);
    if (!index)
        return std::nullopt;
    GpuFacts gpu;
    gpu.index = *index;
    gpu.name = fields[1];
    gpu.uuid = fields[2];
    gpu.memoryBytes = scaled(fields[3], kMebi);
    if (gpu.memoryBytes == 0)
        gpu.memoryBytes.reset();
    gpu.usedBytes = scaled(fields[4], kMebi);
    gpu.busyPercent = smallNumber(fields[5], 0, 100);
    gpu.celsius = smallNumber(fields[6], -50, 200);
    gpu.driver = fields[7];
    if (fields.size() > 8 && readLibraryVersion(fields[8]))
        gpu.computeCapability = fields[8];
    return gpu;
}

class Reading {
 public:
    ServerFacts facts;
    double secondsHere = 0;

    void take(const QByteArray& name, const QString& value) {
        takeSystem(name, value);
        takeMachine(name, value);
        takeGpu(name, value);
        takeJobs(name, value);
    }

 private:
    void takeSystem(const QByteArray& name, const QString& value) {
        if (name == "system")
            facts.system = value;
        else if (name == "machine")
            facts.machine = value;
        else if (name == "host")
            facts.host = value;
        else if (name == "user")
            facts.user = value;
        else if (name == "home")
            facts.home = value.startsWith(u'/') ? value : QString();
        else if (name == "boot")
            facts.bootId = value;
        else if (name == "libc" && value.contains(QLatin1String("glibc"), Qt::CaseInsensitive))
            facts.glibc = readLibraryVersion(value);
        else if (name == "end")
            facts.whole = true;
    }

    void takeMachine(const QByteArray& name, const QString& value) {
        if (name == "time")
            takeTime(value);
        else if (name == "cores")
            facts.cores = smallNumber(value, 1, 1 << 20);
        else if (name == "memory")
            facts.memoryBytes = scaled(value, kKibi);
        else if (name == "available")
            facts.availableBytes = scaled(value, kKibi);
        else if (name == "disk")
            facts.diskBytes = scaled(value, kKibi);
        else if (name == "diskfree")
            facts.diskFreeBytes = scaled(value, kKibi);
        else if (name == "filesystem")
            facts.homeFileSystem = value;
        else if (name == "python")
            facts.hasPython = truth(value);
    }

    void takeTime(const QString& value) {
        bool good = false;
        const double there = value.toDouble(&good);
        if (good && std::isfinite(there) && there > 0)
            facts.clockAheadSeconds = there - secondsHere;
    }

    void takeGpu(const QByteArray& name, const QString& value) {
        if (name == "gpu" && facts.gpus.size() < kMostOfAKind) {
            if (auto gpu = readGpu(value)) {
                facts.gpus.push_back(std::move(*gpu));
                facts.gpuAnswer = GpuAnswer::listed;
            } else if (facts.gpuProblem.isEmpty()) {
                facts.gpuProblem = value;
            }
        } else if (name == "gputool" && facts.gpuAnswer != GpuAnswer::listed) {
            facts.gpuAnswer = value == QLatin1String("no") ? GpuAnswer::noTool : GpuAnswer::failed;
        } else if (name == "cuda") {
            facts.cudaOfDriver = value;
        } else if (name == "torch" && facts.torches.size() < kMostOfAKind) {
            const QStringList fields = value.split(u'|');
            if (fields.size() == 3 && fields[2].startsWith(u'/'))
                facts.torches.push_back({fields[2], fields[0], fields[1] == QLatin1String("yes")});
        }
    }

    void takeJobs(const QByteArray& name, const QString& value) {
        if (name == "slurm")
            facts.slurm = value;
        else if (name == "partition" && facts.partitions.size() < kMostOfAKind) {
            const QStringList fields = value.split(u'|');
            if (fields.size() >= 4 && !fields[0].isEmpty())
                facts.partitions.push_back({fields[0], fields[1] == QLatin1String("up"), fields[2], fields[3]});
        } else if (name == "setsid")
            facts.hasSetsid = truth(value);
        else if (name == "usermanager")
            facts.hasUserManager = truth(value);
        else if (name == "linger")
            facts.lingers = truth(value);
    }
};

}  // namespace

std::optional<LibraryVersion> readLibraryVersion(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("(\\d{1,4})\\.(\\d{1,4})"));
    const auto match = pattern.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return LibraryVersion{match.captured(1).toInt(), match.captured(2).toInt()};
}

std::optional<bool> ServerFacts::homeOnNetwork() const {
    if (homeFileSystem.isEmpty() || homeFileSystem.startsWith(QLatin1String("UNKNOWN")))
        return std::nullopt;
    static const QStringList networks{QStringLiteral("nfs"),    QStringLiteral("lustre"), QStringLiteral("gpfs"),
                                      QStringLiteral("beegfs"), QStringLiteral("ceph"),   QStringLiteral("afs"),
                                      QStringLiteral("smb"),    QStringLiteral("cifs"),   QStringLiteral("fuse.sshfs"),
                                      QStringLiteral("panfs"),  QStringLiteral("gfs")};
    return std::any_of(networks.begin(), networks.end(),
                       [this](const QString& name) { return homeFileSystem.startsWith(name, Qt::CaseInsensitive); });
}

DetachWay ServerFacts::detachWay() const {
    if (!slurm.isEmpty())
        return DetachWay::slurm;
    if (hasUserManager.value_or(false) && lingers.value_or(false))
        return DetachWay::systemd;
    if (!hasSetsid)
        return DetachWay::unknown;
    return *hasSetsid ? DetachWay::setsid : DetachWay::none;
}

const TorchFacts* ServerFacts::torchOf(LibraryVersion version) const {
    const TorchFacts* best = nullptr;
    for (const TorchFacts& torch : torches)
        if (readLibraryVersion(torch.version) == version && (!best || (torch.cuda && !best->cuda && !gpus.empty())))
            best = &torch;
    return best;
}

ServerFacts readServerFacts(const QByteArray& text, double secondsHere) {
    Reading reading;
    reading.secondsHere = secondsHere;
    int lines = 0;
    for (const QByteArray& line : text.split('\n')) {
        if (++lines > kMostLines)
            break;
        const qsizetype equals = line.indexOf('=');
        if (equals <= 0)
            continue;
        const QString value = cleaned(line.mid(equals + 1));
        if (!value.isEmpty())
            reading.take(line.left(equals), value);
    }
    return reading.facts;
}

}  // namespace unmask::ui
