// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_probe.h"

#include "tests/ui/remote/remote_fixture.h"

namespace unmask::ui {
namespace {

using test::waitFor;
using test::writeBytes;

class ServerProbeTest : public test::RemoteTest {
 protected:
    ProbeReport probe(const QStringList& environment = {}) {
        ServerProbe probe(link(), environment);
        ProbeReport report;
        bool done = false;
        QObject::connect(&probe, &ServerProbe::finished, &probe, [&](const ProbeReport& got) {
            report = got;
            done = true;
        });
        EXPECT_TRUE(waitFor([&] { return done; }, 60000));
        return report;
    }
    // A program of the server that says what it is told to.
    void plant(const char* name, const std::string& body) {
        const auto file = m_sshd.path("tools") / name;
        std::filesystem::create_directories(file.parent_path());
        writeBytes(file, "#!/bin/sh\n" + body + "\n");
        std::filesystem::permissions(file, std::filesystem::perms{0755});
    }
    QStringList withTools() const {
        return {QStringLiteral("PATH=%1:$PATH").arg(QString::fromStdString(m_sshd.path("tools").string()))};
    }
};

TEST_F(ServerProbeTest, ThisMachineAnswers) {
    const ProbeReport report = probe();
    EXPECT_EQ(report.problem, QString());
    const ServerFacts& facts = report.facts;
    EXPECT_TRUE(facts.whole);
    EXPECT_EQ(facts.system, QStringLiteral("Linux"));
    EXPECT_EQ(facts.cores, QThread::idealThreadCount());
    EXPECT_GT(facts.memoryBytes.value_or(0), qint64{100} << 20);
    EXPECT_GT(facts.availableBytes.value_or(0), 0);
    EXPECT_LT(facts.availableBytes.value_or(0), facts.memoryBytes.value_or(0));
    EXPECT_GT(facts.diskFreeBytes.value_or(0), 0);
    EXPECT_GT(facts.diskBytes.value_or(0), facts.diskFreeBytes.value_or(0));
    EXPECT_TRUE(facts.glibc.has_value());
    EXPECT_LT(std::abs(facts.clockAheadSeconds.value_or(1e9)), 10);
    EXPECT_EQ(facts.home, QString::fromStdString(m_sshd.path("home").string()));
    EXPECT_EQ(facts.homeOnNetwork(), false);
    EXPECT_EQ(facts.hasSetsid, true);
}

TEST_F(ServerProbeTest, ToolsOfABigServerAreUnderstood) {
    plant("nvidia-smi",
          "case \"$*\" in\n"
          "*compute_cap*) echo 'Field \"compute_cap\" is not a valid field to query.'; exit 2;;\n"
          "*query-gpu*) echo '0, Tesla V100, GPU-1, 32768, 5, 0, 30, 470.57.02';;\n"
          "*) echo '| NVIDIA-SMI 470.57.02   Driver Version: 470.57.02   CUDA Version: 11.4     |';;\nesac");
    plant("sbatch", "echo slurm 22.05.8");
    plant("sinfo", "echo 'batch*|up|1-00:00:00|gpu:v100:4'");
    plant("loginctl", "echo yes");
    plant("systemctl", "exit 0");
    plant("systemd-run", "exit 0");
    const auto torch = m_sshd.path("home") / "miniconda3/envs/x y/lib/python3.11/site-packages/torch";
    std::filesystem::create_directories(torch / "lib");
    writeBytes(torch / "lib/libtorch_cpu.so", "");
    writeBytes(torch / "lib/libtorch_cuda.so", "");
    writeBytes(torch / "version.py", "from typing import Optional\n__version__ = '2.11.0+cu126'\ndebug = False\n");
    const ServerFacts facts = probe(withTools()).facts;
    ASSERT_EQ(facts.gpus.size(), 1u) << "the older tool was asked again for less";
    EXPECT_EQ(facts.gpus[0].name, QStringLiteral("Tesla V100"));
    EXPECT_EQ(facts.cudaOfDriver, QStringLiteral("11.4"));
    EXPECT_EQ(facts.slurm, QStringLiteral("slurm 22.05.8"));
    ASSERT_EQ(facts.partitions.size(), 1u);
    EXPECT_EQ(facts.partitions[0].gpus, QStringLiteral("gpu:v100:4"));
    EXPECT_EQ(facts.lingers, true);
    const auto found = std::find_if(facts.torches.begin(), facts.torches.end(), [&](const TorchFacts& one) {
        return one.folder == QString::fromStdString(torch.string());
    });
    ASSERT_NE(found, facts.torches.end());
    EXPECT_EQ(found->version, QStringLiteral("2.11.0+cu126"));
    EXPECT_TRUE(found->cuda);
}

TEST_F(ServerProbeTest, ToolsThatFailOrLieSpoilNothingElse) {
    plant("nvidia-smi", "echo 'end=yes'; echo 'home=/evil'; printf 'NVIDIA-SMI has failed\\n'; exit 9");
    plant("python3", "echo 'not a path'; exit 3");
    plant("getconf", "exit 1");
    plant("df", "echo nonsense");
    plant("hostname", "printf 'a\\nhome=/evil\\n'");
    const ProbeReport report = probe(withTools());
    EXPECT_EQ(report.facts.gpuAnswer, GpuAnswer::failed);
    EXPECT_EQ(report.facts.home, QString::fromStdString(m_sshd.path("home").string()));
    EXPECT_FALSE(report.facts.diskFreeBytes);
    EXPECT_TRUE(report.facts.glibc.has_value()) << "ldd says it too";
    EXPECT_TRUE(report.facts.whole);
}

}  // namespace
}  // namespace unmask::ui
