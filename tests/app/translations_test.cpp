// SPDX-License-Identifier: Apache-2.0
// Chinese and English at parity: nothing unfinished, obsolete or empty, the same placeholders, and every word of the
// sources is in the translation file (lupdate collects them anew and the sets are compared).
#include <gtest/gtest.h>

#include <QFile>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace {

struct Message {
    QString source;
    QStringList translations;
    QString type;
    bool numerus = false;
};
using Messages = QMap<QString, Message>;  // by context, source and comment

QString translationsFolder() {
    return QStringLiteral(UNMASK_SOURCE_DIR "/resources/translations/");
}

Message readMessage(QXmlStreamReader& xml, QString* comment) {
    Message message;
    message.numerus = xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes");
    while (xml.readNextStartElement()) {
        if (xml.name() == QLatin1String("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QLatin1String("comment")) {
            *comment = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            message.type = xml.attributes().value(QLatin1String("type")).toString();
            if (!message.numerus) {
                message.translations.append(xml.readElementText());
                continue;
            }
            while (xml.readNextStartElement())
                message.translations.append(xml.readElementText());
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

Messages readTs(const QString& path) {
    Messages messages;
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            QString comment;
            const Message message = readMessage(xml, &comment);
            messages.insert(context + QLatin1Char('|') + message.source + QLatin1Char('|') + comment, message);
        }
    }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    return messages;
}

QStringList placeholders(const QString& text) {
    static const QRegularExpression pattern(QStringLiteral("%(L?\\d|Ln|n)"));
    QStringList found;
    auto match = pattern.globalMatch(text);
    while (match.hasNext())
        found.append(match.next().captured());
    found.sort();
    return found;
}

void checkComplete(const QString& file, bool english) {
    const Messages messages = readTs(translationsFolder() + file);
    ASSERT_GT(messages.size(), 10);
    for (auto it = messages.begin(); it != messages.end(); ++it) {
        const std::string where = (file + QStringLiteral(": ") + it.key()).toStdString();
        EXPECT_TRUE(it->type.isEmpty()) << where << " is " << it->type.toStdString();
        EXPECT_FALSE(it->translations.isEmpty()) << where;
        EXPECT_EQ(it->translations.size(), it->numerus && english ? 2 : 1) << where;
        for (const QString& translation : it->translations) {
            EXPECT_FALSE(translation.trimmed().isEmpty()) << where << " has no words";
            EXPECT_EQ(placeholders(translation), placeholders(it->source)) << where << " has other placeholders";
        }
    }
}

TEST(Translations, ChineseIsComplete) {
    checkComplete(QStringLiteral("unmask_zh_CN.ts"), false);
}

TEST(Translations, EnglishPluralsAreComplete) {
    checkComplete(QStringLiteral("unmask_en.ts"), true);
}

TEST(Translations, EveryWordOfTheSourcesIsThere) {
    const QString lupdate = QStringLiteral(UNMASK_LUPDATE);
    if (!QFile::exists(lupdate))
        GTEST_SKIP() << "lupdate is not installed";
    QTemporaryDir folder;
    const QString fresh = folder.filePath(QStringLiteral("fresh.ts"));
    QProcess collect;
    collect.setWorkingDirectory(QStringLiteral(UNMASK_SOURCE_DIR));
    collect.start(lupdate,
                  {QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-silent"), QStringLiteral("-locations"),
                   QStringLiteral("none"), QStringLiteral("-extensions"), QStringLiteral("h,cpp"), QStringLiteral("ui"),
                   QStringLiteral("app"), QStringLiteral("-ts"), fresh});
    ASSERT_TRUE(collect.waitForFinished(120'000)) << "lupdate did not end";
    ASSERT_EQ(collect.exitCode(), 0) << collect.readAllStandardError().toStdString();

    const Messages inSources = readTs(fresh);
    const Messages translated = readTs(translationsFolder() + QStringLiteral("unmask_zh_CN.ts"));
    const Messages plurals = readTs(translationsFolder() + QStringLiteral("unmask_en.ts"));
    for (auto it = inSources.begin(); it != inSources.end(); ++it) {
        EXPECT_TRUE(translated.contains(it.key()))
            << it.key().toStdString() << " is not in unmask_zh_CN.ts; run resources/translations/update.sh";
        if (it->numerus) {
            EXPECT_TRUE(plurals.contains(it.key())) << it.key().toStdString() << " is not in unmask_en.ts";
        }
    }
    for (auto it = translated.begin(); it != translated.end(); ++it)
        EXPECT_TRUE(inSources.contains(it.key())) << it.key().toStdString() << " is no longer in the sources";
}

}  // namespace
