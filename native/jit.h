// V8 turns its optimising compilers off in an isolate that will be serialised, by one bool inside the isolate.
// Clearing it while code runs, and setting it again before the snapshot, keeps the JIT on.
#ifndef CAY_JIT_H_
#define CAY_JIT_H_

#include <v8.h>

namespace cay {

struct Host;

// The offset of that bool, or -1 where it cannot be told. Leaks the isolates it compares: for a process of its own.
int FindSerializerFlag(const Host& host);

class JitSwitch {
 public:
  explicit JitSwitch(int offset) : offset_(offset) {}
  void Set(v8::Isolate* isolate, bool serialising) const {
    if (offset_ >= 0) reinterpret_cast<unsigned char*>(isolate)[offset_] = serialising;
  }
  bool available() const { return offset_ >= 0; }

 private:
  int offset_;
};

// Compiles `source` with V8's natives syntax allowed; it is allowed for nothing else, and never while anything runs.
v8::MaybeLocal<v8::Script> CompileWithNatives(v8::Local<v8::Context> context, const char* source);

// Whether a hot function gets optimised in a serialising isolate, with the switch used.
bool Optimises(const Host& host, const JitSwitch& jit);

}  // namespace cay

#endif  // CAY_JIT_H_
