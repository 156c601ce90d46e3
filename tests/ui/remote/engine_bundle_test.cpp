// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/engine_bundle.h"

#include <gtest/gtest.h>

#include "tests/support/temp_run.h"

namespace unmask::ui {
namespace {

using test::writeBytes;

QString u(const char* text) {
    return QString::fromUtf8(text);
}

class EngineBundleTest : public testing::Test {
 protected:
    EngineBundleTest() {
        writeBytes(m_folder.path() / "e.tar.gz", std::string(1000, 'x'));
        m_bundle.archive = m_folder.path() / "e.tar.gz";
        m_bundle.machine = u("x86_64");
        m_bundle.glibc = {2, 31};
        m_bundle.torch = {2, 11};
        m_bundle.bytes = 1000;
        m_facts.whole = true;
        m_facts.system = u("Linux");
        m_facts.machine = u("x86_64");
        m_facts.glibc = {2, 35};
        m_facts.diskFreeBytes = qint64{10} << 30;
        m_facts.torches = {{u("/srv/pytorch"), u("2.11.0+cu130"), true}};
    }
    std::filesystem::path manifest(const std::string& text) {
        writeBytes(m_folder.path() / "e.json", text);
        return m_folder.path() / "e.json";
    }
    DeployFault fault() {
        const auto problem = whyNotThere(m_bundle, m_facts);
        EXPECT_TRUE(!problem || !problem->sentence.isEmpty());
        return problem ? problem->fault : DeployFault::none;
    }
    test::TempFolder m_folder;
    EngineBundle m_bundle;
    ServerFacts m_facts;
};

TEST_F(EngineBundleTest, AManifestIsRead) {
    const auto bundle = readEngineBundle(manifest(
        R"({"format":1,"version":"0.1","machine":"x86_64","glibc":"2.36","torch":"2.11","gpu":true,"architectures":[80,90],"bytes":7})"));
    ASSERT_TRUE(bundle.ok()) << bundle.error().what();
    EXPECT_EQ(bundle.value().archive, m_folder.path() / "e.tar.gz");
    EXPECT_EQ(bundle.value().glibc, (LibraryVersion{2, 36}));
    EXPECT_TRUE(bundle.value().gpu);
    EXPECT_EQ(bundle.value().architectures, (std::vector<int>{80, 90}));
}

TEST_F(EngineBundleTest, BadManifestsAreRefused) {
    for (const char* text : {"", "[]", "{}", R"({"format":2})", R"({"format":1,"machine":"x86_64","bytes":1})",
                             R"({"format":1,"machine":"x86_64","glibc":"old","torch":"2.11","bytes":1})",
                             R"({"format":1,"machine":"x86_64","glibc":"2.3","torch":"2.11","bytes":-1})",
                             R"({"format":1,"machine":"x86_64","glibc":"2.3","torch":"2.11","bytes":1,"gpu":"yes"})"})
        EXPECT_FALSE(readEngineBundle(manifest(text)).ok()) << text;
    const auto good = manifest(R"({"format":1,"machine":"x86_64","glibc":"2.3","torch":"2.11","bytes":1})");
    std::filesystem::remove(m_folder.path() / "e.tar.gz");
    EXPECT_FALSE(readEngineBundle(good).ok()) << "without its archive";
    EXPECT_FALSE(readEngineBundle(m_folder.path() / "none.json").ok());
}

TEST_F(EngineBundleTest, EachReasonIsSaidBeforeAnythingIsMoved) {
    EXPECT_EQ(fault(), DeployFault::none);
    m_facts.machine = u("aarch64");
    EXPECT_EQ(fault(), DeployFault::wrongMachine);
    m_facts.machine = u("x86_64");
    m_facts.glibc = {2, 9};
    EXPECT_EQ(fault(), DeployFault::oldGlibc);
    m_facts.glibc = {2, 31};
    m_facts.diskFreeBytes = qint64{200} << 20;
    EXPECT_EQ(fault(), DeployFault::diskFull);
    m_facts.diskFreeBytes = qint64{10} << 30;
    m_facts.torches[0].version = u("2.1.1");
    EXPECT_EQ(fault(), DeployFault::noTorch);
}

TEST_F(EngineBundleTest, GpusMustBeAmongThoseBuiltFor) {
    m_bundle.gpu = true;
    m_bundle.architectures = {80, 90};
    const auto gpu = [](const char* capability) {
        GpuFacts facts;
        facts.name = u("card");
        facts.computeCapability = u(capability);
        return facts;
    };
    m_facts.gpus = {gpu("7.0")};
    EXPECT_EQ(fault(), DeployFault::unbuiltGpu);
    m_facts.gpus = {gpu("10.0")};
    EXPECT_EQ(fault(), DeployFault::unbuiltGpu);
    m_facts.gpus = {gpu("7.0"), gpu("8.6")};
    EXPECT_EQ(fault(), DeployFault::none);
    m_facts.gpus = {gpu("")};
    EXPECT_EQ(fault(), DeployFault::none) << "what is unknown is no reason";
}

TEST_F(EngineBundleTest, NothingKnownIsNoReason) {
    m_facts = {};
    EXPECT_EQ(fault(), DeployFault::none);
}

}  // namespace
}  // namespace unmask::ui
