// The heap cap: objects and array buffers of every kind, counted together.
#ifndef CAY_MEMORY_H_
#define CAY_MEMORY_H_

#include <v8.h>

#include <atomic>
#include <memory>

namespace cay {

// What an isolate maps besides its heap; the process's limits leave room for it.
constexpr size_t kCodeRange = 64 << 20;     // V8's default is 512 MB, all of it writable
constexpr size_t kMaxSemiSpace = 16 << 20;  // three of them make the young generation

class MemoryLimit {
 public:
  explicit MemoryLimit(size_t cap);

  void Constrain(v8::ResourceConstraints* constraints) const;
  void Watch(v8::Isolate* isolate);
  // From here on the heap may grow past the cap: V8 needs room to write a snapshot.
  void Lift();

  bool exceeded() const { return exceeded_; }
  std::shared_ptr<v8::ArrayBuffer::Allocator> allocator() const { return allocator_; }

 private:
  class Allocator;
  bool Reserve(size_t bytes);
  void Release(size_t bytes) { buffers_ -= bytes; }
  static size_t NearLimit(void* data, size_t current, size_t initial);
  static void AfterCollection(v8::Isolate* isolate, v8::GCType type, v8::GCCallbackFlags flags, void* data);

  const size_t cap_;
  std::atomic<size_t> objects_{0};  // as of the last full collection
  std::atomic<size_t> buffers_{0};
  std::atomic<bool> exceeded_{false};
  std::atomic<bool> lifted_{false};
  v8::Isolate* isolate_ = nullptr;
  std::shared_ptr<v8::ArrayBuffer::Allocator> allocator_;
};

}  // namespace cay

#endif  // CAY_MEMORY_H_
