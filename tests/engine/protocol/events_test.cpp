// SPDX-License-Identifier: Apache-2.0
#include "engine/protocol/events.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace unmask;

namespace {
// Puts a recognisable value into every field, so that a codec which forgets one is found.
void fill(int64_t& value) {
    value = 41;
}
void fill(double& value) {
    value = 0.1 + 0.2;
}
void fill(bool& value) {
    value = false;
}
void fill(std::string& value) {
    value = "ü\"\n漢";
}
void fill(std::vector<std::string>& value) {
    value = {"a", "b,c"};
}
void fill(std::map<std::string, double>& value) {
    value = {{"train/loss", 2.5}, {"up", HUGE_VAL}, {"down", -HUGE_VAL}};
}

template <size_t Index = 0, class Visitor>
void forEachEventKind(Visitor&& visitor) {
    if constexpr (Index < std::variant_size_v<Event>) {
        visitor(std::variant_alternative_t<Index, Event>{});
        forEachEventKind<Index + 1>(visitor);
    }
}
}  // namespace

TEST(Events, EveryKindMakesARoundTripWithEveryField) {
    std::set<std::string> kinds;
    forEachEventKind([&](auto event) {
        using T = decltype(event);
        if constexpr (std::is_same_v<T, UnknownEvent>) {
            event.kind = "of_tomorrow";
            event.payload = Json{{"x", 1}};
        } else {
            forEachField<T>([&](const auto& f) { fill(event.*(f.member)); });
        }
        const EventRecord record{7, 2, "2026-12-01T10:00:00.000000001Z", 350, event};
        const std::string line = encodeRecord(record);
        EXPECT_EQ(decodeRecord(line).orThrow(), record) << line;
        EXPECT_EQ(encodeRecord(decodeRecord(line).orThrow()), line);
        kinds.insert(std::string(kindOf(record.event)));
    });
    EXPECT_EQ(kinds.size(), std::variant_size_v<Event>) << "two kinds share a name";
}

TEST(Events, NaNTravelsAsAWord) {
    MetricsEvent event;
    event.values["train/loss"] = std::nan("");
    const std::string line = encodeRecord({1, 1, "", 1, event});
    EXPECT_NE(line.find(R"("train/loss":"NaN")"), std::string::npos) << line;
    EXPECT_TRUE(std::isnan(std::get<MetricsEvent>(decodeRecord(line).orThrow().event).values.at("train/loss")));
}

TEST(Events, AnyFlippedBitIsDamage) {
    const std::string line = encodeRecord({1, 1, "t", 1, LogEvent{"hello"}});
    for (size_t i = 0; i < line.size() * 8; ++i) {
        std::string damaged = line;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
        EXPECT_FALSE(decodeRecord(damaged).ok()) << damaged;
    }
    for (size_t length = 0; length < line.size(); ++length)
        EXPECT_FALSE(decodeRecord(std::string_view(line).substr(0, length)).ok());
}

TEST(Events, LineEndsInEighteenBytesOfChecksum) {
    const std::string line = encodeRecord({1, 1, "t", 1, PausedEvent{}});
    EXPECT_EQ(line.substr(line.size() - 18, 8), ",\"crc\":\"");
    EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST(Events, AFieldOfTomorrowIsIgnoredAndAMissingOneKeepsItsDefault) {
    EventRecord record{1, 1, "t", 5, UnknownEvent{"phase", Json{{"name", "training"}, {"colour", "red"}}}};
    const auto read = decodeRecord(encodeRecord(record)).orThrow();
    EXPECT_EQ(std::get<PhaseEvent>(read.event), (PhaseEvent{"training", ""}));
}
