// SPDX-License-Identifier: Apache-2.0
// Shape of the transformer. With RMSNorm, SwiGLU, no biases and an untied head the parameter count is
// 2·V·d + layers·(2d² + 2·d·k + 3·d·f + 2d) + d, where k is the width of keys and values.
#pragma once

#include <cstdint>
#include <string>

#include "engine/protocol/field_spec.h"

namespace unmask {

enum class NormKind { rmsNorm, layerNorm };
template <>
struct Choices<NormKind> {
    static constexpr std::array list{Choice{NormKind::rmsNorm, "rms_norm", {"RMSNorm", "RMSNorm"}},
                                     Choice{NormKind::layerNorm, "layer_norm", {"LayerNorm", "LayerNorm"}}};
};

enum class ActivationKind { swiglu, gelu };
template <>
struct Choices<ActivationKind> {
    static constexpr std::array list{Choice{ActivationKind::swiglu, "swiglu", {"SwiGLU (gated)", "SwiGLU（门控）"}},
                                     Choice{ActivationKind::gelu, "gelu", {"GELU", "GELU"}}};
};

enum class RouterKind { softmax, sigmoid };
template <>
struct Choices<RouterKind> {
    static constexpr std::array list{Choice{RouterKind::softmax, "softmax", {"Softmax", "Softmax"}},
                                     Choice{RouterKind::sigmoid, "sigmoid", {"Sigmoid", "Sigmoid"}}};
};

enum class ExpertBalance { none, loss, bias };
template <>
struct Choices<ExpertBalance> {
    static constexpr std::array list{Choice{ExpertBalance::none, "none", {"None", "无"}},
                                     Choice{ExpertBalance::loss, "loss", {"Auxiliary loss", "辅助损失"}},
                                     Choice{ExpertBalance::bias, "bias", {"Bias a expert", "每专家偏置"}}};
};

struct ModelConfig {
    std::string preset = "custom";
    int64_t layers = 6;
    int64_t width = 512;
    int64_t heads = 8;
    int64_t keyValueHeads = 0;
    int64_t feedForwardWidth = 1408;
    int64_t vocabularySize = 0;
    int64_t sequenceLength = 1024;
    NormKind norm = NormKind::rmsNorm;
    ActivationKind activation = ActivationKind::swiglu;
    bool biases = false;
    bool qkNorm = false;
    bool tiedHead = false;
    double ropeBase = 10000;
    double normEpsilon = 1e-5;
    double initialStd = 0.02;
    int64_t experts = 0;
    int64_t expertsPerToken = 2;
    int64_t sharedExperts = 0;
    int64_t expertWidth = 0;
    int64_t denseLayers = 0;
    RouterKind router = RouterKind::softmax;
    bool normalisedRoutes = true;
    ExpertBalance expertBalance = ExpertBalance::loss;
    double balanceCoefficient = 0.01;
    double expertCapacity = 0;

    bool isSparse(int64_t layer) const { return experts > 0 && layer >= denseLayers; }
    int64_t effectiveExpertWidth() const { return expertWidth == 0 ? feedForwardWidth : expertWidth; }
    int64_t headWidth() const { return width / heads; }
    int64_t effectiveKeyValueHeads() const { return keyValueHeads == 0 ? heads : keyValueHeads; }
    int64_t keyValueWidth() const { return effectiveKeyValueHeads() * headWidth(); }
    bool operator==(const ModelConfig&) const = default;

    static constexpr auto fields = std::tuple{
        field("preset", &ModelConfig::preset,
              {.label = {"Preset", "预设"},
               .help = {"Name of the architecture these numbers came from; only a label.",
                        "这些数值所来自的架构名称，仅作标注。"},
               .advanced = true}),
        field("layers", &ModelConfig::layers,
              {.label = {"Layers", "层数"},
               .help = {"Number of transformer blocks. More layers learn more and cost time in proportion.",
                        "Transformer 块的数量。层数越多，学得越多，耗时也成比例增加。"},
               .min = 1, .max = 1024}),
        field("width", &ModelConfig::width,
              {.label = {"Width", "宽度"},
               .help = {"Size of the hidden state. Parameters and time grow with its square.",
                        "隐藏状态的大小。参数量与耗时随其平方增长。"},
               .min = 8, .max = 65536}),
        field("heads", &ModelConfig::heads,
              {.label = {"Attention heads", "注意力头数"},
               .help = {"Must divide the width; a head of 64 suits most models.",
                        "必须整除宽度；多数模型每头 64 维较合适。"},
               .min = 1, .max = 1024}),
        field("key_value_heads", &ModelConfig::keyValueHeads,
              {.label = {"Key and value heads", "键值头数"},
               .help = {"Fewer than the attention heads saves parameters and memory (grouped heads). 0 means as many as "
                        "attention heads.",
                        "少于注意力头数可节省参数和内存（分组头）。0 表示与注意力头数相同。"},
               .min = 0, .max = 1024, .advanced = true}),
        field("feed_forward_width", &ModelConfig::feedForwardWidth,
              {.label = {"Feed-forward width", "前馈宽度"},
               .help = {"Inner size of each block's feed-forward part, usually 8/3 of the width with SwiGLU and 4 times "
                        "with GELU.",
                        "每个块前馈部分的内部大小，SwiGLU 通常取宽度的 8/3，GELU 取 4 倍。"},
               .min = 8, .max = 262144}),
        field("vocabulary_size", &ModelConfig::vocabularySize,
              {.label = {"Vocabulary", "词表大小"},
               .help = {"Rows of the embedding. 0 takes the tokenizer's size, rounded up to a multiple of 128.",
                        "嵌入的行数。0 表示采用分词器的大小，向上取整到 128 的倍数。"},
               .min = 0, .max = 4194304, .unit = "tokens", .advanced = true}),
        field("sequence_length", &ModelConfig::sequenceLength,
              {.label = {"Sequence length", "序列长度"},
               .help = {"Tokens a row. Longer rows see more context; attention cost grows with the square.",
                        "每行的 token 数。越长上下文越多；注意力开销随其平方增长。"},
               .min = 8, .max = 1048576, .unit = "tokens"}),
        field("norm", &ModelConfig::norm,
              {.label = {"Normalisation", "归一化"},
               .help = {"RMSNorm is cheaper and what current models use.", "RMSNorm 更省，现今模型多用它。"},
               .advanced = true}),
        field("activation", &ModelConfig::activation,
              {.label = {"Feed-forward", "前馈类型"},
               .help = {"SwiGLU learns better at equal cost; GELU for older architectures.",
                        "同等开销下 SwiGLU 学得更好；GELU 用于较早的架构。"},
               .advanced = true}),
        field("biases", &ModelConfig::biases,
              {.label = {"Biases", "偏置"},
               .help = {"Adds a bias to every linear layer of a block; only for compatibility.",
                        "为块内每个线性层添加偏置；仅为兼容。"},
               .advanced = true}),
        field("qk_norm", &ModelConfig::qkNorm,
              {.label = {"Normalise queries and keys", "归一化查询与键"},
               .help = {"RMSNorm over each head before the rotary positions; steadier at high learning rates.",
                        "在旋转位置编码之前对每个头做 RMSNorm；高学习率时更稳定。"},
               .advanced = true}),
        field("tied_head", &ModelConfig::tiedHead,
              {.label = {"Tie head to embedding", "输出头与嵌入共享"},
               .help = {"One matrix for input and output: fewer parameters, useful for large vocabularies.",
                        "输入输出共用一个矩阵：参数更少，适合大词表。"},
               .advanced = true}),
        field("rope_base", &ModelConfig::ropeBase,
              {.label = {"Rotary base", "旋转基数"},
               .help = {"Base of the rotary position angles; larger for long sequences.",
                        "旋转位置角的基数；长序列取更大值。"},
               .min = 1, .max = 1e9, .advanced = true}),
        field("norm_epsilon", &ModelConfig::normEpsilon,
              {.label = {"Norm epsilon", "归一化 ε"},
               .help = {"Added to the mean square before the root.", "开方前加在均方值上的小量。"},
               .min = 0, .max = 1, .advanced = true}),
        field("initial_std", &ModelConfig::initialStd,
              {.label = {"Initial spread", "初始标准差"},
               .help = {"Standard deviation of initial weights; residual projections use it divided by the root of twice "
                        "the layers.",
                        "初始权重的标准差；残差投影再除以两倍层数的平方根。"},
               .min = 0, .max = 10, .advanced = true}),
        field("experts", &ModelConfig::experts,
              {.label = {"Experts", "专家数"},
               .help = {"Feed-forward parts a sparse block chooses from; 0 makes every block dense. More experts hold "
                        "more knowledge at equal time a token, and need more memory.",
                        "稀疏块可选的前馈部分数量；0 表示每个块都是稠密的。专家越多，在每 token 耗时相同时容量越大，"
                        "也越占内存。"},
               .min = 0, .max = 4096, .advanced = true}),
        field("experts_per_token", &ModelConfig::expertsPerToken,
              {.label = {"Experts a token", "每 token 专家数"},
               .help = {"How many experts each token goes through.", "每个 token 经过的专家数量。"},
               .min = 1, .max = 64, .advanced = true}),
        field("shared_experts", &ModelConfig::sharedExperts,
              {.label = {"Shared experts", "共享专家数"},
               .help = {"Experts that every token goes through besides the chosen ones.",
                        "除所选专家外，每个 token 都经过的专家。"},
               .min = 0, .max = 64, .advanced = true}),
        field("expert_width", &ModelConfig::expertWidth,
              {.label = {"Expert width", "专家宽度"},
               .help = {"Inner size of one expert; 0 takes the feed-forward width.",
                        "单个专家的内部大小；0 表示采用前馈宽度。"},
               .min = 0, .max = 262144, .advanced = true}),
        field("dense_layers", &ModelConfig::denseLayers,
              {.label = {"Dense first layers", "起始稠密层数"},
               .help = {"Blocks at the beginning that keep an ordinary feed-forward part.",
                        "开头若干块保留普通前馈部分。"},
               .min = 0, .max = 1024, .advanced = true}),
        field("router", &ModelConfig::router,
              {.label = {"Router", "路由"},
               .help = {"How scores of experts become weights.", "专家得分如何变为权重。"}, .advanced = true}),
        field("normalised_routes", &ModelConfig::normalisedRoutes,
              {.label = {"Weights add up to 1", "权重归一"},
               .help = {"Divides the weights of the chosen experts by their sum.", "将所选专家的权重除以其总和。"},
               .advanced = true}),
        field("expert_balance", &ModelConfig::expertBalance,
              {.label = {"Balance of experts", "专家均衡"},
               .help = {"What keeps experts equally busy: a term of the loss, or a bias that follows their load.",
                        "使各专家负载均衡的方式：损失项，或随负载调整的偏置。"},
               .advanced = true}),
        field("balance_coefficient", &ModelConfig::balanceCoefficient,
              {.label = {"Balance strength", "均衡强度"},
               .help = {"Weight of the balance loss, or step of the bias.", "均衡损失的权重，或偏置的步长。"},
               .min = 0, .max = 10, .advanced = true}),
        field("expert_capacity", &ModelConfig::expertCapacity,
              {.label = {"Expert capacity", "专家容量"},
               .help = {"Most tokens an expert takes, as a multiple of its even share; tokens beyond skip it. 0 takes "
                        "all.",
                        "每个专家最多接收的 token 数，以平均份额的倍数计；超出的 token 跳过该专家。0 表示全部接收。"},
               .min = 0, .max = 64, .advanced = true})};
};

}  // namespace unmask
