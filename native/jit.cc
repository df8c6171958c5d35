#include "jit.h"

#include <malloc.h>

#include <string>
#include <vector>

#include "isolate.h"

namespace cay {

int FindSerializerFlag(const Host& host) {
  std::vector<v8::Isolate*> plain, serialising;
  for (int i = 0; i < 2; i++) {
    v8::Isolate* isolate = AllocateIsolate(host);
    v8::Isolate::Initialize(isolate, BasicParams(nullptr));
    plain.push_back(isolate);
  }
  for (int i = 0; i < 2; i++) {
    v8::Isolate* isolate = AllocateIsolate(host);
    new v8::SnapshotCreator(isolate, BasicParams(nullptr));
    serialising.push_back(isolate);
  }
  auto byte = [](v8::Isolate* isolate, size_t i) { return reinterpret_cast<unsigned char*>(isolate)[i]; };
  int found = -1, matches = 0;
  for (size_t i = 0; i < malloc_usable_size(plain[0]); i++) {
    if (byte(plain[0], i) == 0 && byte(plain[1], i) == 0 && byte(serialising[0], i) == 1 &&
        byte(serialising[1], i) == 1) {
      found = static_cast<int>(i);
      matches++;
    }
  }
  serialising[1]->Exit();  // a SnapshotCreator enters its isolate
  serialising[0]->Exit();
  return matches == 1 ? found : -1;
}

v8::MaybeLocal<v8::Script> CompileWithNatives(v8::Local<v8::Context> context, const char* source) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::String> text;
  if (!v8::String::NewFromUtf8(isolate, source).ToLocal(&text)) return {};
  v8::V8::SetFlagsFromString("--allow-natives-syntax");
  v8::MaybeLocal<v8::Script> script = v8::Script::Compile(context, text);
  v8::V8::SetFlagsFromString("--no-allow-natives-syntax");
  return script;
}

namespace {

// V8's status bits of a function after hot work, which stops early once one of `wanted` is set. Which bit is which differs
// by version: a mask is made by comparing isolates.
int32_t HotStatus(v8::Local<v8::Context> context, int32_t wanted, int milliseconds) {
  std::string source =
      "function hot(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum }"
      "const until = Date.now() + " +
      std::to_string(milliseconds) + "; do hot(1000); while (Date.now() < until && !(%GetOptimizationStatus(hot) & " +
      std::to_string(wanted) + ")); %GetOptimizationStatus(hot)";
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> status;
  if (!CompileWithNatives(context, source.c_str()).ToLocal(&script) || !script->Run(context).ToLocal(&status)) return 0;
  return status->IsInt32() ? status.As<v8::Int32>()->Value() : 0;
}

int32_t StatusInPlain(const Host& host, int32_t wanted, int milliseconds) {
  v8::Isolate* isolate = AllocateIsolate(host);
  v8::Isolate::Initialize(isolate, BasicParams(nullptr));
  int32_t status;
  {
    v8::Isolate::Scope isolate_scope(isolate);
    v8::HandleScope scope(isolate);
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    v8::Context::Scope context_scope(context);
    status = HotStatus(context, wanted, milliseconds);
  }
  host.platform->DisposeIsolate(isolate);
  return status;
}

int32_t StatusInSerialising(const Host& host, const JitSwitch& jit, int32_t wanted, int milliseconds) {
  v8::Isolate* isolate = AllocateIsolate(host);
  int32_t status;
  {
    v8::SnapshotCreator creator(isolate, BasicParams(nullptr));
    v8::HandleScope scope(isolate);
    v8::Local<v8::Context> context = v8::Context::New(isolate);
    v8::Context::Scope context_scope(context);
    jit.Set(isolate, false);
    status = HotStatus(context, wanted, milliseconds);
    jit.Set(isolate, true);
  }
  host.platform->DisposeIsolate(isolate);
  return status;
}

}  // namespace

bool Optimises(const Host& host, const JitSwitch& jit) {
  constexpr int kShort = 300, kLong = 10000;
  int32_t never = StatusInSerialising(host, JitSwitch(-1), 0, kShort);
  int32_t optimised = StatusInPlain(host, ~never, kLong) & ~never;
  return optimised != 0 && (StatusInSerialising(host, jit, optimised, jit.available() ? kLong : kShort) & optimised) != 0;
}

}  // namespace cay
