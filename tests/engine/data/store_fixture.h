// SPDX-License-Identifier: Apache-2.0
// Stores made of short documents, for the tests of index, sampler and loader.
#pragma once

#include <string>
#include <vector>

#include "engine/data/token_store.h"
#include "engine/data/token_store_writer.h"
#include "tests/engine/data/temp_data.h"

namespace unmask::test {

// Document i has lengths[i] tokens: bytes that depend on i and the place, then the end-of-document token.
inline TokenStore makeStore(const TempFolder& folder, const std::vector<int64_t>& lengths) {
    const auto tokenizer = makeTokenizer({});
    TokenStoreWriter writer(folder.path() / "stores", *tokenizer);
    ImportReport report;
    for (size_t document = 0; document < lengths.size(); ++document) {
        std::string text;
        for (int64_t i = 0; i + 1 < lengths[document]; ++i)
            text += static_cast<char>('a' + (static_cast<int64_t>(document) * 7 + i) % 26);
        writer.text(text);
        writer.endDocument();
    }
    report.documents = writer.documents();
    report.tokens = writer.tokens();
    writer.publish("store", report, "data hash");
    return TokenStore::open(folder.path() / "stores" / "store");
}

// Lengths as in real data: some long documents, many short ones.
inline std::vector<int64_t> mixedLengths(size_t documents) {
    std::vector<int64_t> lengths;
    for (size_t i = 0; i < documents; ++i)
        lengths.push_back(i % 10 == 0 ? 300 + static_cast<int64_t>(i * 37 % 500)
                                      : 2 + static_cast<int64_t>(i * 17 % 90));
    return lengths;
}

}  // namespace unmask::test
