#include "run.h"

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>

#include "limits.h"
#include "natives.h"
#include "references.h"
#include "text.h"

namespace cay {

namespace {

constexpr int kHooksField = 1;
constexpr int kCallsField = 2;

// What V8 throws when an array buffer was refused; a program that catches it goes on.
bool IsRefusal(const std::string& name, const std::string& message) {
  return name == "RangeError" && (message == "Array buffer allocation failed" || message.ends_with("Out of memory"));
}

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

std::string Item(v8::Local<v8::Context> context, v8::Local<v8::Value> array, uint32_t index) {
  v8::Local<v8::Value> item;
  if (!array->IsArray() || !array.As<v8::Array>()->Get(context, index).ToLocal(&item)) return {};
  return ToUtf8(v8::Isolate::GetCurrent(), item);
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
  // kClear makes an error thrown behind a suspended async function fatal after a restore.
  if (prepared) ended.heap = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  if (prepared && !ended.heap.data) ended.heap_error = "V8 made no snapshot";
  return ended;
}

v8::StartupData Run::Bake(std::string_view prelude) {
  v8::SnapshotCreator creator(isolate_, Params(nullptr));
  Install(isolate_);
  {
    v8::HandleScope scope(isolate_);
    v8::Local<v8::Context> context = v8::Context::New(isolate_);
    v8::Context::Scope context_scope(context);
    context->SetEmbedderDataV2(kHooksField, v8::Array::New(isolate_));
    context->SetEmbedderDataV2(kCallsField, v8::Map::New(isolate_));

    v8::Local<v8::Object> natives = v8::Object::New(isolate_, v8::Null(isolate_), nullptr, nullptr, 0);
    auto add = [&](const char* name, v8::FunctionCallback callback, int length) {
      v8::Local<v8::Function> function =
          v8::Function::New(context, callback, v8::Local<v8::Value>(), length, v8::ConstructorBehavior::kThrow)
              .ToLocalChecked();
      natives->Set(context, Literal(isolate_, name), function).Check();
    };
#define CAY_ADD(name, callback, length) add(name, callback, length);
    CAY_NATIVES(CAY_ADD)
#undef CAY_ADD

    v8::TryCatch caught(isolate_);
    v8::ScriptOrigin origin(Literal(isolate_, "cay:prelude"));
    v8::Local<v8::Script> script;
    v8::Local<v8::Value> make, hooks, argument = natives;
    bool ok = v8::Script::Compile(context, FromUtf8(isolate_, prelude).ToLocalChecked(), &origin).ToLocal(&script) &&
              script->Run(context).ToLocal(&make) && make->IsFunction() &&
              make.As<v8::Function>()->Call(context, v8::Undefined(isolate_), 1, &argument).ToLocal(&hooks) &&
              hooks->IsObject();
    if (!ok) {
      v8::String::Utf8Value text(isolate_, caught.Exception());
      isolate_->ThrowException(v8::Undefined(isolate_));
      fprintf(stderr, "The prelude failed: %s\n", *text ? *text : "it returned no hooks");
      _exit(1);
    }
    v8::Local<v8::Array> list = v8::Array::New(isolate_);
    for (uint32_t i = 0; i < std::size(kHookNames); i++) {
      v8::Local<v8::Value> hook =
          hooks.As<v8::Object>()->Get(context, Literal(isolate_, kHookNames[i])).ToLocalChecked();
      if (!hook->IsFunction()) {
        fprintf(stderr, "The prelude has no hook %s\n", kHookNames[i]);
        _exit(1);
      }
      list->Set(context, i, hook).Check();
    }
    context->SetEmbedderDataV2(kHooksField, list);
    isolate_->PerformMicrotaskCheckpoint();
    std::string why;
    if (!PrepareSnapshot(context, &why)) {
      fprintf(stderr, "The base heap cannot be written: %s\n", why.c_str());
      _exit(1);
    }
    creator.SetDefaultContext(context);
  }
  return creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
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

Run::Described Run::Describe(v8::Local<v8::Context> context, v8::Local<v8::Value> value) {
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Value> arguments[] = {value, v8::Integer::NewFromUnsigned(isolate_, request_.max_result)}, answer;
  Described described;
  if (Call(context, Hook::kDescribe, 2, arguments).ToLocal(&answer)) {
    described = {Status::kCompleted, Item(context, answer, 0), Item(context, answer, 1), Item(context, answer, 2)};
  } else {
    described = {Status::kCompleted, "text", "[a value that cannot be shown]", "the value cannot be shown"};
  }
  isolate_->PerformMicrotaskCheckpoint();  // converting the value may have run user code
  ReportRejections(context);
  if (memory_.exceeded() || caught.HasTerminated()) return {Status::kOutOfMemory, {}, {}, {}};
  return described;
}

Run::Described Run::DescribeThrown(v8::Local<v8::Context> context, v8::Local<v8::Value> error, Status status) {
  if (memory_.exceeded() || error.IsEmpty() || isolate_->IsExecutionTerminating()) {
    return {Status::kOutOfMemory, {}, {}, {}};
  }
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Value> answer;
  Described described{status, "Error", "An error that cannot be shown was thrown", {}};
  if (Call(context, Hook::kDescribeError, 1, &error).ToLocal(&answer)) {
    described = {status, Item(context, answer, 0), Item(context, answer, 1), Item(context, answer, 2)};
  }
  if (memory_.exceeded() || IsRefusal(described.first, described.second)) {
    return {Status::kOutOfMemory, {}, {}, {}};
  }
  return described;
}

Run::Described Run::NotCompiled(v8::Local<v8::Context> context, const v8::TryCatch& caught,
                                const std::string& script_name) {
  Described described = DescribeThrown(context, caught.Exception(), Status::kNotCompiled);
  v8::Local<v8::Message> message = caught.Message();
  if (described.status != Status::kNotCompiled || message.IsEmpty()) return described;
  v8::TryCatch inner(isolate_);
  v8::Local<v8::Value> arguments[] = {
      FromUtf8(isolate_, script_name).ToLocalChecked(),
      v8::Integer::New(isolate_, message->GetLineNumber(context).FromMaybe(1)),
      v8::Integer::New(isolate_, message->GetStartColumn(context).FromMaybe(0) + 1),
  };
  v8::Local<v8::Value> place, line, column;
  if (Call(context, Hook::kLocate, 3, arguments).ToLocal(&place) && place->IsArray() &&
      place.As<v8::Array>()->Get(context, 0).ToLocal(&line) && place.As<v8::Array>()->Get(context, 1).ToLocal(&column) &&
      line->IsInt32() && column->IsInt32()) {
    described.third = described.first + ": " + described.second + "\n    at <eval>:" +
                      std::to_string(line.As<v8::Int32>()->Value()) + ":" +
                      std::to_string(column.As<v8::Int32>()->Value());
  }
  return described;
}

void Run::SendOutcome(const Described& described, double restore_ms, double run_ms) {
  wire_->Write(FrameType::kOutcome, Body()
                                        .U8(static_cast<uint8_t>(described.status))
                                        .F64(restore_ms)
                                        .F64(run_ms)
                                        .Text(described.first)
                                        .Text(described.second)
                                        .Text(described.third)
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
