// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/marked_stream.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

const QByteArray kText = "Welcome! begin\nBEGIN7\nno newline: END EN\n\nENDxEND7 42\nlogout\n";
const QByteArray kInside = "no newline: END EN\n\nENDx";

TEST(MarkedStream, EveryCutOfTheStreamGivesTheSame) {
    for (qsizetype first = 0; first <= kText.size(); ++first)
        for (qsizetype second = first; second <= kText.size(); second += 3) {
            MarkedStream stream("BEGIN7\n", "END7 ");
            QByteArray got = stream.take(kText.left(first));
            got += stream.take(kText.mid(first, second - first));
            got += stream.take(kText.mid(second));
            ASSERT_EQ(got, kInside) << first << ' ' << second;
            ASSERT_EQ(stream.code(), 42);
            ASSERT_EQ(stream.noise(), "Welcome! begin\n");
        }
}

TEST(MarkedStream, OnlyAPossibleMarkIsHeldBack) {
    MarkedStream stream("BEGIN7\n", "END7 ");
    EXPECT_EQ(stream.take("BEGIN7\n{\"a\":1}\n"), "{\"a\":1}\n");
    EXPECT_EQ(stream.take("xEN"), "x");
    EXPECT_EQ(stream.take("E"), "EN");
    EXPECT_FALSE(stream.ended());
}

TEST(MarkedStream, NoiseWithoutEndIsNotKept) {
    MarkedStream stream("BEGIN7\n", "END7 ");
    for (int i = 0; i < 1000; ++i)
        EXPECT_TRUE(stream.take(QByteArray(1000, 'x')).isEmpty());
    EXPECT_LE(stream.noise().size(), 4096);
    EXPECT_FALSE(stream.begun());
}

TEST(MarkedStream, ACodeThatIsNoneIsSaidToBeNone) {
    MarkedStream stream("B\n", "END7 ");
    stream.take("B\nEND7 not a number\n");
    EXPECT_TRUE(stream.ended());
    EXPECT_EQ(stream.code(), -1);
}

}  // namespace
}  // namespace unmask::ui
