// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/server_facts.h"

#include <gtest/gtest.h>

#include <random>

namespace unmask::ui {
namespace {

QString u(const char* text) {
    return QString::fromUtf8(text);
}

constexpr const char* kBigServer = R"(time=1000000012.5
system=Linux
machine=x86_64
host=lab1
user=ann
home=/home/ann
boot=0f2b
cores=128
memory=2113462272
available=1913462272
disk=7501476528
diskfree=1501476528
filesystem=nfs
libc=glibc 2.31
gputool=0
gpu=0, NVIDIA H200, GPU-1111, 143771, 12, 0, 31, 580.65.06, 9.0
gpu=1, NVIDIA H200, GPU-2222, 143771, 140000, 99, 71, 580.65.06, 9.0
gpu=2, NVIDIA A100, GPU-3333, [N/A], [Not Supported], [N/A], [GPU requires reset], 580.65.06, [N/A]
cuda=13.0
torch=2.10.0|yes|/opt/a/torch
torch=2.11.0+cpu|no|/opt/b/torch
torch=2.11.0+cu130|yes|/opt/c d/torch
python=yes
slurm=slurm 23.02.6
partition=gpu*|up|2-00:00:00|gpu:h200:8
partition=old|down|infinite|(null)
setsid=yes
usermanager=yes
linger=no
end=yes
)";

TEST(ServerFacts, ABigServerIsRead) {
    const ServerFacts facts = readServerFacts(kBigServer, 1000000000.0);
    EXPECT_TRUE(facts.whole);
    EXPECT_DOUBLE_EQ(facts.clockAheadSeconds.value_or(0), 12.5);
    EXPECT_EQ(facts.cores, 128);
    EXPECT_EQ(facts.memoryBytes, qint64{2113462272} * 1024);
    EXPECT_EQ(facts.glibc, (LibraryVersion{2, 31}));
    EXPECT_EQ(facts.homeOnNetwork(), true);
    EXPECT_EQ(facts.gpuAnswer, GpuAnswer::listed);
    ASSERT_EQ(facts.gpus.size(), 3u);
    EXPECT_EQ(facts.gpus[1].memoryBytes, qint64{143771} << 20);
    EXPECT_EQ(facts.gpus[1].busyPercent, 99);
    EXPECT_EQ(facts.gpus[1].celsius, 71);
    EXPECT_EQ(facts.gpus[0].computeCapability, u("9.0"));
    EXPECT_EQ(facts.cudaOfDriver, u("13.0"));
    EXPECT_EQ(facts.partitions.size(), 2u);
    EXPECT_TRUE(facts.partitions[0].up);
    EXPECT_FALSE(facts.partitions[1].up);
    EXPECT_EQ(facts.detachWay(), DetachWay::slurm);
    ASSERT_TRUE(facts.torchOf({2, 11}));
    EXPECT_EQ(facts.torchOf({2, 11})->folder, u("/opt/c d/torch")) << "with CUDA, as there are GPUs";
    EXPECT_FALSE(facts.torchOf({2, 9}));
}

TEST(ServerFacts, WhatACardDoesNotSayIsUnknownAndNotZero) {
    const ServerFacts facts = readServerFacts(kBigServer, 0);
    const GpuFacts& gpu = facts.gpus[2];
    EXPECT_FALSE(gpu.memoryBytes);
    EXPECT_FALSE(gpu.usedBytes);
    EXPECT_FALSE(gpu.busyPercent);
    EXPECT_FALSE(gpu.celsius);
    EXPECT_TRUE(gpu.computeCapability.isEmpty());
}

TEST(ServerFacts, NothingSaidIsNothingKnown) {
    const ServerFacts facts = readServerFacts({}, 0);
    EXPECT_FALSE(facts.whole);
    EXPECT_EQ(facts.gpuAnswer, GpuAnswer::unknown);
    EXPECT_FALSE(facts.cores || facts.memoryBytes || facts.diskFreeBytes || facts.glibc || facts.clockAheadSeconds);
    EXPECT_FALSE(facts.homeOnNetwork().has_value());
    EXPECT_EQ(facts.detachWay(), DetachWay::unknown);
}

TEST(ServerFacts, AFailingToolGivesItsReason) {
    const ServerFacts facts = readServerFacts(
        "gputool=9\ngpu=NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\nend=yes\n", 0);
    EXPECT_EQ(facts.gpuAnswer, GpuAnswer::failed);
    EXPECT_TRUE(facts.gpuProblem.contains(u("couldn't communicate")));
    EXPECT_EQ(readServerFacts("gputool=no\n", 0).gpuAnswer, GpuAnswer::noTool);
}

TEST(ServerFacts, HowToDetachGoesByWhatIsThere) {
    EXPECT_EQ(readServerFacts("setsid=yes\nusermanager=yes\nlinger=yes\n", 0).detachWay(), DetachWay::systemd);
    EXPECT_EQ(readServerFacts("setsid=yes\nusermanager=yes\nlinger=no\n", 0).detachWay(), DetachWay::setsid);
    EXPECT_EQ(readServerFacts("setsid=yes\nusermanager=yes\nlinger=\n", 0).detachWay(), DetachWay::setsid);
    EXPECT_EQ(readServerFacts("setsid=no\nusermanager=no\n", 0).detachWay(), DetachWay::none);
}

TEST(ServerFacts, NonsenseIsPassedOver) {
    const ServerFacts facts = readServerFacts(
        "cores=-4\nmemory=99999999999999999999\navailable=12 kB\ndisk=1e9\ndiskfree=\ntime=nan\nlibc=musl 1.2\n"
        "home=../../etc\ntorch=2.11.0|yes|relative/torch\ntorch=a|b|c|d\ngpu=x, y, z, 1, 1, 1, 1, 1, 1\n"
        "gpu=99999, A, B, 1, 1, 1, 1, d, 9.0\nhost=\x1b[2J\x1b]0;evil\x07lab\n=x\nno equals\nlinger=maybe\n",
        0);
    EXPECT_FALSE(facts.cores || facts.memoryBytes || facts.availableBytes || facts.diskBytes || facts.diskFreeBytes);
    EXPECT_FALSE(facts.clockAheadSeconds);
    EXPECT_FALSE(facts.glibc);
    EXPECT_TRUE(facts.home.isEmpty());
    EXPECT_TRUE(facts.torches.empty());
    EXPECT_TRUE(facts.gpus.empty());
    EXPECT_FALSE(facts.host.contains(QChar(27)));
    EXPECT_FALSE(facts.lingers.has_value());
}

TEST(ServerFacts, WhateverComesEnds) {
    QByteArray flood;
    for (int i = 0; i < 100000; ++i)
        flood += "gpu=0, A, B, 1, 1, 1, 1, d, 9.0\n";
    EXPECT_LE(readServerFacts(flood, 0).gpus.size(), 256u);
    std::mt19937 random(5);
    for (int round = 0; round < 2000; ++round) {
        QByteArray text = kBigServer;
        for (int i = 0; i < 30; ++i)
            text[static_cast<qsizetype>(random() % static_cast<unsigned>(text.size()))] = static_cast<char>(random());
        const ServerFacts facts = readServerFacts(text, 0);
        EXPECT_LE(facts.gpus.size(), 3u);
    }
}

TEST(ServerFacts, VersionsAreNumbersNotTexts) {
    EXPECT_LT(*readLibraryVersion(u("glibc 2.9")), *readLibraryVersion(u("2.28")));
    EXPECT_FALSE(readLibraryVersion(u("two")));
}

}  // namespace
}  // namespace unmask::ui
