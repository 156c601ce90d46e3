// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/engine_bundle.h"

#include <QCoreApplication>

#include "engine/base/durable_file.h"
#include "engine/base/json.h"
#include "engine/base/places.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr size_t kLargestManifest = 64 << 10;
constexpr int kFormat = 1;
constexpr qint64 kSpareRoom = qint64{256} << 20;  // for a run's first files

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::EngineBundle)
};

QString textOf(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? fromUtf8(found->get<std::string>()) : QString();
}

qint64 numberOf(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<qint64>() : -1;
}

Error bad(const std::filesystem::path& manifest, const char* why) {
    return {ErrorCode::badInput, "[bundle] " + manifest.string() + " " + why};
}

QString versionText(LibraryVersion version) {
    return QStringLiteral("%1.%2").arg(version.major).arg(version.minor);
}

// A card runs what was built for its own generation and no later revision of it.
bool runsOn(const EngineBundle& bundle, int capability) {
    return std::any_of(bundle.architectures.begin(), bundle.architectures.end(),
                       [&](int built) { return built / 10 == capability / 10 && built <= capability; });
}

bool anyGpuIsBuiltFor(const EngineBundle& bundle, const ServerFacts& facts, QStringList& others) {
    bool unknown = false;
    for (const GpuFacts& gpu : facts.gpus) {
        const auto capability = readLibraryVersion(gpu.computeCapability);
        unknown = unknown || !capability;
        if (capability && runsOn(bundle, capability->major * 10 + capability->minor))
            return true;
        others += QStringLiteral("%1 (%2)").arg(gpu.name, gpu.computeCapability);
    }
    return unknown;
}

}  // namespace

Result<EngineBundle> readEngineBundle(const std::filesystem::path& manifest) {
    try {
        const Json json = parseJson(readWholeFile(manifest, kLargestManifest)).orThrow();
        if (!json.is_object() || numberOf(json, "format") != kFormat)
            return bad(manifest, "is of a format that this studio does not know");
        EngineBundle bundle;
        bundle.archive = manifest;
        bundle.archive.replace_extension(".tar.gz");
        bundle.version = textOf(json, "version");
        bundle.machine = textOf(json, "machine");
        bundle.bytes = numberOf(json, "bytes");
        const auto glibc = readLibraryVersion(textOf(json, "glibc"));
        const auto torch = readLibraryVersion(textOf(json, "torch"));
        if (!glibc || !torch || bundle.machine.isEmpty() || bundle.bytes < 0)
            return bad(manifest, "does not say what the engine needs");
        bundle.glibc = *glibc;
        bundle.torch = *torch;
        bundle.gpu = json.value("gpu", false);
        if (const auto list = json.find("architectures"); list != json.end() && list->is_array())
            for (const Json& one : *list)
                if (one.is_number_integer())
                    bundle.architectures.push_back(static_cast<int>(std::clamp<qint64>(one.get<qint64>(), 0, 10000)));
        std::error_code error;
        if (!std::filesystem::is_regular_file(bundle.archive, error))
            return bad(manifest, "lies there without its archive");
        return bundle;
    } catch (const Error& error) {
        return error;
    } catch (const std::exception&) {
        return bad(manifest, "cannot be understood");
    }
}

std::filesystem::path locateEngineBundle() {
    const QString chosen = qEnvironmentVariable("UNMASK_BUNDLE");
    return chosen.isEmpty() ? executableFolder().parent_path() / "dist" / "unmask-engine-x86_64.json" : toPath(chosen);
}

std::optional<DeployProblem> whyNotThere(const EngineBundle& bundle, const ServerFacts& facts) {
    const auto because = [](DeployFault fault, const QString& sentence) { return DeployProblem{fault, sentence}; };
    if ((!facts.system.isEmpty() && facts.system != QLatin1String("Linux")) ||
        (!facts.machine.isEmpty() && facts.machine != bundle.machine))
        return because(DeployFault::wrongMachine,
                       Words::tr("The engine is built for Linux on %1; the server is %2 on %3.")
                           .arg(bundle.machine, facts.system, facts.machine));
    if (facts.glibc && *facts.glibc < bundle.glibc)
        return because(DeployFault::oldGlibc,
                       Words::tr("The server's system is too old: it has glibc %1, and the engine needs %2. Build the "
                                 "bundle on a system as old as the server's, or use a container there.")
                           .arg(versionText(*facts.glibc), versionText(bundle.glibc)));
    if (facts.diskFreeBytes) {
        std::error_code error;
        const auto archive = static_cast<qint64>(std::filesystem::file_size(bundle.archive, error));
        const qint64 wanted = (error ? 0 : archive) + bundle.bytes + kSpareRoom;
        if (*facts.diskFreeBytes < wanted)
            return because(DeployFault::diskFull,
                           Words::tr("The disk of the home folder on the server has %1 MB of room; %2 MB are needed.")
                               .arg(*facts.diskFreeBytes >> 20)
                               .arg(wanted >> 20));
    }
    if (facts.whole && !facts.torchOf(bundle.torch))
        return because(DeployFault::noTorch,
                       Words::tr("PyTorch %1 was not found on the server. Install it there (pip install torch==%1.0), "
                                 "or name its folder in the server's environment: UNMASK_TORCH_DIR=/path/to/torch")
                           .arg(versionText(bundle.torch)));
    QStringList others;
    if (bundle.gpu && !facts.gpus.empty() && !anyGpuIsBuiltFor(bundle, facts, others))
        return because(DeployFault::unbuiltGpu, Words::tr("This engine was not built for the GPUs of the server: %1.")
                                                    .arg(others.join(QLatin1String(", "))));
    return std::nullopt;
}

}  // namespace unmask::ui
