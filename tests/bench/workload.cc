// See workload.h. Shapes are those of GPT-2 small: width 768, 12 heads of 64.
#include "tests/bench/workload.h"

#include <memory>
#include <utility>

#include "core/attention/attention.h"
#include "core/kernels/matmul.h"
#include "tests/bench/peak.h"

namespace attnscope {
namespace {

constexpr Index kWidth = 768;
constexpr Index kNumHeads = 12;
constexpr Index kHeadDim = kWidth / kNumHeads;

// Values in [-1, 1), the same in every run.
float value_at(Index i) {
  const auto hash = static_cast<unsigned>(i) * 2654435761u;
  return static_cast<float>(hash >> 8) * 0x1p-23f - 1;
}

std::vector<float> values(Index count) {
  std::vector<float> result(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i)
    result[static_cast<std::size_t>(i)] = value_at(i);
  return result;
}

PackedMatrix packed_values(Index depth, Index columns, Index panel_width) {
  PackedMatrix matrix =
      std::move(PackedMatrix::allocate(depth, columns, panel_width,
                                       Storage::kFloat32, "benchmark")
                    .value());
  for (Index k = 0; k < depth; ++k)
    for (Index c = 0; c < columns; ++c)
      matrix.at(k, c) = value_at(k * columns + c);
  return matrix;
}

Workload peak(const Kernels& kernels) {
  constexpr Index kIterations = 100000;
  const PeakLoop loop = peak_loop(kernels.name);
  return {"multiply-add peak", loop.flops_per_iteration * kIterations, true,
          [loop] {
            volatile float kept = loop.run(kIterations);
            (void)kept;
          }};
}

Workload product(const Kernels& kernels, Index rows, Index columns) {
  struct State {
    std::vector<float> left, output;
    PackedMatrix right;
  };
  auto state = std::make_shared<State>(
      State{values(rows * kWidth), values(rows * columns),
            packed_values(kWidth, columns, kernels.panel_width)});
  return {"product " + std::to_string(rows) + "x" + std::to_string(kWidth) +
              "x" + std::to_string(columns),
          2.0 * static_cast<double>(rows * kWidth * columns), true,
          [&kernels, state, rows, columns] {
            matmul(kernels, state->left.data(), kWidth, state->right.view(),
                   rows, state->output.data(), columns, false);
          }};
}

// Of `num_queries` queries at the end of a text of `num_keys`.
Workload attention(const Kernels& kernels, Index num_queries, Index num_keys,
                   bool causal) {
  struct State {
    std::vector<float> query, head_output;
    std::vector<PackedMatrix> keys, values;
    std::vector<KeyValueView> kv_heads;
    std::vector<HeadSettings> heads;
  };
  auto state = std::make_shared<State>();
  state->query = values(num_queries * kWidth);
  state->head_output = values(num_queries * kWidth);
  HeadSettings settings;
  settings.scale = 0.125f;
  if (causal) settings.mask = Mask::causal();
  state->heads.assign(kNumHeads, settings);
  for (Index head = 0; head < kNumHeads; ++head) {
    state->keys.push_back(
        packed_values(kHeadDim, num_keys, kernels.panel_width));
    state->values.push_back(
        packed_values(num_keys, kHeadDim, kernels.panel_width));
    state->kv_heads.push_back(
        {state->keys.back().view(), state->values.back().view()});
  }
  // Causal attention is counted by what it must compute, half of the cells.
  double cells = static_cast<double>(num_queries * num_keys);
  if (causal) cells -= static_cast<double>(num_queries * (num_queries - 1)) / 2;
  return {"attention " + std::to_string(num_queries) + "x" +
              std::to_string(num_keys) + (causal ? " causal" : " full"),
          4.0 * cells * kWidth, true, [&kernels, state, num_queries, num_keys] {
            AttentionInput input;
            input.query = state->query.data();
            input.num_queries = num_queries;
            input.num_keys = num_keys;
            input.head_dim = kHeadDim;
            input.first_query = num_keys - num_queries;
            input.heads = state->heads;
            input.kv_heads = state->kv_heads;
            attend_streaming(kernels, input, state->head_output.data());
          }};
}

// A row kernel on 1024 elements; `run` gets x and y, each of that size.
Workload row(const char* name, std::function<void(float*, float*, Index)> run) {
  constexpr Index kLength = 1024;
  auto x = std::make_shared<std::vector<float>>(values(kLength));
  auto y = std::make_shared<std::vector<float>>(values(kLength));
  return {name, kLength, false,
          [x, y, run = std::move(run)] { run(x->data(), y->data(), kLength); }};
}

}  // namespace

std::vector<Workload> make_workloads(const Kernels& kernels) {
  const Kernels* k = &kernels;
  std::vector<Workload> workloads;
  workloads.push_back(peak(kernels));
  for (Index rows : {1, 2, 4, 5, 8, 64, 256, 1024})
    workloads.push_back(product(kernels, rows, kWidth));
  workloads.push_back(product(kernels, 1, 50257));
  workloads.push_back(attention(kernels, 1024, 1024, false));
  workloads.push_back(attention(kernels, 1024, 1024, true));
  workloads.push_back(attention(kernels, 128, 128, false));
  workloads.push_back(attention(kernels, 1, 1024, true));

  workloads.push_back(row("maximum", [k](float* x, float* y, Index n) {
    y[0] = k->maximum(x, n);
  }));
  workloads.push_back(row("exponentials", [k](float* x, float* y, Index n) {
    k->exponentials(x, 1, 1, y, n);
  }));
  // By 1 and by -0, so that values neither grow nor vanish from run to run.
  workloads.push_back(
      row("scale", [k](float* x, float*, Index n) { k->scale(1.0f, x, n); }));
  workloads.push_back(
      row("add", [k](float* x, float* y, Index n) { k->add(x, y, n); }));
  workloads.push_back(row("layer_norm", [k](float* x, float* y, Index n) {
    k->layer_norm(x, x, x, 1e-5f, y, n);
  }));
  workloads.push_back(row("rms_norm", [k](float* x, float* y, Index n) {
    k->rms_norm(x, x, 1e-5f, y, n);
  }));
  // Activations work in place and shrink what they are given again and again:
  // they get a fresh copy, whose cost is small beside theirs.
  const auto activation = [](const char* name,
                             void (*function)(float*, Index)) {
    return row(name, [function](float* x, float* y, Index n) {
      for (Index i = 0; i < n; ++i) y[i] = x[i];
      function(y, n);
    });
  };
  workloads.push_back(activation("gelu_erf", k->gelu_erf));
  workloads.push_back(activation("gelu_tanh", k->gelu_tanh));
  workloads.push_back(activation("silu", k->silu));
  return workloads;
}

}  // namespace attnscope
