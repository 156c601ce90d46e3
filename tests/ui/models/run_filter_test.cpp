// SPDX-License-Identifier: Apache-2.0
#include "ui/models/run_filter.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

RunRow someRun() {
    RunRow row;
    row.id = QStringLiteral("base-20261201-100000-7f3a");
    row.name = QStringLiteral("Shakespeare 12L");
    row.host = QStringLiteral("lab1");
    row.dataName = QStringLiteral("poems.txt");
    row.tags = {QStringLiteral("zh"), QStringLiteral("two words")};
    row.status.word = RunWord::failed;
    row.last["train/loss"] = 3.1;
    row.tokens = 1'500'000;
    row.learningRate = 3e-4;
    return row;
}

TEST(RunFilter, ChipsWordsAndFigures) {
    const RunRow row = someRun();
    const std::vector<std::pair<const char*, bool>> cases{
        {"", true},
        {"state:failed tag:zh loss<3.2", true},
        {"state:failed tag:zh loss<3.0", false},
        {"state:finished", false},
        {"-state:finished", true},
        {"SHAKES", true},
        {"shakes lab1", true},
        {"shakes lab2", false},
        {"-lab2", true},
        {"-lab1", false},
        {"host:lab1", true},
        {"tag:\"two words\"", true},
        {"\"two words\"", true},
        {"\"two  words\"", false},
        {"tokens>1M", true},
        {"tokens>=1.5M", true},
        {"tokens>2M", false},
        {"lr=3e-4", true},
        {"lr=0.0003", true},
        {"lr=1e-4", false},
        {"val<99", false},  // never validated
        {"loss<", false},   // an unfinished word is looked for as text
        {"loss<abc", true},
        {"7f3a", true},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_EQ(RunFilter::parse(QString::fromUtf8(text)).accepts(row), expected) << text;
}

TEST(RunFilter, WhatWasNotUnderstoodIsSaid) {
    const RunFilter filter = RunFilter::parse(QStringLiteral("colour:red loss<x name:a"));
    EXPECT_EQ(filter.problems().size(), 2);
    EXPECT_EQ(filter.chips(),
              (QStringList{QStringLiteral("colour:red"), QStringLiteral("loss<x"), QStringLiteral("name:a")}));
    EXPECT_TRUE(RunFilter::parse(QStringLiteral("  ")).isEmpty());
    EXPECT_TRUE(RunFilter::fieldNames().contains(QStringLiteral("tag")));
}

}  // namespace
}  // namespace unmask::ui
