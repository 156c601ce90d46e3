// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/shell_text.h"

namespace unmask::ui {
namespace {

bool startsName(QChar c) {
    return c == u'_' || (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z');
}

qsizetype nameLength(QStringView text) {
    qsizetype length = 0;
    while (length < text.size() &&
           (startsName(text[length]) || (length > 0 && text[length] >= u'0' && text[length] <= u'9')))
        ++length;
    return length;
}

struct Reference {
    qsizetype length = 0;  // 0: none begins here
    QStringView name;
};

Reference referenceAt(QStringView text) {
    if (!text.startsWith(u'$'))
        return {};
    const bool braced = text.size() > 1 && text[1] == u'{';
    const QStringView rest = text.mid(braced ? 2 : 1);
    const qsizetype length = nameLength(rest);
    if (length == 0 || (braced && (rest.size() == length || rest[length] != u'}')))
        return {};
    return {length + (braced ? 3 : 1), rest.left(length)};
}

}  // namespace

std::optional<QByteArray> shellWord(const QString& text) {
    if (text.contains(QChar(0)))
        return std::nullopt;
    QByteArray word = text.toUtf8();
    word.replace('\'', "'\\''");
    return '\'' + word + '\'';
}

std::optional<QByteArray> shellPath(const QString& path) {
    if (path == QLatin1String("~"))
        return QByteArray("\"$HOME\"");
    if (!path.startsWith(QLatin1String("~/")))
        return shellWord(path);
    const auto rest = shellWord(path.mid(1));
    return rest ? std::optional("\"$HOME\"" + *rest) : std::nullopt;
}

std::optional<QByteArray> shellExport(const QString& line) {
    const qsizetype equals = line.indexOf(u'=');
    if (equals <= 0 || nameLength(line) != equals)
        return std::nullopt;
    QByteArray text = "export " + line.left(equals).toUtf8() + '=';
    const QStringView value = QStringView(line).mid(equals + 1);
    QString plain;
    const auto takePlain = [&] {
        const auto word = shellWord(plain);
        text += word.value_or(QByteArray());
        plain.clear();
        return word.has_value();
    };
    for (qsizetype at = 0; at < value.size();) {
        const Reference reference = referenceAt(value.mid(at));
        if (reference.length == 0) {
            plain += value[at++];
            continue;
        }
        if (!takePlain())
            return std::nullopt;
        text += "\"$" + reference.name.toUtf8() + '"';
        at += reference.length;
    }
    return takePlain() ? std::optional(text) : std::nullopt;
}

}  // namespace unmask::ui
