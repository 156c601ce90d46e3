// SPDX-License-Identifier: Apache-2.0
// Texts that would do harm where a shell, a configuration or a path took them for more than text. Each names the file
// `planted`, which must never come to exist.
#pragma once

#include <QStringList>

namespace unmask::test {

inline QStringList hostileStrings(const QString& planted) {
    const QStringList commands{QStringLiteral("touch %1").arg(planted), QStringLiteral(">%1").arg(planted)};
    const QStringList frames{
        QStringLiteral("$(%1)"),
        QStringLiteral("`%1`"),
        QStringLiteral(";%1"),
        QStringLiteral("; %1 ;"),
        QStringLiteral("|%1"),
        QStringLiteral("||%1"),
        QStringLiteral("&&%1"),
        QStringLiteral("&%1&"),
        QStringLiteral("\n%1\n"),
        QStringLiteral("\r\n%1"),
        QStringLiteral("'%1'"),
        QStringLiteral("';%1;'"),
        QStringLiteral("\";%1;\""),
        QStringLiteral("\\';%1"),
        QStringLiteral("\\\n%1"),
        QStringLiteral("${x:-$(%1)}"),
        QStringLiteral("(%1)"),
        QStringLiteral("{ %1; }"),
        QStringLiteral("<(%1)"),
        QStringLiteral("!%1"),
        QStringLiteral("!!;%1"),
        QStringLiteral("%0a%1"),
        QStringLiteral("-oProxyCommand=%1"),
        QStringLiteral("-o ProxyCommand=%1"),
        QStringLiteral("-oLocalCommand=%1"),
        QStringLiteral("-F%1"),
        QStringLiteral("--%1"),
        QStringLiteral("-E%1"),
        QStringLiteral("~;%1"),
        QStringLiteral("*;%1"),
        QStringLiteral("?;%1"),
        QStringLiteral("[;%1]"),
        QStringLiteral("a b;%1"),
        QStringLiteral("a\t%1"),
        QStringLiteral("\"$(%1)\""),
        QStringLiteral("'$(%1)'"),
        QStringLiteral("\\$(%1)"),
        QStringLiteral("\\\\$(%1)"),
        QStringLiteral("'\\''$(%1)"),
        QStringLiteral("#\n%1"),
        QStringLiteral("=%1"),
        QStringLiteral("%%1;"),
        QStringLiteral("and %1"),
        QStringLiteral("; or %1"),
        QStringLiteral("{a,$(%1)}"),
        QStringLiteral("host'$(%1)'"),
        QStringLiteral("user@host;%1"),
        QStringLiteral("host -p 22;%1"),
        QStringLiteral("ssh host %1"),
        QStringLiteral("ssh -J 'a;%1' host"),
        QStringLiteral("ssh host -o ProxyCommand='%1'"),
    };
    QStringList all;
    for (const QString& command : commands)
        for (const QString& frame : frames) {
            all += frame.arg(command);
            all += QStringLiteral("lab1") + frame.arg(command);
        }
    all += {QStringLiteral("../../etc/passwd"),
            QStringLiteral(".."),
            QStringLiteral("/"),
            QStringLiteral("a/../../b"),
            QStringLiteral("..\\..\\b"),
            QStringLiteral("\u202Egnp.sh"),
            QStringLiteral("a\u200Fb"),
            QStringLiteral("\u2066lab\u2069"),
            QStringLiteral("a\u0000b"),
            QStringLiteral("\u001b[2Jlab"),
            QStringLiteral("a\u0007"),
            QString(4096, u'x'),
            QStringLiteral("ssh://"),
            QStringLiteral("[::1"),
            QStringLiteral("host:99999"),
            QStringLiteral("host:0"),
            QStringLiteral("host:-1"),
            QStringLiteral("@host"),
            QStringLiteral("-host"),
            QStringLiteral("user@-host"),
            QStringLiteral("a\vb"),
            QStringLiteral("host:22x")};
    return all;
}

}  // namespace unmask::test
