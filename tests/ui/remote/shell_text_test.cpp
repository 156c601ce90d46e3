// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/shell_text.h"

#include <gtest/gtest.h>

namespace unmask::ui {
namespace {

QString u(const char* text) {
    return QString::fromUtf8(text);
}

TEST(ShellText, WordsAreQuoted) {
    EXPECT_EQ(shellWord({}), "''");
    EXPECT_EQ(shellWord(u("a b$(c)")), "'a b$(c)'");
    EXPECT_EQ(shellWord(u("it's")), "'it'\\''s'");
    EXPECT_FALSE(shellWord(QStringLiteral("a\u0000b")));
}

TEST(ShellText, OnlyALeadingTildeIsTheHomeFolder) {
    EXPECT_EQ(shellPath(u("~")), "\"$HOME\"");
    EXPECT_EQ(shellPath(u("~/a b")), "\"$HOME\"'/a b'");
    EXPECT_EQ(shellPath(u("~ann/x")), "'~ann/x'");
    EXPECT_EQ(shellPath(u("/x/~/y")), "'/x/~/y'");
}

TEST(ShellText, EnvironmentLinesMayNameOthersAndNothingElse) {
    EXPECT_EQ(shellExport(u("PATH=/opt/bin:$PATH")), "export PATH='/opt/bin:'\"$PATH\"''");
    EXPECT_EQ(shellExport(u("A=${B}c$(d)`e`$")), "export A=''\"$B\"'c$(d)`e`$'");
    EXPECT_EQ(shellExport(u("A=${B:-$(x)}")), "export A='${B:-$(x)}'");
    EXPECT_FALSE(shellExport(u("A")));
    EXPECT_FALSE(shellExport(u("=b")));
    EXPECT_FALSE(shellExport(u("A B=c")));
    EXPECT_FALSE(shellExport(u("1A=c")));
    EXPECT_FALSE(shellExport(u("A;x=c")));
}

}  // namespace
}  // namespace unmask::ui
