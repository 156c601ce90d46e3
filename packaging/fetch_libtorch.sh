#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# fetch_libtorch.sh TARGET VERSION cpu|gpu: the C++ libraries and headers inside the PyTorch wheel. For the CPU, with the
# two small CUDA libraries that libtorch_cpu.so names; for GPUs, with all of CUDA's that the wheel asks for and the
# headers of cuDNN's frontend. Python unpacks, and is not needed afterwards. All or nothing: the target folder appears by
# a rename when it is complete.
set -euo pipefail
target=$1 version=$2 flavour=$3
work=$target.part-$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/wheels" "$work/unpacked"

# The libraries do not depend on the Python version in the wheel's name; one that exists is asked for by name.
wheels=(--no-deps "torch==$version" "nvidia-cuda-runtime==13.0.*" "nvidia-cuda-cupti==13.0.*")
[ "$flavour" = cpu ] || wheels=("torch==$version" "nvidia-cudnn-frontend>=1.15,<2")
platforms=(--platform any --platform "manylinux2014_$(uname -m)")
for minor in {17..28}; do platforms+=(--platform "manylinux_2_${minor}_$(uname -m)"); done
python3 -m pip download --quiet --disable-pip-version-check --only-binary=:all: --dest "$work/wheels" \
    --python-version 3.11 --implementation cp --abi cp311 --abi none \
    "${platforms[@]}" \
    "${wheels[@]}" || {
    echo "LibTorch could not be downloaded; is this computer online, and does 'python3 -m pip --version' work?" >&2
    echo "Or set UNMASK_TORCH_DIR to the torch folder of an installed PyTorch $version." >&2
    exit 1
}
for wheel in "$work"/wheels/{torch-,nvidia}*.whl; do python3 -m zipfile -e "$wheel" "$work/unpacked"; done

# Python's half is left out, and for the CPU the GPU's.
mkdir -p "$work/kept/torch"
mv "$work/unpacked/torch/lib" "$work/unpacked/torch/include" "$work/kept/torch/"
mv "$work/unpacked/torch/version.py" "$work/kept/torch/" 2>/dev/null || true
mv "$work/unpacked/nvidia" "$work/kept/"
rm -f "$work"/kept/torch/lib/libtorch_python.so
if [ "$flavour" = cpu ]; then
    rm -f "$work"/kept/torch/lib/libtorch_cuda*.so "$work"/kept/torch/lib/libtorch_nvshmem.so
else
    mkdir -p "$work/kept/cudnn_frontend"
    mv "$work/unpacked/include" "$work/kept/cudnn_frontend/"
fi
[ -e "$work/kept/torch/lib/libtorch_cpu.so" ]
mv -T "$work/kept" "$target" 2>/dev/null || [ -e "$target/torch/lib/libtorch_cpu.so" ]  # another clone was faster
