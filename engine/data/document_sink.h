// SPDX-License-Identifier: Apache-2.0
// Where importers put documents, piece by piece, so that a document need not fit in memory.
#pragma once

#include <string_view>

namespace unmask {

class DocumentSink {
 public:
    virtual ~DocumentSink() = default;
    virtual void text(std::string_view piece) = 0;  // valid UTF-8 over the whole document, not over each piece
    virtual void endDocument() = 0;
};

}  // namespace unmask
