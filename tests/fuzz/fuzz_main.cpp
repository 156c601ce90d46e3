// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entrance: UNMASK_FUZZ_TARGET names the parser. `unmask_fuzz -seed_corpus FOLDER` writes the seeds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/fuzz_targets.h"

namespace {
const unmask::fuzz::Target& chosen() {
    static const unmask::fuzz::Target* target = [] {
        const char* name = std::getenv("UNMASK_FUZZ_TARGET");
        const auto* found = unmask::fuzz::findTarget(name ? name : "");
        if (!found) {
            std::fprintf(stderr, "UNMASK_FUZZ_TARGET must be one of:");
            for (const auto& each : unmask::fuzz::targets())
                std::fprintf(stderr, " %.*s", static_cast<int>(each.name.size()), each.name.data());
            std::fprintf(stderr, "\n");
            std::exit(2);
        }
        return found;
    }();
    return *target;
}
}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    if (*count == 3 && std::string_view((*arguments)[1]) == "-seed_corpus") {
        const std::filesystem::path folder((*arguments)[2]);
        std::filesystem::create_directories(folder);
        int number = 0;
        for (const std::string& seed : chosen().seeds())
            std::ofstream(folder / ("seed-" + std::to_string(++number)), std::ios::binary) << seed;
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    chosen().run({reinterpret_cast<const char*>(data), size});
    return 0;
}
