// SPDX-License-Identifier: Apache-2.0
// The small text that comes with the program, for first steps without data of one's own.
#pragma once

#include <filesystem>
#include <vector>

namespace unmask {

// $UNMASK_RESOURCES/corpus, else beside the installed program, else in the source tree. Throws Error(badInput) when
// none has it.
std::vector<std::filesystem::path> sampleCorpusFiles();

}  // namespace unmask
