#include "loop.h"

#include <unistd.h>

#include "limits.h"
#include "lockdown.h"
#include "run.h"

namespace cay {

namespace {

constexpr size_t kWarmUpCap = 64u << 20;

// Touches everything a run touches, so that no thread, arena or page of code is new once the lock is on.
void WarmUp(const Host& host, const JitSwitch& jit, const Parts& parts, const v8::StartupData& base) {
  Wire nobody(-1);
  RunRequest request;
  request.heap_cap = kWarmUpCap;
  request.max_result = 1024;
  request.max_pending_calls = 1;
  request.max_call = 64;
  request.keep_heap = true;
  request.config = kPlainConfig;
  request.source = "{ let sum = 0; for (let i = 0; i < 2e5; i++) sum += i % 7; sum }";
  delete[] Run(host, jit, parts, &nobody, request).Execute(base).heap.data;
}

void SendHeap(Wire* wire, const Run::Ended& ended) {
  if (!ended.heap.data) return wire->Write(FrameType::kHeapError, ended.heap_error);
  wire->Write(FrameType::kSnapshot, {ended.heap.data, static_cast<size_t>(ended.heap.raw_size)});
  delete[] ended.heap.data;
}

[[noreturn]] void Refuse(Wire* wire, const char* why) {
  wire->Write(FrameType::kFatal, Body().U8(0).Rest(why).view());
  _exit(2);
}

}  // namespace

void Serve(const Host& host, const ServeOptions& options) {
  Wire wire(options.descriptor);
  JitSwitch jit(options.jit_offset);
  std::string_view base_heap = MapFile(options.base_heap_path);
  if (base_heap.empty()) Refuse(&wire, "The base heap cannot be read");
  v8::StartupData base{base_heap.data(), static_cast<int>(base_heap.size())};
  Parts parts(MapFile(options.parts_path));
  WarmUp(host, jit, parts, base);
  SetProcessLimits(options.max_heap_cap);
  Lock lock = LockDown(options.descriptor);
  if (!lock.closed) Refuse(&wire, ("The isolate process could not be locked: " + lock.gap).c_str());
  wire.Write(FrameType::kReady, lock.gap);

  std::string heap;
  for (;;) {
    Frame frame = wire.Read();
    if (frame.type == FrameType::kHeap) {
      heap = std::move(frame.body);
    } else if (frame.type == FrameType::kProbe) {
      int error = TryForbidden(static_cast<Probe>(Fields(frame.body).U8()));
      wire.Write(FrameType::kProbed, Body().U32(static_cast<uint32_t>(error)).view());
    } else if (frame.type == FrameType::kRun) {
      RunRequest request;
      if (!RunRequest::Parse(frame.body, &request)) Refuse(&wire, "The isolate process was sent a run that it cannot read");
      frame.body = {};
      v8::StartupData own{heap.data(), static_cast<int>(heap.size())};
      SetDataLimit(request.heap_cap + 2 * heap.size());
      Run::Ended ended = Run(host, jit, parts, &wire, request).Execute(heap.empty() ? base : own);
      heap = {};
      if (ended.saves) SendHeap(&wire, ended);
      if (!ended.reusable || !TrimMemory()) _exit(0);  // a run that was already sent here is given to another
    }  // a late reply to a run that has ended: nobody waits for it
  }
}

}  // namespace cay
