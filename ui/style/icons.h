// SPDX-License-Identifier: Apache-2.0
// Icons drawn by QPainter on a 24 × 24 grid, so they are sharp at every scale and take any colour.
#pragma once

#include <QColor>
#include <QIcon>

class QPainter;

namespace unmask::ui {

enum class Icon {
    runs,
    newRun,
    live,
    compare,
    data,
    playground,
    servers,
    settings,  // rooms
    play,
    pause,
    stop,
    checkpoint,
    extend,
    resume,
    again,
    trash,
    folder,
    open,
    save,
    exportFile,
    picture,
    table,
    undo,
    redo,
    search,
    filter,
    plus,
    minus,
    close,
    check,
    warning,
    error,
    info,
    question,
    clock,
    menu,
    fit,
    logScale,
    zoomOut,
    maximise,
    restore,
    chevronDown,
    chevronRight,
    more,
    star,
    tag,
    copy,
    link,
    unlink,
    spark
};

// Follows the theme: icons made with it must be made again on Style::changed.
QIcon icon(Icon which);
QIcon icon(Icon which, const QColor& color);
void paintIcon(QPainter& painter, Icon which, const QRectF& box, const QColor& color);

}  // namespace unmask::ui
