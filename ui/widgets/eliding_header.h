// SPDX-License-Identifier: Apache-2.0
// Column headers that shorten themselves with "…" where their column is too narrow. Style sheets switch Qt's own
// shortening off, and a name that is only cut off reads like another name.
#pragma once

#include <QHeaderView>

namespace unmask::ui {

class ElidingHeader final : public QHeaderView {
    Q_OBJECT
 public:
    explicit ElidingHeader(QWidget* parent = nullptr);

    QString shownText(int section) const;

 protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
};

}  // namespace unmask::ui
