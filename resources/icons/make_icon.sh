#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws unmask.png: nine tokens, some of them still masked. Needs ImageMagick.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
shades=(1 1 1 1 0.75 0.3 0.75 0.3 0.18)
cells=()
for i in "${!shades[@]}"; do
    x=$((92 + i % 3 * 116))
    y=$((92 + i / 3 * 116))
    cells+=(-fill "rgba(255,255,255,${shades[$i]})" -draw "roundrectangle $x,$y $((x + 96)),$((y + 96)) 22,22")
done
convert -size 512x512 xc:none -fill '#2f5bd7' -draw 'roundrectangle 16,16 496,496 104,104' "${cells[@]}" \
    -resize 256x256 -strip unmask.png
