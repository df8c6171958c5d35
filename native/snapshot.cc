// What has to happen to a heap before V8 can serialise it.
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

}  // namespace cay
