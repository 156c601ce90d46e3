#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Collects every word of the studio from the sources into the translation files. Run it after changing a text, then
# translate what is new in unmask_zh_CN.ts (or `linguist unmask_zh_CN.ts`); a test fails while anything is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
lupdate=$(command -v lupdate6 || { [ -x /usr/lib/qt6/bin/lupdate ] && echo /usr/lib/qt6/bin/lupdate; } || command -v lupdate)
options=(-I . -silent -no-obsolete -locations none -extensions h,cpp)
"$lupdate" "${options[@]}" ui app -ts resources/translations/unmask_zh_CN.ts -target-language zh_CN
# English needs its plurals alone.
"$lupdate" "${options[@]}" -pluralonly ui app -ts resources/translations/unmask_en.ts -target-language en_US
