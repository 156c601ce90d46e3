#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of the README from the real window: trains two short runs and a third that is still going, then
# lets the studio photograph its own pages in both languages and both themes. Takes about five minutes on two cores.
#   packaging/screenshots.sh [FOLDER]     default: packaging/screenshots
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=$(realpath -m "${1:-$root/packaging/screenshots}")
bin=${UNMASK_BIN:-$root/build/release/bin}
[ -x "$bin/unmask-studio" ] || bin=$root/build/dev/bin
[ -x "$bin/unmask-studio" ] || { echo "Build the studio first: ./run build" >&2; exit 1; }

home=$(mktemp -d)
export UNMASK_TORCH_DIR=${UNMASK_TORCH_DIR:-${UNMASK_CACHE:-$HOME/.cache/unmask}/libtorch-2.11.0/torch}
export UNMASK_RUNS=$home/runs XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config
live=
finish() {
    # The last run is asked to stop; nothing may train on after the pictures are taken.
    if [ -n "$live" ]; then
        { echo '{"id":"screenshots","command":"stop","checkpoint":false}'; sleep 3; } |
            "$bin/unmask-engine" attach "$live" >/dev/null || true
    fi
    rm -rf "$home"
}
trap finish EXIT

steps=${UNMASK_SCREENSHOT_STEPS:-300}
train() { "$bin/unmask-engine" "$1" --preset first-steps --run "$UNMASK_RUNS/$2" --set "launch.name=$2" "${@:3}"; }
mkdir -p "$UNMASK_RUNS"
echo "Training two short runs of $steps steps…"
train train baseline --set "steps=$steps" >/dev/null
train train low-rate --set "steps=$steps" --set learning_rate=1e-3 >/dev/null
echo "Starting a third that goes on while the pictures are taken…"
train start shakespeare --set seed=7 >/dev/null
live=$UNMASK_RUNS/shakespeare
sleep "${UNMASK_SCREENSHOT_WAIT:-60}"

echo "Photographing the pages…"
show=("$bin/unmask-studio" --screenshot-dir "$target" "$live")
if [ -n "${DISPLAY:-}" ]; then
    "${show[@]}"
else
    xvfb-run -a -s "-screen 0 1600x1000x24" "${show[@]}"
fi
ls "$target"
