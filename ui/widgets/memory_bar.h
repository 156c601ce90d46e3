// SPDX-License-Identifier: Apache-2.0
// Memory of one device split by use, against what there is. Parts differ by colour and by letter, and the legend names
// them; what does not fit is drawn beyond the end mark.
#pragma once

#include <QVector>
#include "ui/widgets/stacked_bar.h"

namespace unmask::ui {

struct MemoryParts {
    double weights = 0;  // all in bytes
    double gradients = 0;
    double optimizer = 0;
    double activations = 0;
    double buffers = 0;
    double others = 0;    // used by other processes now, hatched
    double capacity = 0;  // 0 means unknown
    double communication = 0;
    double needed() const { return weights + gradients + optimizer + activations + buffers + communication; }
    bool fits() const { return capacity <= 0 || needed() + others <= capacity; }
};

QVector<StackSegment> memorySegments(const MemoryParts& parts);  // without those of 0 bytes
// The bar alone, with its end marked where the parts do not fit.
void paintMemory(QPainter& painter, const QRectF& bar, const MemoryParts& parts);

class MemoryBar final : public QWidget {
    Q_OBJECT
 public:
    explicit MemoryBar(QWidget* parent = nullptr);

    void setParts(const MemoryParts& parts);
    void setLegendVisible(bool visible);
    const MemoryParts& parts() const { return m_parts; }
    QString summary() const;  // "96.0 GiB of 139 GiB: weights 1.2 GiB, …"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

 protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;  // tooltips a part

 private:
    QVector<StackSegment> legend() const;
    QRectF barBox() const;

    MemoryParts m_parts;
    bool m_legend = true;
};

}  // namespace unmask::ui
