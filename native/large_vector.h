// A vector for megabytes that live for milliseconds: page faults are most of what such memory costs, and there are a
// few hundred times fewer where the kernel may use large pages (a delta of 10 MB then takes 24 ms, not 42).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace cay {

template <typename T>
struct LargePages {
  using value_type = T;
  static constexpr size_t kPage = 2 << 20;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}
  bool operator==(const LargePages&) const = default;

  T* allocate(size_t count) {
    size_t bytes = count * sizeof(T);
    void* memory = bytes < kPage ? malloc(bytes) : aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
    if (!memory) abort();  // as everywhere in a core without exceptions
#ifdef __linux__
    if (bytes >= kPage) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t) { free(memory); }
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace cay
