// SPDX-License-Identifier: Apache-2.0
// Room held on the volume of a run while it trains, so that on a full disk the journal can still say why it ends.
#pragma once

#include <filesystem>

namespace unmask {

class DiskReserve {
 public:
    DiskReserve() = default;
    ~DiskReserve();
    DiskReserve(const DiskReserve&) = delete;
    DiskReserve& operator=(const DiskReserve&) = delete;

    // A thousandth of the free space, 64 KiB to 16 MiB. Quietly nothing where there is no room or no such call.
    void hold(const std::filesystem::path& runFolder);
    bool release();                                                      // true when there was something to give back
    static void removeLeftover(const std::filesystem::path& runFolder);  // of a killed writer

 private:
    std::filesystem::path m_file;  // empty when nothing is held
};

}  // namespace unmask
