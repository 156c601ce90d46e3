// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/run_history.h"

#include <array>
#include <cstring>
#include <set>
#include <utility>

#include "engine/base/text.h"
#include "engine/checkpoint/checkpoint_folder.h"

namespace unmask::test {
namespace {
constexpr std::array kExact{"train/loss", "train/grad_norm", "train/learning_rate", "train/mask_ratio"};

std::string damagesOf(const EventReader& reader) {
    std::string text;
    for (const JournalDamage& damage : reader.damages())
        text += damage.file + " line " + std::to_string(damage.line) + ": " + damage.reason + "\n";
    return text;
}
}  // namespace

RunHistory::RunHistory(const RunFolder& folder) {
    EventReader reader(folder);
    int64_t seq = 0;
    for (auto records = reader.readRecords(); !records.empty(); records = reader.readRecords())
        for (const EventRecord& record : records) {
            if (record.seq != ++seq)
                m_problems +=
                    "record " + std::to_string(record.seq) + " came where " + std::to_string(seq) + " was due\n";
            if (const auto* resumed = std::get_if<ResumedEvent>(&record.event))
                m_curve.erase(m_curve.upper_bound(resumed->fromStep), m_curve.end());
            const auto* metrics = std::get_if<MetricsEvent>(&record.event);
            if (metrics && metrics->values.contains("train/loss") &&
                !m_curve.emplace(record.step, metrics->values).second)
                m_problems += "two points for step " + std::to_string(record.step) + "\n";
        }
    m_damages = damagesOf(reader);
}

std::string RunHistory::firstDifference(const RunHistory& other) const {
    if (m_curve.size() != other.m_curve.size())
        return std::to_string(m_curve.size()) + " points instead of " + std::to_string(other.m_curve.size());
    for (const auto& [step, expected] : other.m_curve) {
        const auto found = m_curve.find(step);
        if (found == m_curve.end())
            return "step " + std::to_string(step) + " is missing";
        for (const char* name : kExact) {
            const auto a = found->second.find(name);
            const auto b = expected.find(name);
            if ((a == found->second.end()) != (b == expected.end()))
                return "step " + std::to_string(step) + " has " + name + " on one side only";
            if (b != expected.end() && std::memcmp(&a->second, &b->second, sizeof(double)) != 0)
                return "step " + std::to_string(step) + ": " + name + " is " + formatNumber(a->second) +
                       " instead of " + formatNumber(b->second);
        }
    }
    return "";
}

JournalWitness::JournalWitness(RunFolder folder) : m_folder(std::move(folder)), m_reader(m_folder) {}

void JournalWitness::look() {
    for (auto lines = m_reader.readLines(); !lines.empty(); lines = m_reader.readLines())
        for (auto& line : lines)
            m_seen[line.seq] = std::move(line.bytes);
}

std::string JournalWitness::complaint() {
    look();
    EventReader fresh(m_folder);
    std::map<int64_t, std::string> now;
    for (auto lines = fresh.readLines(); !lines.empty(); lines = fresh.readLines())
        for (auto& line : lines)
            if (!now.emplace(line.seq, std::move(line.bytes)).second)
                return "record " + std::to_string(line.seq) + " stands twice in the journal";
    for (const auto& [seq, bytes] : m_seen) {
        const auto found = now.find(seq);
        if (found == now.end())
            return "record " + std::to_string(seq) + " was seen and is lost";
        if (found->second != bytes)
            return "record " + std::to_string(seq) + " has changed";
    }
    if (!now.empty() && now.rbegin()->first != static_cast<int64_t>(now.size()))
        return "numbers are missing";
    for (const std::string& name : summariseJournal(m_folder).savedCheckpoints)
        try {
            verifyFolder(m_folder.checkpoints() / name, nullptr, Cache::keep);
        } catch (const Error& error) {
            return name + " was acknowledged: " + error.what();
        }
    return damagesOf(fresh);
}

}  // namespace unmask::test
