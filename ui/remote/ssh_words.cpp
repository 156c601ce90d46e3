// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/ssh_words.h"

#include <QCoreApplication>

namespace unmask::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(unmask::ui::SshStep)
};

}  // namespace

QString sshStepName(SshStep step) {
    switch (step) {
        case SshStep::route:
            return Words::tr("Read the configuration");
        case SshStep::resolve:
            return Words::tr("Find the host");
        case SshStep::connect:
            return Words::tr("Connect");
        case SshStep::greet:
            return Words::tr("Agree on encryption");
        case SshStep::hostKey:
            return Words::tr("Check the host key");
        case SshStep::login:
            return Words::tr("Log in");
        case SshStep::ready:
            return Words::tr("Ready");
    }
    return {};
}

bool SshFailure::mayRetry() const {
    switch (fault) {
        case SshFault::unknownName:
        case SshFault::refused:
        case SshFault::unreachable:
        case SshFault::timedOut:
        case SshFault::negotiation:
        case SshFault::lost:
            return true;
        default:
            return false;
    }
}

}  // namespace unmask::ui
