// SPDX-License-Identifier: Apache-2.0
#include "engine/sample/denoising_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/base/error.h"
#include "engine/sample/gumbel.h"

namespace unmask {

namespace {
constexpr float kNever = -std::numeric_limits<float>::infinity();
}

struct DenoisingSampler::Progress {
    const SampleRequest& request;
    GumbelNoise noise;
    SampleResult result;
};

std::vector<int64_t> quotaPlan(int64_t count, int64_t steps) {
    std::vector<int64_t> plan;
    for (int64_t j = 0; j < steps; ++j)
        if (const int64_t quota = count / steps + (j < count % steps ? 1 : 0); quota > 0)
            plan.push_back(quota);
    return plan;
}

DenoisingSampler::DenoisingSampler(Denoiser denoiser, SampleVocabulary vocabulary, int64_t contextLength)
    : m_denoiser(std::move(denoiser)), m_vocabulary(std::move(vocabulary)), m_contextLength(contextLength) {}

SampleResult DenoisingSampler::sample(const SampleRequest& request) const {
    if (request.length < 1 || request.steps < 1 || request.blockSize < 1 || !(request.temperature >= 0))
        throw Error{ErrorCode::badInput,
                    "[sample] length, steps and block must be at least 1 and the temperature at least 0"};
    Progress progress{request, GumbelNoise(request.seed, request.request), {}};
    auto& tokens = progress.result.tokens;
    tokens = request.prompt;
    const auto prompt = static_cast<int64_t>(tokens.size());
    const int64_t total = prompt + request.length;
    tokens.resize(static_cast<size_t>(total), m_vocabulary.mask);
    progress.result.trace.assign(tokens.size(), -1);

    const int64_t block = std::min({request.blockSize, request.length, m_contextLength});
    const int64_t blocks = (request.length + block - 1) / block;
    for (int64_t b = 0; b < blocks && !ended(progress); ++b) {
        const int64_t begin = prompt + b * block;
        const int64_t steps = request.steps / blocks + (b < request.steps % blocks ? 1 : 0);
        denoiseBlock(progress, begin, std::min(begin + block, total), std::max<int64_t>(steps, 1));
    }
    std::replace(tokens.begin() + prompt, tokens.end(), m_vocabulary.mask, m_vocabulary.endOfDocument);
    return std::move(progress.result);
}

void DenoisingSampler::denoiseBlock(Progress& progress, int64_t begin, int64_t end, int64_t steps) const {
    auto& result = progress.result;
    for (const int64_t quota : quotaPlan(end - begin, steps)) {
        auto found = candidates(progress, begin, end);
        const auto chosen = std::min<size_t>(static_cast<size_t>(quota), found.size());
        // stable: candidates come by position, so equal confidence goes to the lower one
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.confidence > b.confidence; });
        for (size_t i = 0; i < chosen; ++i) {
            result.tokens[static_cast<size_t>(found[i].position)] = found[i].token;
            result.trace[static_cast<size_t>(found[i].position)] = static_cast<int32_t>(result.forwards);
        }
        ++result.forwards;
        if (ended(progress))
            return;
    }
}

std::vector<DenoisingSampler::Candidate> DenoisingSampler::candidates(const Progress& progress, int64_t begin,
                                                                      int64_t end) const {
    const auto& tokens = progress.result.tokens;
    const auto total = static_cast<int64_t>(tokens.size());
    // A text that fits is seen whole; of a longer one the model sees the block and as much before it as fits.
    const int64_t windowBegin = total <= m_contextLength ? 0 : std::max<int64_t>(0, end - m_contextLength);
    const int64_t windowEnd = std::min(total, windowBegin + m_contextLength);
    std::vector<int32_t> positions;
    for (int64_t i = begin; i < end; ++i)
        if (tokens[static_cast<size_t>(i)] == m_vocabulary.mask)
            positions.push_back(static_cast<int32_t>(i - windowBegin));
    const std::vector<int32_t> window(tokens.begin() + windowBegin, tokens.begin() + windowEnd);
    std::vector<float> logits = m_denoiser(window, positions);

    const size_t width = logits.size() / positions.size();
    std::vector<Candidate> found;
    for (size_t r = 0; r < positions.size(); ++r)
        found.push_back(pick(progress, static_cast<int32_t>(positions[r] + windowBegin),
                             std::span<float>(logits.data() + r * width, width)));
    return found;
}

DenoisingSampler::Candidate DenoisingSampler::pick(const Progress& progress, int32_t position,
                                                   std::span<float> row) const {
    row[static_cast<size_t>(m_vocabulary.mask)] = kNever;  // a committed MASK would loop for ever
    std::fill(row.begin() + m_vocabulary.size, row.end(), kNever);
    for (const int32_t id : m_vocabulary.suppressed)
        row[static_cast<size_t>(id)] = kNever;

    const double temperature = progress.request.temperature;
    const auto step = static_cast<uint32_t>(progress.result.forwards);
    size_t best = 0;
    double bestScore = kNever;
    double highest = kNever;
    for (size_t v = 0; v < row.size(); ++v) {
        if (row[v] == kNever)
            continue;
        double score = row[v];
        highest = std::max(highest, score);
        if (temperature > 0)
            score = score / temperature +
                    progress.noise.at(step, static_cast<uint32_t>(position), static_cast<uint32_t>(v));
        if (score > bestScore) {
            bestScore = score;
            best = v;
        }
    }
    double sum = 0;
    for (const float logit : row)
        sum += std::exp(static_cast<double>(logit) - highest);
    if (!std::isfinite(sum))
        throw Error{ErrorCode::nonFinite, "[sample] the model's output at position " + std::to_string(position) +
                                              " is not finite; its weights are damaged or training diverged"};
    return {position, static_cast<int32_t>(best), std::exp(static_cast<double>(row[best]) - highest) / sum};
}

bool DenoisingSampler::ended(const Progress& progress) const {
    const auto& tokens = progress.result.tokens;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(progress.request.prompt.size());
    const auto first = std::find_if(
        begin, tokens.end(), [&](int32_t id) { return id == m_vocabulary.mask || id == m_vocabulary.endOfDocument; });
    return first != tokens.end() && *first == m_vocabulary.endOfDocument && m_vocabulary.endOfDocument >= 0;
}

}  // namespace unmask
