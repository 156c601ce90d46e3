#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Set-up shared by ./run and ./test: distribution packages, LibTorch, build. Each step says what it does and how long
# it took. Sourced, not run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${UNMASK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/unmask}
torch_version=2.11.0
export UNMASK_CACHE=$cache
# The GPU half is built where there are a GPU and nvcc to build it with; UNMASK_GPU=on or off decides otherwise.
flavour=cpu
case ${UNMASK_GPU:-auto} in
    on) flavour=gpu ;;
    auto) if [ -e /dev/nvidiactl ] && command -v nvcc >/dev/null; then flavour=gpu; fi ;;
esac
libtorch=$cache/libtorch-$torch_version
[ $flavour = cpu ] || libtorch=$libtorch-gpu
export UNMASK_TORCH_DIR=${UNMASK_TORCH_DIR:-$libtorch/torch}

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
# step "text" command...: runs the command, prints text and seconds.
step() {
    local text=$1 start=${EPOCHREALTIME//[.,]/} tenths
    shift
    say "· $text …"
    "$@"
    tenths=$(((${EPOCHREALTIME//[.,]/} - start) / 100000))
    say "  done in $((tenths / 10)).$((tenths % 10)) s"
}

missing_packages() {
    local name
    while read -r name _; do
        case $name in '' | '#'*) continue ;; esac
        case $(dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null) in ii*) ;; *) printf '%s ' "$name" ;; esac
    done <"$root/packaging/packages.txt"
}

# Asking dpkg for each package takes half a second, so the answer is kept for as long as neither side has changed.
packages_known() {
    [ "$cache/packages-present" -nt "$root/packaging/packages.txt" ] && [ "$cache/packages-present" -nt /var/lib/dpkg/status ]
}

install_packages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "· This system has no apt; the packages in packaging/packages.txt must be there under its own names."
        return
    fi
    packages_known && return
    local missing
    missing=$(missing_packages)
    if [ -n "$missing" ]; then
        local command="apt-get install -y --no-install-recommends $missing"
        if [ "$(id -u)" = 0 ]; then
            step "Installing packages: $missing" apt_install "" $missing
        elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            step "Installing packages with sudo: $missing" apt_install sudo $missing
        else
            say "These packages are missing, and only an administrator can install them. Give this command once:"
            say ""
            say "    sudo $command"
            say ""
            fail "Then start again."
        fi
    fi
    mkdir -p "$cache"
    : >"$cache/packages-present"
}

apt_install() {
    local sudo=$1 log
    shift
    log=$(mktemp)
    if ! { $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        fail "The packages could not be installed; the lines above say why (whole log: $log)."
    fi
    rm -f "$log"
}

fetch_libtorch() {
    [ -e "$UNMASK_TORCH_DIR/lib/libtorch_cpu.so" ] && return
    case $UNMASK_TORCH_DIR in
        "$cache"/*) ;;
        *) fail "UNMASK_TORCH_DIR is $UNMASK_TORCH_DIR, but there is no lib/libtorch_cpu.so in it." ;;
    esac
    local size="550 MB"
    [ $flavour = cpu ] || size="2.5 GB with CUDA"
    step "Fetching LibTorch $torch_version into $cache ($size, once for all clones)" \
        bash "$root/packaging/fetch_libtorch.sh" "$libtorch" "$torch_version" $flavour
}

# build PRESET [TARGET...]
build() {
    local preset=$1
    shift
    cd "$root"
    if [ ! -e "build/$preset/build.ninja" ] ||
        ! grep -qxF "UNMASK_TORCH_DIR:PATH=$UNMASK_TORCH_DIR" "build/$preset/CMakeCache.txt"; then
        step "Configuring preset $preset" quietly cmake --preset "$preset" -DUNMASK_TORCH_DIR="$UNMASK_TORCH_DIR"
    fi
    # The build's own lines are kept short: one line that moves on a terminal, every tenth without one.
    step "Building preset $preset" build_lines "$preset" "$@"
}

build_lines() {
    local preset=$1
    shift
    if [ -t 2 ]; then
        cmake --build "build/$preset" -- "$@" >&2
    else
        quietly cmake --build "build/$preset" -- "$@"
    fi
}

quietly() {
    local log
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        grep -E -A 12 'error|Error|FAILED' "$log" | head -n 80 >&2 || true
        fail "'$*' failed; the whole output is in $log."
    fi
    rm -f "$log"
}
