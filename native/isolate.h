// Making and freeing the isolates that runs happen in.
#ifndef CAY_ISOLATE_H_
#define CAY_ISOLATE_H_

#include <node.h>
#include <v8.h>

#include <memory>

namespace cay {

// What Node lends: its platform, which every isolate of the process must be registered with.
struct Host {
  node::MultiIsolatePlatform* platform;
  node::IsolatePlatformDelegate* delegate;
};

// The host of the Node process that `isolate` is the main isolate of. Lives as long as the process.
Host HostOf(v8::Isolate* isolate);

v8::Isolate* AllocateIsolate(const Host& host);

// External references and snapshot; limits and allocator are the caller's.
v8::Isolate::CreateParams BasicParams(const v8::StartupData* heap);

}  // namespace cay

#endif  // CAY_ISOLATE_H_
