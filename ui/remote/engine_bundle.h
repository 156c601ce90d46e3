// SPDX-License-Identifier: Apache-2.0
// The archive of the engine that goes to servers (packaging/make_bundle.sh), what it needs there, and why a server may
// not have it.
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "ui/remote/server_facts.h"

namespace unmask::ui {

struct EngineBundle {
    std::filesystem::path archive;
    QString version;
    QString machine;  // "x86_64"
    LibraryVersion glibc;
    LibraryVersion torch;
    bool gpu = false;
    std::vector<int> architectures;  // compute capability × 10 of the GPUs it was built for
    qint64 bytes = 0;                // unpacked
};

// `manifest`: the file that lies beside the archive under the same name with .json.
Result<EngineBundle> readEngineBundle(const std::filesystem::path& manifest);
// UNMASK_BUNDLE, else the one in the folder `dist` beside the folder of this program. Need not exist.
std::filesystem::path locateEngineBundle();

enum class DeployFault {
    none,
    badBundle,     // here
    wrongMachine,  // another system or processor
    oldGlibc,
    noTorch,     // PyTorch of the right version is not there
    unbuiltGpu,  // none of its GPUs is one the bundle was built for
    diskFull,
    missingLibrary,  // a library of the system that is in no bundle
    doesNotStart,
    unpack,  // the archive could not be unpacked there
    transfer,
    linkDown,  // to be tried again on a new link
};

struct DeployProblem {
    DeployFault fault = DeployFault::none;
    QString sentence;
};

// By what is known of the server; what is unknown is no reason.
std::optional<DeployProblem> whyNotThere(const EngineBundle& bundle, const ServerFacts& facts);

}  // namespace unmask::ui
