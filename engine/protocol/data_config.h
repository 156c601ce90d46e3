// SPDX-License-Identifier: Apache-2.0
// Where text comes from, how it becomes tokens, and what is held back for validation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class TokenizerKind { bytes };
template <>
struct Choices<TokenizerKind> {
    static constexpr std::array list{Choice{TokenizerKind::bytes, "bytes", {"Bytes", "字节"}}};
};

struct TokenizerConfig {
    TokenizerKind kind = TokenizerKind::bytes;
    bool operator==(const TokenizerConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("kind", &TokenizerConfig::kind,
              {.label = {"Tokenizer", "分词器"},
               .help = {"Bytes need no vocabulary file and read any language; each token is one byte.",
                        "字节分词无需词表文件，可读任何语言；每个 token 为一个字节。"}})};
};

enum class DataFormat { automatic, text, jsonl, json };
template <>
struct Choices<DataFormat> {
    static constexpr std::array list{Choice{DataFormat::automatic, "auto", {"By content", "按内容判断"}},
                                     Choice{DataFormat::text, "text", {"Plain text", "纯文本"}},
                                     Choice{DataFormat::jsonl, "jsonl", {"JSON lines", "JSON 行"}},
                                     Choice{DataFormat::json, "json", {"JSON array", "JSON 数组"}}};
};

struct DataConfig {
    std::vector<std::string> files;
    std::vector<std::string> validationFiles;
    DataFormat format = DataFormat::automatic;
    std::string textField;
    double validationFraction = 0.05;
    double badLineLimit = 0.01;
    double variableLengthFraction = 0.01;
    bool operator==(const DataConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("files", &DataConfig::files,
              {.label = {"Files", "文件"},
               .help = {"UTF-8 text, JSON lines or a JSON array. Empty means the bundled sample corpus.",
                        "UTF-8 文本、JSON 行或 JSON 数组。留空则使用自带的示例语料。"}}),
        field("validation_files", &DataConfig::validationFiles,
              {.label = {"Validation files", "验证文件"},
               .help = {"Text to validate on, never trained on. Empty holds back a share of the files above.",
                        "用于验证的文本，从不用于训练。留空则从上面的文件中留出一部分。"},
               .advanced = true}),
        field("format", &DataConfig::format,
              {.label = {"Format", "格式"},
               .help = {"Recognised by content and name; set it only when the guess is wrong.",
                        "按内容与文件名识别；仅在判断有误时设置。"},
               .advanced = true}),
        field("text_field", &DataConfig::textField,
              {.label = {"Text field", "文本字段"},
               .help = {"JSON field that holds the text. Empty takes text, then content, then all text fields of a line.",
                        "存放文本的 JSON 字段。留空则依次取 text、content，再取该行的全部文本字段。"}}),
        field("validation_fraction", &DataConfig::validationFraction,
              {.label = {"Held back for validation", "留作验证的比例"},
               .help = {"Share of samples never trained on; chosen by hash, so it stays the same for every run. Not used "
                        "with validation files.",
                        "从不用于训练的样本比例；按哈希选取，每次运行都相同。有验证文件时不使用。"},
               .min = 0, .max = 0.5}),
        field("bad_line_limit", &DataConfig::badLineLimit,
              {.label = {"Bad lines allowed", "允许的坏行比例"},
               .help = {"Malformed lines are counted, listed and skipped; above this share the import stops.",
                        "格式错误的行会被计数、列出并跳过；超过该比例则停止导入。"},
               .min = 0, .max = 1, .advanced = true}),
        field("variable_length_fraction", &DataConfig::variableLengthFraction,
              {.label = {"Shortened samples", "截短样本比例"},
               .help = {"Share of samples cut to a random length, so that the model also knows short texts.",
                        "随机截短的样本比例，使模型也熟悉短文本。"},
               .min = 0, .max = 1, .advanced = true})};
};

}  // namespace unmask
