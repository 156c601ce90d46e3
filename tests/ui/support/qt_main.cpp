// SPDX-License-Identifier: Apache-2.0
// main() of the Qt tests without a window: GoogleTest inside a QCoreApplication, with homes of its own, so that no test
// reads or writes what the user has.
#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QTemporaryDir>

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    QTemporaryDir home;
    for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "UNMASK_RUNS", "UNMASK_CACHE"})
        qputenv(name, (home.path() + QLatin1Char('/') + QLatin1String(name)).toUtf8());
    const QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
