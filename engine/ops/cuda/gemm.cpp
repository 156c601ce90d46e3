// SPDX-License-Identifier: Apache-2.0
// Row-major c = a · b is column-major cᵀ = bᵀ · aᵀ, so the library's first operand is b and its m is our N.
#include "engine/ops/cuda/gemm.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/places.h"
#include "engine/base/text.h"
#include "engine/ops/cuda/gemm_cache.h"
#include "engine/ops/cuda/launch.h"
#include "engine/ops/device.h"
#include "engine/ops/device_options.h"

namespace unmask::cuda {

namespace {

constexpr size_t kWorkspaceBytes = 64 << 20;
constexpr int kCandidates = 16;
constexpr int kTimedRuns = 4;

void require(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS)
        throw Error{ErrorCode::internal, std::string("[gemm] ") + what + ": " + cublasLtGetStatusString(status)};
}

cublasLtHandle_t handle() {
    static const cublasLtHandle_t made = [] {
        cublasLtHandle_t created = nullptr;
        require(cublasLtCreate(&created), "cuBLASLt cannot be started");
        return created;
    }();
    return made;
}

cudaDataType_t typeOf(const at::Tensor& tensor) {
    if (tensor.scalar_type() == at::kFloat8_e4m3fn)
        return CUDA_R_8F_E4M3;
    if (tensor.scalar_type() == at::kFloat8_e5m2)
        return CUDA_R_8F_E5M2;
    switch (dtypeOf(tensor)) {
        case kernels::DType::float32:
            return CUDA_R_32F;
        case kernels::DType::bfloat16:
            return CUDA_R_16BF;
        case kernels::DType::float16:
            return CUDA_R_16F;
    }
    return CUDA_R_32F;
}

// Largest power of two up to 256, what the library assumes by default, that divides the address.
uint32_t alignmentOf(const at::Tensor& t) {
    constexpr uintptr_t kAssumed = 256;
    const uintptr_t address = reinterpret_cast<uintptr_t>(t.const_data_ptr()) | kAssumed;
    return static_cast<uint32_t>(address & (~address + 1));
}

// A row-major matrix as the library's column-major one.
struct Layout {
    cublasLtMatrixLayout_t layout = nullptr;
    explicit Layout(const at::Tensor& rows) {
        require(cublasLtMatrixLayoutCreate(&layout, typeOf(rows), static_cast<uint64_t>(rows.size(1)),
                                           static_cast<uint64_t>(rows.size(0)), leading(rows)),
                "a layout");
    }
    ~Layout() { cublasLtMatrixLayoutDestroy(layout); }
    Layout(const Layout&) = delete;
    Layout& operator=(const Layout&) = delete;
    static int64_t leading(const at::Tensor& rows) { return rows.size(0) > 1 ? rows.stride(0) : rows.size(1); }
};

struct Description {
    cublasLtMatmulDesc_t desc = nullptr;
    explicit Description(const GemmArgs& args) {
        const bool tf32 = typeOf(args.a) == CUDA_R_32F && deviceOptions().allowTf32;
        require(cublasLtMatmulDescCreate(&desc, tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUDA_R_32F),
                "a product");
        set(CUBLASLT_MATMUL_DESC_TRANSA, args.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N);
        set(CUBLASLT_MATMUL_DESC_TRANSB, args.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N);
        if (args.scaleA.defined()) {  // the library's first operand is our second
            set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, args.scaleB.const_data_ptr());
            set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, args.scaleA.const_data_ptr());
            set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<int8_t>(args.fastAccumulation ? 1 : 0));
        }
        if (!args.bias.defined())
            return;
        set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
        set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, typeOf(args.bias));
        set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, args.bias.const_data_ptr());
    }
    ~Description() { cublasLtMatmulDescDestroy(desc); }
    Description(const Description&) = delete;
    Description& operator=(const Description&) = delete;

    template <class T>
    void set(cublasLtMatmulDescAttributes_t attribute, T value) {
        require(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value), "a product");
    }
};

struct Product {
    const GemmArgs& args;
    Description description;
    Layout a, b, c;
    explicit Product(const GemmArgs& given) : args(given), description(given), a(given.a), b(given.b), c(given.c) {}

    cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm, void* out, void* workspace) const {
        const float alpha = 1;
        const float beta = args.accumulate ? 1 : 0;
        return cublasLtMatmul(handle(), description.desc, &alpha, args.b.const_data_ptr(), b.layout,
                              args.a.const_data_ptr(), a.layout, &beta, out, c.layout, out, c.layout, &algorithm,
                              workspace, kWorkspaceBytes, currentStream());
    }
};

std::vector<cublasLtMatmulAlgo_t> candidates(const Product& product, int wanted) {
    cublasLtMatmulPreference_t preference = nullptr;
    require(cublasLtMatmulPreferenceCreate(&preference), "a search");
    const size_t workspace = kWorkspaceBytes;
    // Parts of a sum stay in float; the other schemes round them to the output's type before they are added.
    const uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                         sizeof workspace);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes,
                                         sizeof schemes);
    const auto align = [&](cublasLtMatmulPreferenceAttributes_t which, const at::Tensor& t) {
        const uint32_t bytes = alignmentOf(t);
        cublasLtMatmulPreferenceSetAttribute(preference, which, &bytes, sizeof bytes);
    };
    align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, product.args.b);
    align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, product.args.a);
    align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, product.args.c);
    align(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, product.args.c);
    std::array<cublasLtMatmulHeuristicResult_t, kCandidates> results{};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        handle(), product.description.desc, product.b.layout, product.a.layout, product.c.layout, product.c.layout,
        preference, std::min(wanted, kCandidates), results.data(), &found);
    cublasLtMatmulPreferenceDestroy(preference);
    require(status, "no algorithm for this product");
    std::vector<cublasLtMatmulAlgo_t> algorithms;
    for (int i = 0; i < found; ++i)
        if (results[static_cast<size_t>(i)].state == CUBLAS_STATUS_SUCCESS)
            algorithms.push_back(results[static_cast<size_t>(i)].algo);
    if (algorithms.empty())
        throw Error{ErrorCode::internal, "[gemm] cuBLASLt has no algorithm for this product"};
    return algorithms;
}

double secondsOf(const Product& product, const cublasLtMatmulAlgo_t& algorithm, void* out, void* workspace) {
    if (product.run(algorithm, out, workspace) != CUBLAS_STATUS_SUCCESS)
        return std::numeric_limits<double>::infinity();
    double best = std::numeric_limits<double>::infinity();
    GpuEvent begin, end;
    for (int run = 0; run < kTimedRuns; ++run) {
        begin.record();
        if (product.run(algorithm, out, workspace) != CUBLAS_STATUS_SUCCESS)
            return std::numeric_limits<double>::infinity();
        end.record();
        end.wait();
        best = std::min(best, end.secondsSince(begin));
    }
    return best;
}

// Sums that exist already must not be damaged, so a product that accumulates is tried on other memory.
cublasLtMatmulAlgo_t search(const Product& product) {
    const GemmArgs& args = product.args;
    const auto outBytes =
        static_cast<size_t>(args.c.size(0) * Layout::leading(args.c)) * c10::elementSize(args.c.scalar_type());
    auto* memory = static_cast<uint8_t*>(scratch(kWorkspaceBytes + (args.accumulate ? outBytes : 0)));
    void* out = args.accumulate ? static_cast<void*>(memory + kWorkspaceBytes) : args.c.data_ptr();
    double best = std::numeric_limits<double>::infinity();
    const std::vector<cublasLtMatmulAlgo_t> algorithms = candidates(product, kCandidates);
    cublasLtMatmulAlgo_t winner = algorithms.front();
    for (const cublasLtMatmulAlgo_t& algorithm : algorithms) {
        const double seconds = secondsOf(product, algorithm, out, memory);
        if (seconds < best)
            best = seconds, winner = algorithm;
    }
    return winner;
}

std::string shapeKey(const GemmArgs& args) {
    std::string key;
    for (const at::Tensor* t : {&args.a, &args.b, &args.c})
        key += std::to_string(t->size(0)) + "x" + std::to_string(t->size(1)) + "/" +
               std::to_string(Layout::leading(*t)) + at::toString(t->scalar_type()) + "@" +
               std::to_string(alignmentOf(*t)) + " ";
    key += args.transposeA ? "T" : "N";
    key += args.transposeB ? "T" : "N";
    key += args.accumulate ? "+" : "=";
    key += args.bias.defined() ? "b" : "";
    key += args.fastAccumulation ? "f" : "";
    return key + (deviceOptions().allowTf32 ? "t" : "");
}

std::string hexOf(const cublasLtMatmulAlgo_t& algorithm) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (const uint64_t word : algorithm.data)
        for (int shift = 60; shift >= 0; shift -= 4)
            text += kDigits[word >> shift & 15];
    return text;
}

bool fromHex(const std::string& text, cublasLtMatmulAlgo_t& algorithm) {
    constexpr size_t kDigitsAWord = 16;
    if (text.size() != std::size(algorithm.data) * kDigitsAWord ||
        text.find_first_not_of("0123456789abcdef") != std::string::npos)
        return false;
    for (size_t word = 0; word < std::size(algorithm.data); ++word)
        algorithm.data[word] = std::stoull(text.substr(word * kDigitsAWord, kDigitsAWord), nullptr, 16);
    return true;
}

GemmCache& diskCache() {
    static GemmCache cache = [] {
        std::string device = gpuInfo().name;
        std::replace_if(
            device.begin(), device.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
        return GemmCache(cacheFolder() / ("gemm-3-" + device + "-" + std::to_string(cublasLtGetVersion()) + ".json"));
    }();
    return cache;
}

// A foreign or outdated entry must not run: the library checks it against the product.
bool fits(const Product& product, const cublasLtMatmulAlgo_t& algorithm) {
    cublasLtMatmulHeuristicResult_t result{};
    return cublasLtMatmulAlgoCheck(handle(), product.description.desc, product.b.layout, product.a.layout,
                                   product.c.layout, product.c.layout, &algorithm, &result) == CUBLAS_STATUS_SUCCESS &&
           result.workspaceSize <= kWorkspaceBytes;
}

cublasLtMatmulAlgo_t algorithmFor(const Product& product) {
    static std::map<std::string, cublasLtMatmulAlgo_t> known;
    const std::string key = shapeKey(product.args);
    if (const auto found = known.find(key); found != known.end())
        return found->second;
    cublasLtMatmulAlgo_t algorithm{};
    if (deviceOptions().deterministic) {  // two searches may end differently
        algorithm = candidates(product, 1).front();
        known.emplace(key, algorithm);
        return algorithm;
    }
    const auto stored = diskCache().find(key);
    if (!stored || !fromHex(*stored, algorithm) || !fits(product, algorithm)) {
        if (capturing())  // nothing can be timed now
            return candidates(product, 1).front();
        algorithm = search(product);
        diskCache().add(key, hexOf(algorithm));
    }
    known.emplace(key, algorithm);
    return algorithm;
}

}  // namespace

void gemm(const GemmArgs& args) {
    const Product product(args);
    const cublasLtMatmulAlgo_t algorithm = algorithmFor(product);
    require(product.run(algorithm, args.c.data_ptr(), scratch(kWorkspaceBytes)), "a product failed");
}

}  // namespace unmask::cuda
