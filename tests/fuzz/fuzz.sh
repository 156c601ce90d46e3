#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A search of UNMASK_FUZZ_SECONDS (60) through one parser, from its seeds, the corpus of the repository and what earlier
# searches found. What crashes it is kept in FOLDER/TARGET-crash-…: mended, it belongs into tests/fuzz/corpus/TARGET.
#   fuzz.sh PROGRAM TARGET FOLDER
set -eu
program=$1 target=$2 folder=$3
corpus=$(dirname "$0")/corpus/$target
export UNMASK_FUZZ_TARGET="$target"
"$program" -seed_corpus "$folder/$target"
[ -d "$corpus" ] || corpus=
# Goal: no hang, and memory of at most 4 times the input and 64 MB (the sanitizer needs as much again).
exec "$program" -max_total_time="${UNMASK_FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=65 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$folder/$target-" "$folder/$target" ${corpus:+"$corpus"}
