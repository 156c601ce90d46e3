// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_probe.h"

#include <QDateTime>

namespace unmask::ui {
namespace {

constexpr int kRunMs = 60000;

// Each tool may be missing, hang or print nonsense: each has ten seconds where there is `timeout`, and prints to a line
// of its own. nvidia-smi refuses a whole query for one field it does not know, so an old one is asked again for less.
constexpr const char* kScript = R"sh(
say() { printf '%s=%s\n' "$1" "$(printf '%s' "$2" | tr '\n\r' '  ')"; }
have() { command -v "$1" >/dev/null 2>&1; }
yes_no() { if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi; }
limit() { if have timeout; then timeout 10 "$@"; else "$@"; fi; }
now=$(date +%s.%N 2>/dev/null); case $now in *N*) now=$(date +%s);; esac
say time "$now"
say system "$(uname -s)"
say machine "$(uname -m)"
say host "$(hostname 2>/dev/null || uname -n)"
say user "$(id -un)"
say home "$HOME"
say boot "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)"
say cores "$(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc 2>/dev/null)"
if [ -r /proc/meminfo ]; then
    sed -n 's/^MemTotal: *\([0-9]*\) kB.*/memory=\1/p; s/^MemAvailable: *\([0-9]*\) kB.*/available=\1/p' /proc/meminfo
fi
limit df -Pk "$HOME" 2>/dev/null | sed -n '2{s/.* \([0-9][0-9]*\)  *[0-9][0-9]*  *\([0-9][0-9]*\)  *[0-9]*% .*/disk=\1 \2/;s/\(disk=[0-9]*\) \(.*\)/\1\ndiskfree=\2/p;}'
say filesystem "$(limit stat -f -c %T "$HOME" 2>/dev/null)"
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
[ -n "$libc" ] || libc=$(ldd --version 2>&1 | head -n 1 | sed 's/^ldd (\(.*\)) \([0-9.]*\)$/glibc \2 \1/')
say libc "$libc"
if have nvidia-smi; then
    fields=index,name,uuid,memory.total,memory.used,utilization.gpu,temperature.gpu,driver_version
    list=$(limit nvidia-smi --query-gpu=$fields,compute_cap --format=csv,noheader,nounits 2>&1) ||
        list=$(limit nvidia-smi --query-gpu=$fields --format=csv,noheader,nounits 2>&1)
    say gputool "$?"
    printf '%s\n' "$list" | head -n 300 | sed 's/^/gpu=/'
    say cuda "$(limit nvidia-smi 2>/dev/null | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p' | head -n 1)"
else
    say gputool no
fi
torch() {
    [ -e "$1/lib/libtorch_cpu.so" ] || return 0
    version=$(sed -n "s/^__version__.*= *['\"]\([^'\"]*\).*/\1/p" "$1/version.py" 2>/dev/null | head -n 1)
    [ -n "$version" ] || version=$(head -n 1 "$1/build-version" 2>/dev/null)
    say torch "$version|$(yes_no test -e "$1/lib/libtorch_cuda.so")|$1"
}
[ -z "$UNMASK_TORCH_DIR" ] || torch "$UNMASK_TORCH_DIR"
for folder in "$HOME"/.cache/unmask/libtorch-*/torch "$HOME"/.cache/unmask/libtorch-*/libtorch; do torch "$folder"; done
python=no
for program in python3 python; do
    have "$program" && [ "$python" = no ] || continue
    python=yes
    file=$(limit "$program" -c 'import importlib.util as u
s = u.find_spec("torch")
print(s.origin if s else "")' 2>/dev/null)
    [ -z "$file" ] || torch "$(dirname "$file")"
done
say python "$python"
for folder in "$HOME"/*conda*/envs/*/lib/python3*/site-packages/torch "$HOME"/*conda*/lib/python3*/site-packages/torch \
    "$HOME"/*venv*/lib/python3*/site-packages/torch "$HOME"/.venv*/lib/python3*/site-packages/torch \
    /opt/*/lib/python3*/site-packages/torch /opt/*/envs/*/lib/python3*/site-packages/torch /venv/*/lib/python3*/site-packages/torch; do
    torch "$folder"
done
if have sbatch; then
    say slurm "$(limit sbatch --version 2>&1 | head -n 1)"
    limit sinfo -h -o '%P|%a|%l|%G' 2>/dev/null | head -n 200 | sed 's/^/partition=/'
fi
say setsid "$(yes_no command -v setsid)"
if have systemd-run && have systemctl; then
    XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
    export XDG_RUNTIME_DIR
    say usermanager "$(yes_no limit systemctl --user show-environment)"
    linger=$(limit loginctl show-user "$(id -un)" -p Linger --value 2>/dev/null)
    [ -n "$linger" ] || { [ -d /var/lib/systemd/linger ] && linger=$(yes_no test -e "/var/lib/systemd/linger/$(id -un)"); }
    say linger "$linger"
else
    say usermanager no
fi
say end yes
)sh";

}  // namespace

ServerProbe::ServerProbe(std::shared_ptr<SshThread> link, const QStringList& environment, QObject* parent)
    : QObject(parent) {
    RemoteProgram program;
    program.script = kScript;
    program.environment = environment;
    RemoteLimits limits;
    limits.runMs = kRunMs;
    limits.mostOutput = 1 << 20;
    m_command = new RemoteCommand(std::move(link), program, limits, this);
    connect(m_command, &RemoteCommand::begun, this,
            [this] { m_secondsHere = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000; });
    connect(m_command, &RemoteCommand::finished, this, [this](const RemoteReply& reply) {
        ProbeReport report{readServerFacts(reply.output, m_secondsHere), reply.sentence};
        if (report.problem.isEmpty() && !report.facts.whole)
            report.problem = tr("The server broke off while it said what it has: %1").arg(reply.lastWords());
        Q_EMIT finished(report);
    });
}

}  // namespace unmask::ui
