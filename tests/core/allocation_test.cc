// A decode step that records nothing allocates nothing: every operator new of
// this program is counted, and where the C library lets a program replace it,
// the aligned_alloc of buffers too.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "core/base/buffer.h"
#include "core/generate/sampler.h"
#include "core/generate/session.h"
#include "tests/core/random_model.h"
#include "tests/core/test_kernels.h"

namespace {
std::size_t allocations = 0;
#ifdef __GLIBC__
std::size_t buffer_bytes = 0;  // of aligned_alloc
#endif
}  // namespace

// Not inlined: GCC warns of a mismatch when it inlines only one of a pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size);
  if (memory == nullptr) std::abort();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size,
                                     const std::nothrow_t&) noexcept {
  return operator new(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#ifdef __GLIBC__
extern "C" void* aligned_alloc(std::size_t alignment,
                               std::size_t size) noexcept {
  ++allocations;
  buffer_bytes += size;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
#endif

namespace attnscope {
namespace {

#ifdef __GLIBC__
TEST(Allocation, OfABufferIsCounted) {
  const std::size_t before = allocations;
  const std::size_t bytes_before = buffer_bytes;
  EXPECT_TRUE(FloatBuffer::allocate(2, 3, "a test").ok());
  EXPECT_EQ(allocations, before + 1);
  EXPECT_EQ(buffer_bytes, bytes_before + kAlignment);
}

// What a session is refused for is what it takes, but for the rounding of each
// buffer.
TEST(Allocation, OfASessionIsAsTold) {
  for (const std::string& kind : random_model_kinds()) {
    const ModelConfig config = random_model_config(kind);
    const Kernels& kernels = *kernels_under_test().front();
    const auto model = make_random_model(config, kernels, 1);
    std::vector<Index> windows;
    for (Index layer = 0; layer < config.num_layers; ++layer)
      windows.push_back(config.window(layer));
    for (const Index capacity : {1, 7, 40, 400}) {
      if (capacity > config.context) continue;
      const std::uint64_t told =
          KvCache::allocated_bytes({config.num_kv_heads, config.head_dim,
                                    capacity, kernels.panel_width, windows}) +
          Workspace::allocated_bytes(config, capacity, 0) +
          sizeof(float) * static_cast<std::uint64_t>(config.vocabulary_size);
      const std::size_t before = buffer_bytes;
      const std::size_t count_before = allocations;
      ASSERT_TRUE(Session::make(model, capacity).ok());
      const std::size_t taken = buffer_bytes - before;
      EXPECT_GE(taken, told) << kind;
      EXPECT_LE(taken, told + (allocations - count_before) * kAlignment)
          << kind;
    }
  }
}
#endif

TEST(Allocation, DecodeStepAndSamplingAllocateNothing) {
  for (const Kernels* kernels : kernels_under_test()) {
    for (const std::string& kind : random_model_kinds()) {
      const ModelConfig config = random_model_config(kind);
      const auto model = make_random_model(config, *kernels, 1);
      auto session = Session::make(model, 40);
      ASSERT_TRUE(session.ok());
      ASSERT_TRUE(
          session.value().prefill(random_tokens(config, 3, 1), {}).ok());
      SamplerOptions options;
      options.temperature = 0.8f;
      options.top_k = 10;
      options.top_p = 0.9f;
      auto sampler = Sampler::make(options, *kernels, config.vocabulary_size);
      ASSERT_TRUE(sampler.ok());

      const std::size_t before = allocations;
      for (int step = 0; step < 30; ++step) {
        const Index token =
            sampler.value().sample(session.value().last_logits());
        if (!session.value()
                 .decode_step(static_cast<std::int32_t>(token))
                 .ok()) {
          break;
        }
      }
      EXPECT_EQ(allocations, before) << kind;
      EXPECT_EQ(session.value().length(), 33);
    }
  }
}

}  // namespace
}  // namespace attnscope
