// SPDX-License-Identifier: Apache-2.0
#include "engine/train/assemble_run.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/train/whole_state.h"
#include "tests/golden/training_harness.h"

namespace unmask {
namespace {

class AssembleRun : public testing::Test {
 protected:
    AssembleRun() : m_spec(test::tinySpec()) { m_spec.data.files = {test::writeTinyData(m_data.path()).string()}; }
    std::unique_ptr<AssembledRun> assemble() {
        return assembleRun(m_spec, importData(m_spec, {}, {.storesFolder = m_data.path() / "stores"}));
    }
    test::TempFolder m_data;
    RunSpec m_spec;
};

TEST_F(AssembleRun, StateHoldsEveryParameterAndItsMomentsOnce) {
    const auto run = assemble();
    const TrainingStateView state = stateOf(*run);
    std::set<std::string> names;
    for (const NamedTensor& each : state.weights)
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_EQ(names.size(), run->model->namedParameters().size());
    std::set<std::string> moments;
    for (const NamedTensor& each : state.optimizer) {
        EXPECT_TRUE(moments.insert(each.name).second) << each.name;
        const size_t dot = each.name.find('.');
        EXPECT_TRUE(names.count(each.name.substr(dot + 1))) << each.name;
    }
    EXPECT_EQ(moments.size(), 2 * names.size());
    // Views, not copies: a restored checkpoint lands in the slabs themselves.
    state.optimizer.front().tensor.fill_(3);
    EXPECT_EQ(stateOf(*run).optimizer.front().tensor.flatten()[0].item<double>(), 3);
}

TEST_F(AssembleRun, ValidationFilesTakeThePlaceOfASplit) {
    const auto split = assemble();
    EXPECT_EQ(split->data.validationStore, nullptr);
    test::writeBytes(m_data.path() / "held.txt", std::string(100, 'x'));
    m_spec.data.validationFiles = {(m_data.path() / "held.txt").string()};
    const auto own = assemble();
    EXPECT_EQ(own->data.validation->sampleCount(), 4);  // 101 tokens in pieces of 32
    EXPECT_GT(own->data.training->sampleCount(), split->data.training->sampleCount());
}

TEST_F(AssembleRun, NothingHeldBackMeansNoValidation) {
    m_spec.data.validationFraction = 0;
    EXPECT_EQ(assemble()->validationBound, nullptr);
}

TEST_F(AssembleRun, WhatThisBuildCannotDoIsRefusedInWords) {
    m_spec.training.precision = Precision::bf16;
    EXPECT_THROW(prepareDevice(m_spec), Error);
    m_spec = test::tinySpec();
    m_spec.training.device = DeviceChoice::cuda;
    EXPECT_THROW(prepareDevice(m_spec), Error);
    m_spec = test::tinySpec();
    m_spec.parallel.contextParallelSize = 2;
    EXPECT_THROW(refuseWhatCannotRun(m_spec), Error);
    EXPECT_NO_THROW(refuseWhatCannotRun(test::tinySpec()));
    EXPECT_EQ(describeDevice(test::tinySpec()), "CPU, 1 thread");
}

}  // namespace
}  // namespace unmask
