// SPDX-License-Identifier: Apache-2.0
// Texts as /bin/sh reads them without taking any part of them for more than text.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <optional>

namespace unmask::ui {

// One word in single quotes; nothing where the text holds a NUL, which no program can be given.
std::optional<QByteArray> shellWord(const QString& text);

// The same for a path; "~" and "~/…" are the home folder there.
std::optional<QByteArray> shellPath(const QString& path);

// `export NAME=…` of a line "NAME=value", in which $OTHER and ${OTHER} stand for what is set there, and nothing else is
// more than text. Nothing where the line is no such thing.
std::optional<QByteArray> shellExport(const QString& line);

}  // namespace unmask::ui
