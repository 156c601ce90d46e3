// SPDX-License-Identifier: Apache-2.0
// What a run would find in data files: documents, tokens, and each line that could not be used.
#include <CLI/CLI.hpp>
#include <memory>

#include "engine/cli/output.h"
#include "engine/cli/prepare_data.h"
#include "engine/cli/subcommands.h"
#include "engine/data/token_store.h"
#include "engine/tokenizer/display_text.h"

namespace unmask {
namespace {

constexpr int64_t kShownTokens = 400;  // of a document

struct InspectOptions {
    std::vector<std::string> files;
    std::string textField;
    int64_t documents = 3;
    bool json = false;
};

std::string counted(int64_t count, const std::string& word) {
    return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string textOf(const TokenStore& store, const Tokenizer& tokenizer, int64_t document) {
    const int64_t length = std::min(store.documentLength(document), kShownTokens);
    std::vector<int32_t> ids(static_cast<size_t>(length));
    store.copy(store.documentBegin(document), length, ids.data());
    std::string text = displayText(tokenizer, ids);
    return store.documentLength(document) > length ? text + "…" : text;
}

int inspect(const InspectOptions& options) {
    DataConfig data;
    data.files = options.files;
    data.textField = options.textField;
    data.badLineLimit = 1;  // to look is allowed, whatever the share
    const TokenizerConfig config;
    const PreparedStore prepared = prepareStore(data, config);
    if (options.json) {
        printLine(dumpLine(toJson(prepared.report)));
        return 0;
    }
    for (const ImportedFile& file : prepared.report.files)
        printLine(harmless(file.path + ": " + file.format + ", " + counted(file.documents, "document") + ", " +
                           counted(file.lines, "line")));
    for (const std::string& line : describeImport(prepared.report, ImportReport::kKeptBadLines))
        printLine(harmless(line));
    const TokenStore store = TokenStore::open(prepared.path);
    const auto tokenizer = makeTokenizer(config);
    for (int64_t i = 0; i < std::min(options.documents, store.documentCount()); ++i)
        printLine("--- document " + std::to_string(i + 1) + "\n" + harmless(textOf(store, *tokenizer, i)));
    return 0;
}

}  // namespace

void addData(CLI::App& app, Action& chosen) {
    auto options = std::make_shared<InspectOptions>();
    CLI::App* command = app.add_subcommand("data", "Look at data files");
    CLI::App* look = command->add_subcommand("inspect", "First documents, counts, and lines that cannot be used");
    command->require_subcommand(1);
    look->add_option("files", options->files, "Text, JSON lines or JSON arrays")->required();
    look->add_option("--text-field,--text_field", options->textField, "JSON field that holds the text");
    look->add_option("--documents", options->documents, "How many documents to show");
    look->add_flag("--json", options->json, "Print the counts and bad lines as JSON");
    look->callback([options, &chosen] { chosen = [options] { return inspect(*options); }; });
}

}  // namespace unmask
