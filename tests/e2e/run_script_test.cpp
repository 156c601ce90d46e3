// SPDX-License-Identifier: Apache-2.0
// The script ./run in a small clone whose compiler, packages and programs are stand-ins: what it asks for, what it
// starts, and when it builds.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdlib>

#include "tests/support/temp_run.h"

namespace unmask::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Notes its calls; a build makes the three programs, which say who they are and what they were asked for.
constexpr const char* kCmake = R"(#!/bin/sh
printf '%s\n' "$*" >>"$CALLS"
case $1 in
--preset)
    mkdir -p build/$2 && : >build/$2/build.ninja
    for word; do case $word in -DUNMASK_TORCH_DIR=*) printf 'UNMASK_TORCH_DIR:PATH=%s\n' "${word#*=}" >build/$2/CMakeCache.txt ;; esac; done ;;
--build)
    [ -z "$BROKEN" ] || { echo "foo.cpp:1: error: $BROKEN"; exit 1; }
    [ -z "$WHILE_BUILDING" ] || : >"$WHILE_BUILDING"
    mkdir -p "$2/bin"
    for name in unmask-studio unmask-engine unmask-worker; do
        printf '#!/bin/sh\necho %s "$@"\n' "$name" >"$2/bin/$name" && chmod +x "$2/bin/$name"
    done ;;
esac
)";

// Gives wheels that hold as much of LibTorch as the script looks for.
constexpr const char* kPython = R"(#!/bin/sh
printf 'python %s\n' "$*" >>"$CALLS"
case $2 in
pip)
    [ -z "$OFFLINE" ] || exit 1
    while [ "$1" != --dest ]; do shift; done
    : >"$2/torch-2.whl"; : >"$2/nvidia_cuda_runtime-13.whl" ;;
zipfile)
    mkdir -p "$5/torch/lib" "$5/torch/include" "$5/nvidia"
    : >"$5/torch/lib/libtorch_cpu.so"; : >"$5/torch/lib/libtorch_cuda.so" ;;
esac
)";

class RunScriptTest : public testing::Test {
 protected:
    RunScriptTest() : m_clone(m_root.path() / "Ein Klon ä 克隆") {
        makeClone(m_clone);
        for (const char* torch : {"torch", "other torch"}) {
            fs::create_directories(m_root.path() / torch / "lib");
            writeBytes(m_root.path() / torch / "lib/libtorch_cpu.so", "");
        }
        standIn("cmake", kCmake);
        standIn("dpkg-query", "#!/bin/sh\necho \"ii \"\n");
        standIn("apt-get", "#!/bin/sh\necho apt-get \"$@\" >>\"$CALLS\"\n");
        standIn("sudo", "#!/bin/sh\nexit 1\n");  // asks for a password that nobody can type
    }

    static void makeClone(const fs::path& clone) {
        for (const char* folder : {"engine", "kernels", "ui", "app", "cmake", "resources", "packaging"})
            fs::create_directories(clone / folder);
        for (const char* file : {"run", "packaging/setup.sh", "packaging/packages.txt", "packaging/fetch_libtorch.sh",
                                 "CMakeLists.txt", "CMakePresets.json"})
            fs::copy_file(fs::path(UNMASK_SOURCE_DIR) / file, clone / file);
    }

    void standIn(const std::string& name, std::string_view script) const {
        const fs::path file = m_root.path() / "bin" / name;
        fs::create_directories(file.parent_path());
        writeBytes(file, script);
        fs::permissions(file, fs::perms::owner_all);
    }
    static std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

    // The exit code of ./run with these words; output and errors are kept.
    int run(const std::string& words, const std::string& variables = "") {
        const fs::path out = m_root.path() / "out", err = m_root.path() / "err";
        const std::string command = "cd " + quoted(m_clone) + " && env -i PATH=" + quoted(m_root.path() / "bin") +
                                    ":/usr/bin:/bin HOME=" + quoted(m_root.path()) +
                                    " UNMASK_GPU=off UNMASK_TORCH_DIR=" + quoted(m_root.path() / "torch") +
                                    " CALLS=" + quoted(m_root.path() / "calls") + " " + variables + " ./run " + words +
                                    " </dev/null >" + quoted(out) + " 2>" + quoted(err);
        const int status = std::system(command.c_str());
        m_output = readBytes(out);
        m_errors = readBytes(err);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    int calls(const std::string& word) const {
        const std::string all = readBytes(m_root.path() / "calls");
        int count = 0;
        for (size_t at = all.find(word); at != std::string::npos; at = all.find(word, at + 1))
            ++count;
        return count;
    }
    int builds() const { return calls("--build"); }
    // As if somebody had saved the file after the last build, however coarse the clock of the disk is.
    void edit(const std::string& file) const {
        writeBytes(m_clone / file, "changed");
        fs::last_write_time(m_clone / file, fs::file_time_type::clock::now() + std::chrono::seconds(5));
    }

    TempFolder m_root;
    fs::path m_clone;
    std::string m_output;
    std::string m_errors;
};

TEST_F(RunScriptTest, HelpAndUnknownWordsBuildNothing) {
    for (const char* help : {"--help", "-h", "help"}) {
        EXPECT_EQ(run(help), 0);
        EXPECT_THAT(m_output, HasSubstr("./run studio"));
    }
    EXPECT_EQ(run("studoi"), 2);
    EXPECT_THAT(m_errors, HasSubstr("studoi"));
    EXPECT_FALSE(fs::exists(m_root.path() / "calls"));
}

TEST_F(RunScriptTest, TheStudioNeedsADisplayButItsHelpDoesNot) {
    for (const char* question : {"--help", "-h", "--version", "run.json -v"}) {
        EXPECT_EQ(run(std::string("studio ") + question), 0) << m_errors;
        EXPECT_EQ(m_output, "unmask-studio " + std::string(question) + "\n");
    }
    EXPECT_EQ(run("studio"), 1);
    EXPECT_THAT(m_errors, HasSubstr("no display"));
    EXPECT_EQ(run("studio -- --help"), 1) << "a file of that name";
    EXPECT_EQ(run("studio 'a b'", "DISPLAY=:9"), 0);
    EXPECT_EQ(m_output, "unmask-studio a b\n");
}

TEST_F(RunScriptTest, WithoutADisplayTheFirstStepsAreTrainedInTheTerminal) {
    EXPECT_EQ(run(""), 0) << m_errors;
    EXPECT_EQ(m_output, "unmask-engine train --preset first-steps\n");
    EXPECT_EQ(run("", "DISPLAY=:9"), 0);
    EXPECT_EQ(m_output, "unmask-studio\n");
    EXPECT_EQ(run("engine plan --json 'a b'"), 0);
    EXPECT_EQ(m_output, "unmask-engine plan --json a b\n");
}

TEST_F(RunScriptTest, BuildsAgainOnlyWhenSomethingItIsMadeOfChanged) {
    EXPECT_EQ(run("build"), 0) << m_errors;
    EXPECT_THAT(m_errors, HasSubstr("Building preset release"));
    EXPECT_THAT(m_errors, HasSubstr("done in"));
    EXPECT_EQ(run("build"), 0);
    EXPECT_EQ(builds(), 1);
    int expected = 1;
    for (const char* file : {"engine/a.cpp", "kernels/a.cu", "ui/a.cpp", "app/a.cpp", "cmake/A.cmake",
                             "resources/a.json", "CMakeLists.txt", "CMakePresets.json"}) {
        edit(file);
        EXPECT_EQ(run("build"), 0);
        EXPECT_EQ(builds(), ++expected) << file;
        fs::last_write_time(m_clone / file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    edit("packaging/notes.txt");
    EXPECT_EQ(run("build"), 0);
    EXPECT_EQ(builds(), expected);
    const std::string other = "UNMASK_TORCH_DIR=" + quoted(m_root.path() / "other torch");
    EXPECT_EQ(run("build", other), 0);
    EXPECT_EQ(builds(), ++expected) << "another LibTorch";
    EXPECT_THAT(m_errors, HasSubstr("Configuring"));
}

TEST_F(RunScriptTest, WhatChangesDuringABuildIsBuiltTheNextTime) {
    EXPECT_EQ(run("build", "WHILE_BUILDING=" + quoted(m_clone / "ui/late.cpp")), 0) << m_errors;
    EXPECT_EQ(run("build"), 0);
    EXPECT_EQ(builds(), 2);
}

TEST_F(RunScriptTest, AFailedBuildShowsItsErrorAndIsTriedAgain) {
    EXPECT_EQ(run("build", "BROKEN='expected a semicolon'"), 1);
    EXPECT_THAT(m_errors, HasSubstr("expected a semicolon"));
    EXPECT_EQ(run("build"), 0) << m_errors;
    EXPECT_EQ(builds(), 2);
}

TEST_F(RunScriptTest, ASecondCloneDownloadsNothing) {
    standIn("python3", kPython);
    const std::string fresh = "UNMASK_TORCH_DIR= UNMASK_CACHE=" + quoted(m_root.path() / "der cache");
    EXPECT_EQ(run("build", fresh + " OFFLINE=1"), 1);
    EXPECT_THAT(m_errors, HasSubstr("is this computer online"));
    EXPECT_EQ(calls("pip download"), 1);
    EXPECT_EQ(run("build", fresh), 0) << m_errors;
    EXPECT_THAT(m_errors, HasSubstr("Fetching LibTorch"));
    EXPECT_EQ(calls("pip download"), 2);
    EXPECT_EQ(run("build", fresh), 0) << m_errors;
    m_clone = m_root.path() / "another clone";
    makeClone(m_clone);
    EXPECT_EQ(run("build", fresh), 0) << m_errors;
    EXPECT_EQ(calls("pip download"), 2);
    for (const auto& entry : fs::directory_iterator(m_root.path() / "der cache"))
        EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr(".part"))) << "what was half done is gone";
}

TEST_F(RunScriptTest, MissingPackagesAreAskedForInOneCommand) {
    standIn("dpkg-query", "#!/bin/sh\nfor name; do :; done\n[ \"$name\" = ninja-build ] || echo \"ii \"\n");
    standIn("id", "#!/bin/sh\necho 1000\n");
    EXPECT_EQ(run("build"), 1);
    EXPECT_THAT(m_errors, HasSubstr("    sudo apt-get install -y --no-install-recommends ninja-build"));
    EXPECT_FALSE(fs::exists(m_root.path() / "calls")) << "it stops there";
    standIn("id", "#!/bin/sh\necho 0\n");
    EXPECT_EQ(run("build"), 0) << m_errors;
    EXPECT_THAT(readBytes(m_root.path() / "calls"),
                HasSubstr("apt-get install -y --no-install-recommends ninja-build"));
}

}  // namespace
}  // namespace unmask::test
