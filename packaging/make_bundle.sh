#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the archive that the studio brings to servers: unmask-engine and unmask-worker with the libraries they need, but
# without glibc, which a server has, and LibTorch, which it has or is told to fetch. Equal programs give an equal archive.
#   packaging/make_bundle.sh [BUILD_FOLDER] [OUTPUT_FOLDER]     default: build/release build/dist
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:-build/release}
out=${2:-build/dist}
fail() { printf '%s\n' "$*" >&2; exit 1; }
[ -x "$build/bin/unmask-engine" ] && [ -x "$build/bin/unmask-worker" ] ||
    fail "$build/bin has no unmask-engine and unmask-worker; './run build' makes them in build/release."
cache() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null | head -n 1; }
torch=$(cache UNMASK_TORCH_DIR)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/lib" "$out"
for program in unmask-engine unmask-worker; do
    cp "$build/bin/$program" "$work/bin/"
    strip --strip-debug "$work/bin/$program"
done

# Libraries of the system, except for glibc's own, which must fit the kernel and loader that are there.
ldd "$build/bin/unmask-engine" "$build/bin/unmask-worker" | sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u |
    while read -r name path; do
        case $name in
            libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libutil.so.* | ld-linux*) continue ;;
            libcuda.so.* | libnvidia-*) continue ;; # the driver's
        esac
        case $path in "${torch:-/nonexistent}"/* | "${torch%/*}"/nvidia/*) continue ;; esac
        case $name in libtorch* | libc10* | libcu* | libnv* | libnccl*) continue ;; esac
        cp -L "$path" "$work/lib/$name"
    done

version_of() { # of the newest symbol of glibc that is asked for
    objdump -T "$work"/bin/* "$work"/lib/* 2>/dev/null | grep -o 'GLIBC_[0-9][0-9.]*' | sort -uV | tail -n 1 | sed 's/GLIBC_//'
}
gpu=false
if readelf -d "$work/bin/unmask-worker" | grep -q 'libtorch_cuda'; then gpu=true; fi
architectures=
if [ $gpu = true ]; then architectures=$(cache CMAKE_CUDA_ARCHITECTURES | sed 's/;/,/g; s/[^0-9,]//g'); fi
bytes=$(du -sb "$work" | cut -f1)
cat >"$work/manifest.json" <<END
{
  "format": 1,
  "version": "$("$build/bin/unmask-engine" --version | head -n 1 | tr -d '"\\')",
  "machine": "$(uname -m)",
  "glibc": "$(version_of)",
  "torch": "2.11",
  "gpu": $gpu,
  "architectures": [${architectures}],
  "bytes": $bytes
}
END
(cd "$work" && find bin lib manifest.json -type f | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)

name=unmask-engine-$(uname -m)
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$work" -cf - bin lib manifest.json SHA256SUMS |
    gzip -n6 >"$out/$name.tar.gz.new"
cp "$work/manifest.json" "$out/$name.json"
mv "$out/$name.tar.gz.new" "$out/$name.tar.gz"
printf '%s/%s.tar.gz, %s MB, needs glibc %s and PyTorch 2.11\n' "$out" "$name" \
    "$(($(stat -c %s "$out/$name.tar.gz") >> 20))" "$(version_of)"
