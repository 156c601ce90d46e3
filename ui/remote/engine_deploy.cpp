// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/engine_deploy.h"

#include <QCoreApplication>

#include "engine/base/sha256.h"
#include "ui/settings/answer_later.h"
#include "ui/settings/path_text.h"

namespace unmask::ui {
namespace {

constexpr int kUnpackMs = 10 * 60000;
constexpr int kTryMs = 120000;  // LibTorch may come from a slow disk

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::EngineDeploy)
};

// $1 archive, $2 folder. The folder gets its name when all of it was checked, so that one broken off half-way is never
// taken for an engine. 3: no room, or not allowed; 4: not the archive it should be.
constexpr const char* kUnpackScript = R"sh(
[ -e "$2/whole" ] && exit 0
find "${2%/*}" -maxdepth 1 -name '*.new.*' -mmin +60 -exec rm -rf {} + 2>/dev/null
new=$2.new.$$
rm -rf "$2"
mkdir -p "$new" && chmod 700 "$new" || exit 3
undo() { rm -rf "$new"; exit "$1"; }
gzip -dc "$1" | (cd "$new" && tar -xf -) || undo 3
[ -s "$new/SHA256SUMS" ] || undo 3
if command -v sha256sum >/dev/null 2>&1; then (cd "$new" && sha256sum -c SHA256SUMS >/dev/null) || undo 4
elif command -v shasum >/dev/null 2>&1; then (cd "$new" && shasum -a 256 -c SHA256SUMS >/dev/null) || undo 4
fi
: >"$new/whole" || undo 3
mv "$new" "$2" || { [ -e "$2/whole" ] && rm -rf "$new"; }
[ -e "$2/whole" ] || exit 3
)sh";

// $1 folder, $2 LibTorch. Prints the libraries that are not there, then what the programs say of themselves.
constexpr const char* kTryScript = R"sh(
if command -v ldd >/dev/null 2>&1; then
    missing=$(LD_LIBRARY_PATH=$2/lib:$LD_LIBRARY_PATH ldd "$1/bin/unmask-engine" "$1/bin/unmask-worker" 2>&1 |
        sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p; s/.*\(GLIBC[A-Z]*_[0-9.]*\).* not found.*/\1/p' | sort -u | tr '\n' ' ')
    [ -z "$missing" ] || { printf 'missing %s\n' "$missing"; exit 5; }
fi
"$1/bin/unmask-engine" --version || exit 6
LD_LIBRARY_PATH=$2/lib:$LD_LIBRARY_PATH "$1/bin/unmask-worker" --help >/dev/null || exit 6
)sh";

enum ScriptCode { kNoRoom = 3, kDamaged = 4, kMissing = 5, kNoStart = 6 };

}  // namespace

QString deployStepName(DeployStep step) {
    switch (step) {
        case DeployStep::probe:
            return Words::tr("Look what the server has");
        case DeployStep::upload:
            return Words::tr("Upload the engine");
        case DeployStep::unpack:
            return Words::tr("Unpack and check it");
        case DeployStep::tryOut:
            return Words::tr("Try it out");
    }
    return {};
}

EngineDeploy::EngineDeploy(std::shared_ptr<SshThread> link, EngineBundle bundle, QStringList environment,
                           QObject* parent)
    : QObject(parent), m_link(std::move(link)), m_bundle(std::move(bundle)), m_environment(std::move(environment)) {
    QMetaObject::invokeMethod(this, &EngineDeploy::begin, Qt::QueuedConnection);
}

void EngineDeploy::begin() {
    Q_EMIT stepReached(DeployStep::probe);
    auto* probe = new ServerProbe(m_link, m_environment, this);
    connect(probe, &ServerProbe::finished, this, &EngineDeploy::onProbed);
}

void EngineDeploy::onProbed(const ProbeReport& report) {
    m_report.facts = report.facts;
    if (!report.problem.isEmpty())
        return fail(DeployFault::linkDown, report.problem);
    if (const auto problem = whyNotThere(m_bundle, report.facts))
        return fail(problem->fault, problem->sentence);
    if (report.facts.home.isEmpty())
        return fail(DeployFault::unpack, tr("The account on the server has no home folder."));
    answerLater([archive = m_bundle.archive] {
        try {
            return sha256OfFile(archive);
        } catch (const Error&) {
            return std::string();
        }
    }).then(this, [this](const std::string& hash) {
        m_hash = hash;
        if (hash.empty())
            fail(DeployFault::badBundle, tr("%1 cannot be read.").arg(fromPath(m_bundle.archive)));
        else
            upload();
    });
}

void EngineDeploy::upload() {
    Q_EMIT stepReached(DeployStep::upload);
    const QString cache = m_report.facts.home + QStringLiteral("/.cache/unmask");
    m_archive = cache + QStringLiteral("/bundles/%1.tar.gz").arg(fromUtf8(m_hash));
    m_report.folder = cache + QStringLiteral("/engines/%1").arg(fromUtf8(m_hash).left(16));
    m_report.engine = m_report.folder + QStringLiteral("/bin/unmask-engine");
    m_report.environment =
        QStringList{QStringLiteral("UNMASK_TORCH_DIR=") + m_report.facts.torchOf(m_bundle.torch)->folder,
                    QStringLiteral("LD_LIBRARY_PATH=%1/lib").arg(m_report.folder)} +
        m_environment;
    TransferJob job;
    job.local = m_bundle.archive;
    job.remote = m_archive;
    auto* transfer = new SftpTransfer(m_link, job, this);
    connect(transfer, &SftpTransfer::progressed, this, &EngineDeploy::progressed);
    connect(transfer, &SftpTransfer::finished, this, &EngineDeploy::onUploaded);
}

void EngineDeploy::onUploaded(const TransferReport& report) {
    m_report.wasThere = report.wasThere;
    if (report.fault == TransferFault::linkDown)
        return fail(DeployFault::linkDown, report.sentence);
    if (report.fault == TransferFault::remoteFull)
        return fail(DeployFault::diskFull, report.sentence);
    if (!report.good())
        return fail(DeployFault::transfer, report.sentence);
    unpack();
}

RemoteCommand* EngineDeploy::run(const RemoteProgram& program) {
    RemoteLimits limits;
    limits.runMs = std::max(kUnpackMs, kTryMs);
    return new RemoteCommand(m_link, program, limits, this);
}

void EngineDeploy::unpack() {
    Q_EMIT stepReached(DeployStep::unpack);
    RemoteProgram program;
    program.script = kUnpackScript;
    program.words = {m_archive, m_report.folder};
    program.environment = m_environment;
    connect(run(program), &RemoteCommand::finished, this, [this](const RemoteReply& reply) {
        if (reply.good())
            return tryOut();
        if (reply.fault != RemoteFault::none)
            return fail(DeployFault::linkDown, reply.sentence);
        if (reply.exitCode == kDamaged)
            return fail(DeployFault::unpack,
                        tr("What was unpacked on the server is not what was packed. Is its disk all right?"));
        fail(DeployFault::unpack,
             tr("The engine could not be unpacked on the server; its disk or your quota may be full: %1")
                 .arg(reply.lastWords()));
    });
}

void EngineDeploy::tryOut() {
    Q_EMIT stepReached(DeployStep::tryOut);
    RemoteProgram program;
    program.script = kTryScript;
    program.words = {m_report.folder, m_report.facts.torchOf(m_bundle.torch)->folder};
    program.environment = m_report.environment;
    connect(run(program), &RemoteCommand::finished, this, &EngineDeploy::onTried);
}

void EngineDeploy::onTried(const RemoteReply& reply) {
    if (reply.good()) {
        Q_EMIT finished(m_report);
        return;
    }
    if (reply.fault != RemoteFault::none)
        return fail(DeployFault::linkDown, reply.sentence);
    if (reply.exitCode == kMissing)
        return fail(DeployFault::missingLibrary,
                    tr("Libraries are missing on the server: %1. Whoever runs it can install them.")
                        .arg(fromUtf8(reply.output.trimmed().mid(8).toStdString())));
    fail(DeployFault::doesNotStart, tr("The engine does not start on the server: %1").arg(reply.lastWords()));
}

void EngineDeploy::fail(DeployFault fault, const QString& sentence) {
    m_report.problem = {fault, sentence};
    Q_EMIT finished(m_report);
}

}  // namespace unmask::ui
