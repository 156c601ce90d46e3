// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/interop/safetensors.h"

namespace unmask {
namespace {

struct TypeRow {
    TensorType type;
    std::string_view word;
    int bits;
};
constexpr std::array<TypeRow, 20> kTypes{
    {{TensorType::boolean, "BOOL", 8},       {TensorType::float4, "F4", 4},
     {TensorType::float6e2m3, "F6_E2M3", 6}, {TensorType::float6e3m2, "F6_E3M2", 6},
     {TensorType::uint8, "U8", 8},           {TensorType::int8, "I8", 8},
     {TensorType::float8e5m2, "F8_E5M2", 8}, {TensorType::float8e4m3, "F8_E4M3", 8},
     {TensorType::float8e8m0, "F8_E8M0", 8}, {TensorType::int16, "I16", 16},
     {TensorType::uint16, "U16", 16},        {TensorType::float16, "F16", 16},
     {TensorType::bfloat16, "BF16", 16},     {TensorType::int32, "I32", 32},
     {TensorType::uint32, "U32", 32},        {TensorType::float32, "F32", 32},
     {TensorType::complex64, "C64", 64},     {TensorType::float64, "F64", 64},
     {TensorType::int64, "I64", 64},         {TensorType::uint64, "U64", 64}}};

constexpr size_t kMaxRank = 64;
constexpr int kHeaderDepth = 8;

Error bad(const std::string& reason) {
    return Error(ErrorCode::badInput, "[safetensors] " + reason);
}

Result<uint64_t> unsignedNumber(const Json& value) {
    if (!value.is_number_unsigned())
        return bad("a size is not a whole number");
    const auto number = value.get<uint64_t>();
    if (number > static_cast<uint64_t>(INT64_MAX))
        return bad("the size " + std::to_string(number) + " is too large");
    return number;
}

std::string quoted(const std::string& name) {
    return "tensor \"" + name.substr(0, 120) + "\"";
}

Result<TensorInfo> parseTensor(const std::string& name, const Json& json) {
    if (!json.is_object() || json.size() != 3 || !json.contains("dtype") || !json.contains("shape") ||
        !json.contains("data_offsets"))
        return bad(quoted(name) + " must have exactly dtype, shape and data_offsets");
    TensorInfo tensor;
    tensor.name = name;
    const Json& type = json.at("dtype");
    const auto row = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& r) {
        return type.is_string() && type.get_ref<const std::string&>() == r.word;
    });
    if (row == kTypes.end())
        return bad(quoted(name) + " has the unknown dtype " + dumpLine(type).substr(0, 40));
    tensor.type = row->type;
    const Json& shape = json.at("shape");
    if (!shape.is_array() || shape.size() > kMaxRank)
        return bad(quoted(name) + " has no proper shape");
    for (const Json& dimension : shape) {
        const auto number = unsignedNumber(dimension);
        if (!number)
            return bad(quoted(name) + ": " + number.error().what());
        tensor.shape.push_back(static_cast<int64_t>(number.value()));
    }
    const Json& offsets = json.at("data_offsets");
    if (!offsets.is_array() || offsets.size() != 2)
        return bad(quoted(name) + " must have two data_offsets");
    for (size_t i = 0; i < 2; ++i) {
        const auto number = unsignedNumber(offsets[i]);
        if (!number)
            return bad(quoted(name) + ": " + number.error().what());
        (i == 0 ? tensor.begin : tensor.end) = number.value();
    }
    return tensor;
}

// Sorted by begin, each begins where the one before ends, the last ends with the file.
Outcome checkLayout(const SafetensorsHeader& header) {
    uint64_t position = 0;
    for (const TensorInfo& tensor : header.tensors) {
        if (tensor.begin != position || tensor.end < tensor.begin)
            return bad(quoted(tensor.name) + " lies at " + std::to_string(tensor.begin) + " to " +
                       std::to_string(tensor.end) + " where byte " + std::to_string(position) + " was due");
        const auto bytes = tensorBytes(tensor.type, tensor.shape);
        if (!bytes)
            return bad(quoted(tensor.name) + ": " + bytes.error().what());
        if (bytes.value() != tensor.bytes())
            return bad(quoted(tensor.name) + " has " + std::to_string(tensor.bytes()) +
                       " bytes where its shape needs " + std::to_string(bytes.value()));
        position = tensor.end;
    }
    if (position != header.dataBytes)
        return bad("the tensors take " + std::to_string(position) + " bytes, the file has " +
                   std::to_string(header.dataBytes));
    return Nothing{};
}

Outcome readMetadata(const Json& json, SafetensorsHeader& header) {
    if (!json.is_object())
        return bad("__metadata__ must be an object");
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            return bad("__metadata__ holds something that is not a text, at \"" + key.substr(0, 80) + "\"");
        header.metadata[key] = value.get<std::string>();
    }
    return Nothing{};
}

}  // namespace

std::string_view tensorTypeWord(TensorType type) {
    for (const TypeRow& row : kTypes)
        if (row.type == type)
            return row.word;
    return "";
}

int tensorTypeBits(TensorType type) {
    for (const TypeRow& row : kTypes)
        if (row.type == type)
            return row.bits;
    return 0;
}

Result<uint64_t> tensorBytes(TensorType type, const std::vector<int64_t>& shape) {
    uint64_t bits = static_cast<uint64_t>(tensorTypeBits(type));
    for (const int64_t dimension : shape)
        if (dimension < 0 || __builtin_mul_overflow(bits, static_cast<uint64_t>(dimension), &bits))
            return bad("the shape is too large");
    if (bits % 8 != 0)
        return bad("the elements do not end on a byte");
    return bits / 8;
}

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view prefix, uint64_t fileBytes) {
    if (fileBytes < 8 || prefix.size() < 8)
        return bad("the file is too short for a header");
    uint64_t length = 0;
    for (size_t i = 0; i < 8; ++i)
        length |= uint64_t{static_cast<unsigned char>(prefix[i])} << (8 * i);
    if (length > kMaxSafetensorsHeader)
        return bad("the header claims " + std::to_string(length) + " bytes, more than " +
                   std::to_string(kMaxSafetensorsHeader));
    if (length > fileBytes - 8 || prefix.size() - 8 < length)
        return bad("the header claims " + std::to_string(length) + " bytes, the file has " +
                   std::to_string(fileBytes - 8) + " after the length");
    const std::string_view text = prefix.substr(8, length);
    if (text.empty() || text.front() != '{')
        return bad("the header does not begin with {");
    if (const auto offset = firstInvalidUtf8(text))
        return bad("the header is not UTF-8 at byte " + std::to_string(8 + *offset));
    const auto parsed = parseJson(text, kHeaderDepth);
    if (!parsed)
        return bad(std::string("the header is not JSON: ") + parsed.error().what());
    SafetensorsHeader header;
    header.dataStart = 8 + length;
    header.dataBytes = fileBytes - header.dataStart;
    for (const auto& [name, value] : parsed.value().items()) {
        if (name == "__metadata__") {
            if (const auto read = readMetadata(value, header); !read)
                return read.error();
            continue;
        }
        auto tensor = parseTensor(name, value);
        if (!tensor)
            return tensor.error();
        header.tensors.push_back(std::move(tensor).orThrow());
    }
    std::stable_sort(header.tensors.begin(), header.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    if (const auto layout = checkLayout(header); !layout)
        return layout.error();
    return header;
}

}  // namespace unmask
