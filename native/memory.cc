#include "memory.h"

#include <algorithm>
#include <cstdlib>

namespace cay {

namespace {

constexpr size_t kMegabyte = 1 << 20;
constexpr size_t kUnwindingRoom = 32 * kMegabyte;

}  // namespace

class MemoryLimit::Allocator : public v8::ArrayBuffer::Allocator {
 public:
  explicit Allocator(MemoryLimit* limit) : limit_(limit) {}
  void* Allocate(size_t length) override { return Take(length, [](size_t size) { return calloc(size, 1); }); }
  void* AllocateUninitialized(size_t length) override { return Take(length, malloc); }
  void Free(void* data, size_t length) override {
    free(data);
    limit_->Release(length);
  }

 private:
  template <typename Allocate>
  void* Take(size_t length, Allocate allocate) {
    if (!limit_->Reserve(length)) return nullptr;
    void* data = allocate(std::max<size_t>(length, 1));
    if (!data) limit_->Release(length);
    return data;
  }
  MemoryLimit* limit_;
};

MemoryLimit::MemoryLimit(size_t cap) : cap_(cap), allocator_(std::make_shared<Allocator>(this)) {}

void MemoryLimit::Constrain(v8::ResourceConstraints* constraints) const {
  size_t semi_space = std::clamp(cap_ / 8, kMegabyte, kMaxSemiSpace);
  constraints->set_max_old_generation_size_in_bytes(cap_);
  constraints->set_max_young_generation_size_in_bytes(3 * semi_space);
  constraints->set_code_range_size_in_bytes(kCodeRange);
}

void MemoryLimit::Watch(v8::Isolate* isolate) {
  isolate_ = isolate;
  isolate->AddNearHeapLimitCallback(NearLimit, this);
  isolate->AddGCEpilogueCallback(AfterCollection, this, v8::kGCTypeMarkSweepCompact);
}

void MemoryLimit::Lift() { lifted_ = true; }

bool MemoryLimit::Reserve(size_t bytes) {
  size_t taken = buffers_.fetch_add(bytes) + bytes;
  if (lifted_ || taken + objects_ <= cap_) return true;
  buffers_ -= bytes;
  return false;
}

// The first time, the run is stopped and given room to unwind; if that is not enough, V8 reports out of memory.
size_t MemoryLimit::NearLimit(void* data, size_t current, size_t) {
  auto* limit = static_cast<MemoryLimit*>(data);
  if (limit->lifted_) return current + std::max(current / 2, kUnwindingRoom);
  if (limit->exceeded_.exchange(true)) return current;
  limit->isolate_->TerminateExecution();
  return current + kUnwindingRoom;
}

void MemoryLimit::AfterCollection(v8::Isolate* isolate, v8::GCType, v8::GCCallbackFlags, void* data) {
  auto* limit = static_cast<MemoryLimit*>(data);
  v8::HeapStatistics statistics;
  isolate->GetHeapStatistics(&statistics);
  limit->objects_ = statistics.used_heap_size();
  // Resizable array buffers pass the allocator by; V8 counts them as external memory, and collects when it grows.
  size_t buffers = std::max<size_t>(limit->buffers_, statistics.external_memory());
  if (limit->lifted_ || limit->objects_ + buffers <= limit->cap_) return;
  if (!limit->exceeded_.exchange(true)) isolate->TerminateExecution();
}

}  // namespace cay
