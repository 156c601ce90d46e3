// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/path_text.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

TEST(PathText, NothingIsTrimmedOrAltered) {
    for (const char* name :
         {"/a/训练 数据", "/Überprüfung/x", "/a b'c/\"q\"", " leading", "trailing ", "/a/./b//c", "\n"}) {
        const QString text = QString::fromUtf8(name);
        EXPECT_EQ(toPath(text).native(), name);
        EXPECT_EQ(fromPath(toPath(text)), text);
    }
}

TEST(PathText, Utf8BothWays) {
    EXPECT_EQ(fromUtf8("\xe5\xa5\xbd"), QStringLiteral("好"));
    EXPECT_EQ(toUtf8(QStringLiteral("好")), "\xe5\xa5\xbd");
}

}  // namespace
}  // namespace unmask::ui
