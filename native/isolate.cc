#include "isolate.h"

#include "references.h"

namespace cay {

namespace {

// Foreground tasks have no event loop to run on: a run is one blocking call. V8 finishes concurrent compiles through
// interrupts and its collector by itself, so what is posted here can be dropped.
class NoTasks : public v8::TaskRunner {
 public:
  bool IdleTasksEnabled() override { return false; }
  bool NonNestableTasksEnabled() const override { return true; }
  bool NonNestableDelayedTasksEnabled() const override { return true; }
};

class Delegate : public node::IsolatePlatformDelegate {
 public:
  std::shared_ptr<v8::TaskRunner> GetForegroundTaskRunner() override { return tasks_; }
  bool IdleTasksEnabled() override { return false; }

 private:
  std::shared_ptr<v8::TaskRunner> tasks_ = std::make_shared<NoTasks>();
};

}  // namespace

Host HostOf(v8::Isolate* isolate) {
  static Delegate* delegate = new Delegate();
  node::Environment* env = node::GetCurrentEnvironment(isolate->GetCurrentContext());
  return {node::GetMultiIsolatePlatform(env), delegate};
}

v8::Isolate* AllocateIsolate(const Host& host) {
  v8::Isolate* isolate = v8::Isolate::Allocate();
  host.platform->RegisterIsolate(isolate, host.delegate);  // before Initialize, or V8's first task aborts
  return isolate;
}

v8::Isolate::CreateParams BasicParams(const v8::StartupData* heap) {
  v8::Isolate::CreateParams params;
  params.array_buffer_allocator_shared.reset(v8::ArrayBuffer::Allocator::NewDefaultAllocator());
  params.external_references = ExternalReferences();
  params.snapshot_blob = heap;
  return params;
}

}  // namespace cay
