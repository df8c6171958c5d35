#include "run.h"

#include <time.h>

#include "limits.h"
#include "text.h"

namespace cay {

namespace {

v8::MaybeLocal<v8::Promise> NoImports(v8::Local<v8::Context> context, v8::Local<v8::Data>, v8::Local<v8::Value>,
                                      v8::Local<v8::String>, v8::Local<v8::FixedArray>) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Promise::Resolver> resolver;
  if (!v8::Promise::Resolver::New(context).ToLocal(&resolver)) return {};
  v8::Local<v8::Value> error = v8::Exception::TypeError(
      Literal(isolate, "import() is not supported: there are no modules here, only the globals"));
  if (resolver->Reject(context, error).IsNothing()) return {};
  return resolver->GetPromise();
}

}  // namespace

double Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

bool RunRequest::Parse(std::string_view body, RunRequest* request) {
  Fields fields(body);
  request->heap_cap = fields.U64();
  request->max_output = fields.U64();
  request->max_result = fields.U32();
  request->max_pending_calls = fields.U32();
  request->max_call = fields.U32();
  request->keep_heap = fields.U8() != 0;
  request->config = fields.Text();
  request->source = fields.Text();
  return fields.ok() && fields.Rest().empty();
}

Run::Run(const Host& host, const JitSwitch& jit, const Parts& parts, Wire* wire, const RunRequest& request)
    : host_(host),
      jit_(jit),
      parts_(parts),
      wire_(wire),
      request_(request),
      memory_(request.heap_cap),
      started_(Now()) {
  isolate_ = AllocateIsolate(host);
}

Run::~Run() { host_.platform->DisposeIsolate(isolate_); }

double Run::Elapsed() const { return Now() - started_; }

v8::Isolate::CreateParams Run::Params(const v8::StartupData* heap) const {
  v8::Isolate::CreateParams params = BasicParams(heap);
  params.array_buffer_allocator_shared = memory_.allocator();
  memory_.Constrain(&params.constraints);
  params.allow_atomics_wait = false;
  return params;
}

void Run::Install(v8::Isolate* isolate) {
  isolate->SetData(0, this);
  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);  // or one runs in the middle of a snapshot
  isolate->SetPrepareStackTraceCallback(PrepareStack);
  isolate->SetPromiseRejectCallback(OnRejection);
  isolate->SetHostImportModuleDynamicallyCallback(NoImports);
  InstallCrashReports(isolate, wire_);
  memory_.Watch(isolate);
}

Run::Ended Run::Execute(const v8::StartupData& heap) {
  Ended ended{true, false, {}, {nullptr, 0}, {}};
  bool prepared = false;
  v8::SnapshotCreator creator(isolate_, Params(&heap));
  Install(isolate_);
  {
    v8::HandleScope scope(isolate_);
    v8::Local<v8::Context> context = v8::Context::New(isolate_);  // the default context of the heap
    v8::Context::Scope context_scope(context);
    double restored = Now();
    jit_.Set(isolate_, false);
    Described described = RunSource(context);
    SendOutcome(described, restored - started_, Now() - restored);
    jit_.Set(isolate_, true);  // before optimised code is dropped, or more of it may appear
    ended.reusable = described.status != Status::kOutOfMemory;
    ended.saves = request_.keep_heap && described.status == Status::kCompleted;
    ended.text = std::move(described.second);
    if (ended.saves) {
      LiftDataLimit();
      memory_.Lift();
      prepared = PrepareSnapshot(context, &ended.heap_error);
    }
    if (prepared) creator.SetDefaultContext(context);
    rejections_.clear();
  }
  if (prepared) ended.heap = CreateBlob(&creator);
  if (prepared && !ended.heap.data) ended.heap_error = "V8 made no snapshot";
  return ended;
}

v8::MaybeLocal<v8::Value> Run::Call(v8::Local<v8::Context> context, Hook hook, int count,
                                    v8::Local<v8::Value>* arguments) {
  v8::Local<v8::Data> hooks = context->GetEmbedderDataV2(kHooksField);
  v8::Local<v8::Value> function;
  if (!hooks.As<v8::Array>()->Get(context, static_cast<uint32_t>(hook)).ToLocal(&function)) return {};
  if (!function->IsFunction()) return {};
  return function.As<v8::Function>()->Call(context, v8::Undefined(isolate_), count, arguments);
}

v8::Local<v8::Map> Run::Calls(v8::Local<v8::Context> context) const {
  return context->GetEmbedderDataV2(kCallsField).As<v8::Map>();
}

v8::MaybeLocal<v8::Value> Run::PrepareStack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                            v8::Local<v8::Array> sites) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::TryCatch caught(isolate);
  v8::Local<v8::Value> arguments[] = {error, sites}, stack;
  if (Of(isolate)->Call(context, Hook::kPrepareStack, 2, arguments).ToLocal(&stack)) return stack;
  if (caught.HasTerminated()) {
    caught.ReThrow();
    return {};
  }
  return v8::Undefined(isolate).As<v8::Value>();
}

Run::Described Run::RunSource(v8::Local<v8::Context> context) {
  v8::TryCatch caught(isolate_);
  v8::Local<v8::String> config, source;
  v8::Local<v8::Value> begun;
  if (!FromUtf8(isolate_, request_.config).ToLocal(&config) || !FromUtf8(isolate_, request_.source).ToLocal(&source)) {
    return {Status::kOutOfMemory, {}, {}, {}};
  }
  v8::Local<v8::Value> arguments[] = {config, source};
  if (!Call(context, Hook::kBegin, 2, arguments).ToLocal(&begun) || !begun->IsArray()) {
    return DescribeThrown(context, caught.Exception(), Status::kThrown);
  }
  v8::Local<v8::Value> text, name;
  if (!begun.As<v8::Array>()->Get(context, 0).ToLocal(&text) || !begun.As<v8::Array>()->Get(context, 1).ToLocal(&name) ||
      !text->IsString() || !name->IsString()) {
    return DescribeThrown(context, caught.Exception(), Status::kThrown);
  }
  v8::ScriptOrigin origin(name);
  v8::Local<v8::Script> script;
  if (!v8::Script::Compile(context, text.As<v8::String>(), &origin).ToLocal(&script)) {
    return NotCompiled(context, caught, ToUtf8(isolate_, name));
  }
  v8::Local<v8::Value> completion;
  if (!script->Run(context).ToLocal(&completion)) {
    return DescribeThrown(context, caught.Exception(), Status::kThrown);
  }
  // The config is ours: `wrapped` is its first key. The completion of a wrapped source is a promise of a box.
  return Finish(context, completion);
}

Run::Described Run::Finish(v8::Local<v8::Context> context, v8::Local<v8::Value> completion) {
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Value> value = completion;
  if (request_.config.starts_with("{\"wrapped\":true") && completion->IsPromise()) {
    v8::Local<v8::Promise> body = completion.As<v8::Promise>();
    body->MarkAsHandled();
    Drive(context, body);
    if (memory_.exceeded()) return {Status::kOutOfMemory, {}, {}, {}};
    if (body->State() == v8::Promise::kPending) return {Status::kStuck, {}, {}, {}};
    if (body->State() == v8::Promise::kRejected) return DescribeThrown(context, body->Result(), Status::kThrown);
    v8::Local<v8::Value> box = body->Result();
    if (!box->IsArray() || !box.As<v8::Array>()->Get(context, 0).ToLocal(&value)) value = v8::Undefined(isolate_);
  }
  // The value is awaited. A promise is watched as it is; any other thenable is resolved, which runs its `then`.
  if (value->IsObject()) {
    v8::Local<v8::Promise::Resolver> resolver;
    v8::Local<v8::Promise> promise;
    if (value->IsPromise()) {
      promise = value.As<v8::Promise>();
    } else if (v8::Promise::Resolver::New(context).ToLocal(&resolver) &&
               resolver->Resolve(context, value).FromMaybe(false)) {
      promise = resolver->GetPromise();
    }
    if (!promise.IsEmpty()) {
      promise->MarkAsHandled();
      Drive(context, promise);
      if (promise->State() == v8::Promise::kRejected && !memory_.exceeded()) {
        return DescribeThrown(context, promise->Result(), Status::kThrown);
      }
      if (promise->State() == v8::Promise::kFulfilled) value = promise->Result();
    }
  }
  Drive(context, {});
  if (memory_.exceeded() || caught.HasTerminated()) return {Status::kOutOfMemory, {}, {}, {}};
  return Describe(context, value);
}

void Run::SendOutcome(const Described& described, double restore_ms, double run_ms) {
  wire_->Write(FrameType::kOutcome, Body()
                                        .U8(static_cast<uint8_t>(described.status))
                                        .F64(restore_ms)
                                        .F64(run_ms)
                                        .Text(described.first)
                                        .Text(described.second)
                                        .Text(described.third)
                                        .Rest(described.code)
                                        .view());
}

void Run::Print(v8::Local<v8::String> text) {
  if (output_ > request_.max_output) return;
  std::string bytes = ToUtf8(isolate_, text);
  // The server says that output was cut when it sees more than the cap: a little more is enough.
  constexpr size_t kBeyond = 16;
  if (bytes.size() > request_.max_output - output_ + kBeyond) bytes.resize(request_.max_output - output_ + kBeyond);
  output_ += bytes.size();
  if (!bytes.empty()) wire_->Write(FrameType::kConsole, bytes);
}

}  // namespace cay
