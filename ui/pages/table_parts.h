// SPDX-License-Identifier: Apache-2.0
// Tables as every page shows them: whole rows, no grid, heights in font units.
#pragma once

class QTableView;

namespace unmask::ui {

void prepareTable(QTableView* table);

}  // namespace unmask::ui
