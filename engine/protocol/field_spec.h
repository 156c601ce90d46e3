// SPDX-License-Identifier: Apache-2.0
// One field list per struct; JSON codec, validation, command-line flags, forms and documentation all derive from it.
// A struct that takes part has `static constexpr auto fields = std::tuple{field(...), ...}`; its defaults are those of
// the default-constructed struct, so they are written once, at the member.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>

namespace unmask {

// A text for people in both languages of the product.
struct Text {
    std::string_view en;
    std::string_view zh;
};

struct FieldInfo {
    Text label;  // what the form shows beside the editor
    Text help;   // what it is, when to change it, its cost in memory or time
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    std::string_view unit = "";  // "tokens", "updates", …; empty when it has none
    bool changeable = false;     // may change while the run is running, or on resume
    bool advanced = false;       // folded away in forms
};

template <class Struct, class T>
struct Field {
    std::string_view name;
    T Struct::*member;
    FieldInfo info;
};

template <class Struct, class T>
constexpr Field<Struct, T> field(std::string_view name, T Struct::*member, FieldInfo info = {}) {
    return {name, member, info};
}

// Calls visitor(const Field&) for each field of Struct, in order.
template <class Struct, class Visitor>
constexpr void forEachField(Visitor&& visitor) {
    std::apply([&](const auto&... each) { (visitor(each), ...); }, Struct::fields);
}

// Enums name their values once, in a specialisation of Choices beside the enum:
//   template <> struct Choices<NormKind> { static constexpr std::array list{Choice{NormKind::rmsNorm, "rms_norm", {…}},
//   …}; };
template <class E>
struct Choice {
    E value;
    std::string_view word;  // in files and flags
    Text label;             // in forms
};
template <class E>
Choice(E, std::string_view, Text) -> Choice<E>;

template <class E>
struct Choices;

template <class E>
constexpr std::string_view wordOf(E value) {
    for (const auto& choice : Choices<E>::list)
        if (choice.value == value)
            return choice.word;
    return "";
}

}  // namespace unmask
