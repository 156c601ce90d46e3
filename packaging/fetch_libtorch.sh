#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fetch_libtorch.sh TARGET VERSION: the C++ libraries and headers inside the PyTorch wheel, plus the two small CUDA
# libraries that libtorch_cpu.so names. Python unpacks, and is not needed afterwards. All or nothing: the target folder
# appears by a rename when it is complete.
set -euo pipefail
target=$1 version=$2
work=$target.part-$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/wheels" "$work/unpacked"

# The libraries do not depend on the Python version in the wheel's name; one that exists is asked for by name.
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$work/wheels" \
    --python-version 3.11 --implementation cp --abi cp311 --abi none \
    --platform "manylinux_2_28_$(uname -m)" --platform "manylinux_2_25_$(uname -m)" \
    --platform "manylinux2014_$(uname -m)" --platform "manylinux_2_17_$(uname -m)" --platform any \
    "torch==$version" "nvidia-cuda-runtime==13.0.*" "nvidia-cuda-cupti==13.0.*" || {
    echo "LibTorch could not be downloaded; is this computer online, and does 'python3 -m pip --version' work?" >&2
    echo "Or set UNMASK_TORCH_DIR to the torch folder of an installed PyTorch $version." >&2
    exit 1
}
for wheel in "$work"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$work/unpacked"; done

# Python's half and the GPU half are left out: this build computes on the CPU.
mkdir -p "$work/kept/torch"
mv "$work/unpacked/torch/lib" "$work/unpacked/torch/include" "$work/kept/torch/"
mv "$work/unpacked/torch/version.py" "$work/kept/torch/" 2>/dev/null || true
mv "$work/unpacked/nvidia" "$work/kept/"
rm -f "$work"/kept/torch/lib/libtorch_python.so "$work"/kept/torch/lib/libtorch_cuda*.so "$work"/kept/torch/lib/libtorch_nvshmem.so
[ -e "$work/kept/torch/lib/libtorch_cpu.so" ]
mv -T "$work/kept" "$target" 2>/dev/null || [ -e "$target/torch/lib/libtorch_cpu.so" ]  # another clone was faster
