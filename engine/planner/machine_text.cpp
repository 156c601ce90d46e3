// SPDX-License-Identifier: Apache-2.0
#include "engine/planner/machine_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>

#include "engine/base/text.h"

namespace unmask {

namespace {

constexpr double kGiga = 1e9;
constexpr int64_t kMostDevices = 1 << 20;

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kSpellings{
    {{"×", " x "},          {"*", " x "},        {"每个节点", " each "},
     {"每台", " each "},    {"每个", " each "},  {"个节点", " nodes "},
     {"台机器", " nodes "}, {"节点", " nodes "}, {"台", " nodes "},
     {"各", " each "},      {"每", " each "},    {"个核", " cores "},
     {"核", " cores "},     {"本机", " here "},  {"显卡", " "},
     {"张", " "},           {"块", " "},         {"在", " "},
     {"共", " "},           {"，", " "}}};

bool oneOf(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}
bool meansNodes(std::string_view word) {
    return oneOf(word, {"node", "nodes", "machine", "machines", "server", "servers", "host", "hosts"});
}
bool meansEach(std::string_view word) {
    return oneOf(word, {"of", "each", "per", "a", "every"});
}
bool meansCores(std::string_view word) {
    return oneOf(word, {"cpu", "cpus", "core", "cores"});
}
bool saysNothing(std::string_view word) {
    return oneOf(
        word, {"x",    "on",   "over", "with",   "and",     "in",   "at",    "the",     "total",   "all",   "together",
               "this", "gpu",  "gpus", "device", "devices", "card", "cards", "nvidia",  "geforce", "tesla", "sxm",
               "sxm2", "sxm4", "sxm5", "hbm2",   "hbm2e",   "hbm3", "hbm3e", "network", "link",    "memory"});
}

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

struct Word {
    std::string text;                // small letters
    std::string written;             // as it stands there
    std::optional<double> number{};  // where it is one
};

// "4x4090" → 4, x, 4090; "80GB" → 80, gb; "A100-80GB" → a100, 80, gb.
class Cutter {
 public:
    explicit Cutter(std::string text) : m_text(std::move(text)) {
        for (const auto& [from, to] : kSpellings)
            for (size_t at = m_text.find(from); at != std::string::npos; at = m_text.find(from, at + to.size()))
                m_text.replace(at, from.size(), to);
    }
    std::vector<Word> cut() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (std::isspace(static_cast<unsigned char>(c)) != 0 ||
                oneOf(std::string_view(&c, 1), {",", ";", "-", "_", ":"}))
                ++m_at;
            else if (isDigit(c))
                takeNumber();
            else if (isTimes())
                add(1);
            else
                takeWord();
        }
        return std::move(m_words);
    }

 private:
    // The x of "x4090" and of "8xA100".
    bool isTimes() const {
        return (m_text[m_at] == 'x' || m_text[m_at] == 'X') &&
               ((m_at + 1 < m_text.size() && isDigit(m_text[m_at + 1])) || (m_at > 0 && isDigit(m_text[m_at - 1])));
    }
    void add(size_t length) {
        Word word{{}, m_text.substr(m_at, length)};
        for (const char c : word.written)
            word.text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        m_words.push_back(std::move(word));
        m_at += length;
    }
    void takeNumber() {
        size_t end = m_at;
        while (end < m_text.size() && (isDigit(m_text[end]) || m_text[end] == '.'))
            ++end;
        add(end - m_at);
        m_words.back().number = parseNumber(m_words.back().text);
    }
    void takeWord() {
        constexpr std::string_view kEnds = " \t\n\r,;-_:";
        add(std::min(m_text.find_first_of(kEnds, m_at), m_text.size()) - m_at);
    }

    std::string m_text;
    std::vector<Word> m_words;
    size_t m_at = 0;
};

// Rates: bytes with a capital B, bits else.
std::optional<double> bytesPerSecond(double value, const Word& unit) {
    const bool bytes = unit.written.find('B') != std::string::npos;
    if (oneOf(unit.text, {"gb/s", "gbit/s", "gbps", "gbits/s"}))
        return value * kGiga / (bytes && unit.text == "gb/s" ? 1 : 8);
    return std::nullopt;
}

std::optional<double> gigabytes(double value, const Word& unit) {
    if (oneOf(unit.text, {"gb", "g", "gib"}))
        return value;
    return unit.text == "tb" ? std::optional(value * 1024) : std::nullopt;
}

class Reading {
 public:
    Reading(std::string_view text, const RunSpec& spec, const Hardware& here)
        : m_text(text), m_spec(spec), m_here(here), m_words(Cutter(std::string(text)).cut()) {
        for (const Word& word : m_words)
            m_plain.push_back(word.text);
    }

    MachinesRead read() {
        if (m_words.empty())
            return problem({"nothing is described", "没有描述任何设备"});
        while (m_at < m_words.size() && m_problem.en.empty())
            takeOne();
        if (!m_problem.en.empty())
            return problem(m_problem);
        return finished();
    }

 private:
    void takeOne() {
        const Word& word = m_words[m_at];
        if (takeDevice())
            return;
        if (word.number)
            return takeNumber(*word.number);
        ++m_at;
        if (meansEach(word.text)) {
            m_each = true;
            if (m_at < m_words.size() && (m_words[m_at].text == "node" || m_words[m_at].text == "machine"))
                ++m_at;
        } else if (meansCores(word.text)) {
            m_cpu = true;
        } else if (word.text == "here" || (oneOf(word.text, {"machine", "computer"}) && m_plain.front() == "this")) {
            m_thisComputer = true;
        } else if (!saysNothing(word.text) && !meansNodes(word.text)) {
            misunderstood(word);
        }
    }

    bool takeDevice() {
        const FamilyMatch match = familyAt(std::span(m_plain).subspan(m_at));
        // "40 GB", "10 nodes" and the like are no devices, and "30 x" is a count.
        if (match.words == 0)
            return false;
        if (!m_family.empty() && m_family != match.family)
            m_problem = {"devices of one kind make a layout; two are named", "布局只能由同一种设备组成，此处有两种"};
        m_family = match.family;
        m_at += match.words;
        if (m_family == "h100" && m_at < m_words.size() && m_plain[m_at] == "pcie") {
            m_family = "h100pcie";
            ++m_at;
        }
        return true;
    }

    void takeNumber(double value) {
        const std::string shown = m_words[m_at++].written;
        const Word unit = m_at < m_words.size() ? m_words[m_at] : Word{};
        const auto whole = static_cast<int64_t>(value);
        const bool counts =
            value >= 1 && value <= static_cast<double>(kMostDevices) && static_cast<double>(whole) == value;
        if (const auto rate = bytesPerSecond(value, unit); rate && value > 0) {
            m_network = *rate;
            ++m_at;
        } else if (const auto size = gigabytes(value, unit); size && value > 0) {
            m_gigabytes = *size;
            ++m_at;
        } else if (!counts) {
            m_problem = {shown + " is no count of devices or nodes", shown + " 不是设备数或节点数"};
        } else if (meansNodes(unit.text)) {
            m_nodes = whole;
            ++m_at;
        } else {
            m_counts.push_back(whole);
            if (unit.text == "x")
                ++m_at;
        }
    }

    void misunderstood(const Word& word) {
        std::vector<std::string> names{"cpu", "here", "nodes"};
        for (const KnownDevice& device : knownDevices()) {
            names.emplace_back(device.family);
            if (device.family.starts_with("rtx"))
                names.emplace_back(device.family.substr(3));
        }
        const std::string shown = "\"" + harmless(toValidUtf8(word.written)) + "\"";
        m_problem = {shown + " is not understood", shown + " 无法理解"};
        if (const auto near = nearestName(word.text, names)) {
            const std::string title = titleOf(*near);
            m_problem.en += "; did you mean " + title + "?";
            m_problem.zh += "；是否指 " + title + "？";
        } else {
            m_problem.en += "; known devices are " + knownNames() + " and cpu";
            m_problem.zh += "；已知设备：" + knownNames() + "、cpu";
        }
    }
    static std::string titleOf(const std::string& name) {
        for (const KnownDevice& device : knownDevices())
            if (device.family == name || device.family == "rtx" + name)
                return std::string(device.name);
        return name;
    }
    static std::string knownNames() {
        std::string names;
        for (const KnownDevice& device : knownDevices())
            if (names.find(std::string(device.name) + ",") == std::string::npos)
                names += std::string(device.name) + ", ";
        return names.substr(0, names.size() - 2);
    }

    MachinesRead finished() {
        if (m_thisComputer)
            return {machinesFound(m_spec, m_here), {}};
        if (m_family.empty() && !m_cpu)
            return problem({"no device is named; write for example \"8 x A100 80 GB on 2 nodes\", or cpu",
                            "没有指明设备；例如可写 \"8 x A100 80 GB on 2 nodes\" 或 cpu"});
        if (!m_family.empty() && m_cpu)
            return problem(
                {"devices of one kind make a layout; two are named", "布局只能由同一种设备组成，此处有两种"});
        if (m_counts.size() > 2 || (m_counts.size() == 2 && m_nodes))
            return problem({"there are more counts than nodes and devices in each", "数目多于节点数与每节点设备数"});
        if (m_counts.size() == 2) {  // "2 x 8 H100"
            m_nodes = m_counts.front();
            m_counts.erase(m_counts.begin());
            m_each = true;
        }
        const int64_t nodes = m_nodes.value_or(1);
        int64_t count = m_counts.empty() ? 1 : m_counts.front();
        if (!m_each && !m_counts.empty()) {
            if (count % nodes != 0) {
                const std::string n = std::to_string(nodes), c = std::to_string(count);
                return problem({c + " devices cannot be shared evenly by " + n + " nodes",
                                c + " 个设备不能平均分到 " + n + " 个节点"});
            }
            count /= nodes;
        }
        if (nodes * count > kMostDevices)
            return problem({"that many devices cannot be planned for", "设备过多，无法规划"});
        return m_cpu ? cores(nodes, count) : devices(nodes, count);
    }

    MachinesRead cores(int64_t nodes, int64_t count) {
        MachineSet machines = coresOf(m_here);
        const bool described = m_nodes || !m_counts.empty() || m_gigabytes || m_network;
        if (described) {
            Hardware other;  // cores like these, as many as were said
            other.cores = m_counts.empty() ? machines.devicesPerNode : count;
            if (m_here.matrixFlopsPerSecond)
                other.matrixFlopsPerSecond = *machines.flopsPerSecond * static_cast<double>(*other.cores);
            if (m_gigabytes)
                other.availableMemoryBytes = *m_gigabytes * 1024 * 1024 * 1024;
            machines = coresOf(other);
            machines.found = false;
            machines.nodes = nodes;
            if (m_network)
                machines.setNetwork(*m_network);
        }
        return {machines, {}};
    }

    MachinesRead devices(int64_t nodes, int64_t count) {
        const KnownDevice* chosen = nullptr;
        std::string sizes, title;
        for (const KnownDevice& device : knownDevices()) {
            if (device.family != m_family)
                continue;
            title = device.name;
            sizes += (sizes.empty() ? "" : ", ") + std::to_string(device.gigabytes);
            const bool fits = !m_gigabytes || std::fabs(*m_gigabytes - static_cast<double>(device.gigabytes)) <= 1;
            if (fits && !chosen)
                chosen = &device;
        }
        if (!chosen) {
            const std::string size = formatNumber(*m_gigabytes);
            return problem({"there is no " + title + " with " + size + " GB; it comes with " + sizes + " GB",
                            "没有 " + size + " GB 的 " + title + "；其内存为 " + sizes + " GB"});
        }
        MachineSet machines = machinesOf(*chosen, nodes, count);
        if (m_network)
            machines.setNetwork(*m_network);
        return {machines, {}};
    }

    MachinesRead problem(const Sentence& what) const {
        const std::string shown = "\"" + harmless(toValidUtf8(m_text)) + "\"";
        return {std::nullopt, {"machines " + shown + ": " + what.en, "机器描述 " + shown + "：" + what.zh}};
    }

    std::string_view m_text;
    const RunSpec& m_spec;
    const Hardware& m_here;
    std::vector<Word> m_words;
    std::vector<std::string> m_plain;
    size_t m_at = 0;
    std::vector<int64_t> m_counts;
    std::optional<int64_t> m_nodes;
    std::optional<double> m_gigabytes;
    std::optional<double> m_network;
    std::string_view m_family;
    bool m_each = false;
    bool m_cpu = false;
    bool m_thisComputer = false;
    Sentence m_problem;
};

}  // namespace

MachinesRead readMachines(std::string_view text, const RunSpec& spec, const Hardware& here) {
    return Reading(text, spec, here).read();
}

}  // namespace unmask
