// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/doors.h"

#include <gtest/gtest.h>

namespace unmask::architecture {
namespace {

size_t faults(const char* path, const std::string& text) {
    return wrongIncludes({path, text}).size();
}

TEST(Doors, ThisTestFindsPlantedFaults) {
    EXPECT_EQ(faults("engine/data/x.cpp", "#include \"engine/tokenizer/tokenizer.h\"\n#include <vector>\n"), 0u);
    EXPECT_EQ(faults("engine/data/x.cpp", "  #  include \"engine/model/block.h\"\n"), 1u);
    EXPECT_EQ(faults("engine/data/x.cpp", "#include <ATen/core/Tensor.h>\n"), 1u);
    EXPECT_EQ(faults("engine/model/x.cpp", "#include <ATen/core/Tensor.h>\n"), 0u);
    EXPECT_EQ(faults("engine/model/x.cpp", "#include <torch/torch.h>\n"), 1u);
    EXPECT_EQ(faults("engine/model/x.cpp", "#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>\n"), 1u);
    EXPECT_EQ(faults("engine/protocol/x.h", "#include <QString>\n"), 1u);
    EXPECT_EQ(faults("engine/protocol/x.h", "#include <regex>\n"), 1u);
    EXPECT_EQ(faults("ui/pages/x.cpp", "#include \"engine/train/trainer.h\"\n"), 1u);
    EXPECT_EQ(faults("ui/pages/x.cpp", "#include \"ui/store/run_store.h\"\n"), 1u) << "pages know no SQL";
    EXPECT_EQ(faults("tests/architecture/x.cpp", "#include \"doors.h\"\n"), 1u) << "not written from the root";
    EXPECT_EQ(faults("engine/base/x.cpp", "#include \"made_by_cmake.h\"\n"), 0u);
    EXPECT_EQ(faults("engine/base/x.h", "#include \"engine/protocol/events.h\"\n"), 1u);
    EXPECT_EQ(faults("kernels/norm/norm.cu", "#include \"kernels/common/dtype.h\"\n#include \"engine/base/error.h\"\n"),
              1u);
    EXPECT_EQ(faults("engine/ops/norm.cpp", "#include \"kernels/norm/norm.h\"\n"), 0u);
    EXPECT_EQ(faults("app/main.cpp", "#include \"ui/store/run_store.h\"\n#include \"engine/train/trainer.h\"\n"), 1u);
    EXPECT_EQ(faults("engine/unheard_of/x.cpp", "#include \"engine/base/error.h\"\n"), 1u);
}

TEST(Doors, ThisTestFindsPlantedLibraries) {
    const auto count = [](const char* path, const std::string& text) { return wrongLibraries({path, text}).size(); };
    const char* data = "engine/data/CMakeLists.txt";
    EXPECT_EQ(count(data, "unmask_room(engine_data SOURCES a.cpp DEPENDS engine_base engine_tokenizer LIBS z)"), 0u);
    EXPECT_EQ(count(data, "unmask_room(engine_data\n SOURCES a.cpp\n DEPENDS engine_base engine_model TORCH)"), 2u);
    EXPECT_EQ(count(data, "unmask_room(engine_dates SOURCES a.cpp)"), 1u);
    EXPECT_EQ(count(data, "# unmask_room(engine_dates SOURCES a.cpp)"), 0u);
    EXPECT_EQ(count("engine/base/CMakeLists.txt", "unmask_room(engine_base SOURCES a.cpp QT Qt6::Core)"), 1u);
}

TEST(Doors, IncludesKeepToTheTable) {
    std::vector<std::string> wrong;
    size_t seen = 0;
    for (const SourceText& file : sourceTree()) {
        if (roomOf(file.path).empty() || !isCode(file.path))
            continue;
        ++seen;
        const std::vector<std::string> found = wrongIncludes(file);
        wrong.insert(wrong.end(), found.begin(), found.end());
    }
    EXPECT_GT(seen, 50u) << "the tree was not found";
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

TEST(Doors, LibrariesKeepToTheTable) {
    std::vector<std::string> wrong;
    for (const SourceText& file : sourceTree()) {
        if (roomOf(file.path).empty() || !file.path.ends_with("CMakeLists.txt"))
            continue;
        const std::vector<std::string> found = wrongLibraries(file);
        wrong.insert(wrong.end(), found.begin(), found.end());
    }
    EXPECT_TRUE(wrong.empty()) << joined(wrong);
}

// A row for a room that is never built would be a hole that nobody sees; a circle would make the order meaningless.
TEST(Doors, TheTableHasNoCircle) {
    for (const auto& [room, open] : doors())
        for (const std::string& target : open)
            if (const auto back = doors().find(target); back != doors().end()) {
                EXPECT_FALSE(back->second.contains(room)) << room << " and " << target;
            }
}

}  // namespace
}  // namespace unmask::architecture
