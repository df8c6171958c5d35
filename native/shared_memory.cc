#include "shared_memory.h"

namespace cay {

namespace {

// Counted in full, every 64 MB of heaps that come and go cost a full collection in each thread: 1 ms of processor time a
// run. A part of it keeps what has piled up within 256 MB.
constexpr int64_t kCountedPart = 4;

struct Counted {
  v8::Global<v8::SharedArrayBuffer> buffer;
  int64_t bytes;
};

void Forget(const v8::WeakCallbackInfo<Counted>& info) {
  Counted* counted = info.GetParameter();
  info.GetIsolate()->AdjustAmountOfExternalAllocatedMemory(-counted->bytes);
  delete counted;
}

}  // namespace

void CountSharedMemory(v8::Isolate* isolate, v8::Local<v8::SharedArrayBuffer> buffer) {
  auto* counted = new Counted{v8::Global<v8::SharedArrayBuffer>(isolate, buffer),
                              static_cast<int64_t>(buffer->ByteLength()) / kCountedPart};
  isolate->AdjustAmountOfExternalAllocatedMemory(counted->bytes);
  counted->buffer.SetWeak(
      counted,
      [](const v8::WeakCallbackInfo<Counted>& info) {
        info.GetParameter()->buffer.Reset();
        info.SetSecondPassCallback(Forget);
      },
      v8::WeakCallbackType::kParameter);
}

}  // namespace cay
