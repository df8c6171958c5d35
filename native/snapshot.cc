// What has to happen to a heap before V8 can serialise it, and after.
#include "heap_refs.h"
#include "run.h"

namespace cay {

namespace {

// Optimised code cannot be serialised. Switching precise coverage on and off deoptimises everything, and waits for
// compile jobs in flight.
bool DropOptimisedCode(v8::Local<v8::Context> context) {
  v8::Local<v8::Script> script;
  return CompileWithNatives(context, "%DebugTogglePreciseCoverage(true); %DebugTogglePreciseCoverage(false);")
             .ToLocal(&script) &&
         !script->Run(context).IsEmpty();
}

}  // namespace

bool Run::PrepareSnapshot(v8::Local<v8::Context> context, std::string* why) {
  v8::TryCatch caught(isolate_);
  if (Call(context, Hook::kBeforeSnapshot, 0, nullptr).IsEmpty()) {
    *why = "The prelude could not let go of what cannot be saved";
    return false;
  }
  Calls(context)->Clear();
  if (!DropOptimisedCode(context)) {
    *why = "Optimised code could not be dropped";
    return false;
  }
  return true;
}

v8::StartupData CreateBlob(v8::SnapshotCreator* creator) {
  // kClear makes an error thrown behind a suspended async function fatal after a restore.
  v8::StartupData heap = creator->CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  // The bytes are new[]ed and now ours: V8 has them const for those that only read them.
  if (heap.data) DropAddresses({reinterpret_cast<uint8_t*>(const_cast<char*>(heap.data)), size_t(heap.raw_size)});
  return heap;
}

}  // namespace cay
