// Host calls: frames to the server and back, and the loop that waits for them.
#include <algorithm>

#include "natives.h"
#include "run.h"
#include "text.h"

namespace cay {

const char* Run::StartCall(CallKind kind, std::string_view name, std::string_view payload, uint32_t* id) {
  if (kind != CallKind::kSynchronous && pending_ >= request_.max_pending_calls) return "Too many calls are pending";
  if (payload.size() > request_.max_call) return "The arguments of the call are too large";
  *id = ++last_call_;
  wire_->Write(FrameType::kCall, Body().U32(*id).U8(static_cast<uint8_t>(kind)).Text(name).Rest(payload).view());
  return nullptr;
}

bool Run::KeepCall(uint32_t id, v8::Local<v8::Value> entry) {
  v8::Local<v8::Context> context = isolate_->GetCurrentContext();
  if (Calls(context)->Set(context, v8::Integer::NewFromUnsigned(isolate_, id), entry).IsEmpty()) return false;
  pending_++;
  return true;
}

void Run::CancelCall(uint32_t id) {
  v8::Local<v8::Context> context = isolate_->GetCurrentContext();
  if (!Calls(context)->Delete(context, v8::Integer::NewFromUnsigned(isolate_, id)).FromMaybe(false)) return;
  pending_--;
  wire_->Write(FrameType::kCancel, Body().U32(id).view());
}

Frame Run::AwaitReply(uint32_t id) {
  for (;;) {
    Frame frame = wire_->Read();
    if (frame.type != FrameType::kReply) continue;
    if (Fields(frame.body).U32() == id) return frame;
    early_replies_.push_back(std::move(frame));
  }
}

void Run::Drive(v8::Local<v8::Context> context, v8::Local<v8::Promise> wanted) {
  for (;;) {
    isolate_->PerformMicrotaskCheckpoint();
    if (memory_.exceeded()) return;
    ReportRejections(context);
    if (pending_ == 0 || (!wanted.IsEmpty() && wanted->State() != v8::Promise::kPending)) return;
    if (early_replies_.empty()) {
      Deliver(context, wire_->Read());
    } else {
      DeliverEarly(context);
    }
  }
}

void Run::DeliverEarly(v8::Local<v8::Context> context) {
  Frame frame = std::move(early_replies_.front());
  early_replies_.pop_front();
  Deliver(context, frame);
}

void Run::Deliver(v8::Local<v8::Context> context, const Frame& frame) {
  if (frame.type != FrameType::kReply) return;
  Fields fields(frame.body);
  uint32_t id = fields.U32();
  bool ok = fields.U8() != 0;
  if (!fields.ok()) return;

  v8::HandleScope scope(isolate_);
  v8::TryCatch caught(isolate_);
  v8::Local<v8::Map> calls = Calls(context);
  v8::Local<v8::Value> key = v8::Integer::NewFromUnsigned(isolate_, id), entry;
  if (!calls->Get(context, key).ToLocal(&entry) || !entry->IsObject()) return;  // cancelled in the meantime
  // Removed before it is settled: settling runs user code, which may call the host again.
  if (calls->Delete(context, key).IsNothing()) return;
  pending_--;
  if (entry->IsFunction()) {
    v8::Local<v8::Value> more;
    while (entry.As<v8::Function>()->Call(context, v8::Undefined(isolate_), 0, nullptr).ToLocal(&more) &&
           more->IsTrue()) {
      isolate_->PerformMicrotaskCheckpoint();
      if (memory_.exceeded()) return;
      ReportRejections(context);
      // Timers without end do not starve other calls.
      while (!early_replies_.empty()) DeliverEarly(context);
      if (wire_->HasInput()) Deliver(context, wire_->Read());
    }
    return;
  }
  // A string, never an object: resolving with one would look up `then` on it.
  v8::Local<v8::String> text;
  if (!FromUtf8(isolate_, fields.Rest()).ToLocal(&text)) {
    text = Literal(isolate_, "{\"message\":\"The reply is too long\"}");
    ok = false;
  }
  v8::Local<v8::Promise::Resolver> resolver = entry.As<v8::Promise::Resolver>();
  if (ok) {
    (void)resolver->Resolve(context, text).IsJust();
  } else {
    (void)resolver->Reject(context, text).IsJust();
  }
}

void Run::OnRejection(v8::PromiseRejectMessage message) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto& rejections = Of(isolate)->rejections_;
  constexpr size_t kMaxKept = 100;
  if (message.GetEvent() == v8::kPromiseRejectWithNoHandler && rejections.size() < kMaxKept) {
    rejections.emplace_back(isolate, message.GetPromise());
  } else if (message.GetEvent() == v8::kPromiseHandlerAddedAfterReject) {
    std::erase_if(rejections, [&](const auto& promise) { return promise == message.GetPromise(); });
  }
}

// After a macrotask and its microtasks, as a browser's console does.
void Run::ReportRejections(v8::Local<v8::Context> context) {
  while (!rejections_.empty()) {
    std::vector<v8::Global<v8::Promise>> promises = std::move(rejections_);
    rejections_.clear();
    for (auto& promise : promises) {
      v8::HandleScope scope(isolate_);
      v8::TryCatch caught(isolate_);
      v8::Local<v8::Promise> local = promise.Get(isolate_);
      if (local->HasHandler()) continue;
      v8::Local<v8::Value> arguments[] = {local->Result(), v8::True(isolate_)};
      (void)Call(context, Hook::kReportUncaught, 2, arguments);
    }
    isolate_->PerformMicrotaskCheckpoint();
    if (memory_.exceeded()) return;
  }
}

void NativePrint(NativeArguments args) {
  if (args[0]->IsString()) Run::Of(args.GetIsolate())->Print(args[0].As<v8::String>());
}

namespace {

bool Start(NativeArguments args, CallKind kind, uint32_t* id) {
  v8::Isolate* isolate = args.GetIsolate();
  std::string name = ToUtf8(isolate, args[0]), payload = ToUtf8(isolate, args[1]);
  const char* refusal = Run::Of(isolate)->StartCall(kind, name, payload, id);
  if (!refusal) return true;
  std::string text = std::string("{\"name\":\"RangeError\",\"message\":\"") + refusal + "\"}";
  isolate->ThrowException(Literal(isolate, text.c_str()));
  return false;
}

}  // namespace

void NativeCallSync(NativeArguments args) {
  v8::Isolate* isolate = args.GetIsolate();
  uint32_t id;
  if (!Start(args, CallKind::kSynchronous, &id)) return;
  Frame reply = Run::Of(isolate)->AwaitReply(id);
  Fields fields(reply.body);
  fields.U32();
  bool ok = fields.U8() != 0;
  v8::Local<v8::String> text;
  if (!FromUtf8(isolate, fields.Rest()).ToLocal(&text)) {
    text = Literal(isolate, "{\"message\":\"The reply is too long\"}");
    ok = false;
  }
  if (ok) {
    args.GetReturnValue().Set(text);
  } else {
    isolate->ThrowException(text);
  }
}

void NativeCallAsync(NativeArguments args) {
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::Promise::Resolver> resolver;
  uint32_t id;
  if (!v8::Promise::Resolver::New(isolate->GetCurrentContext()).ToLocal(&resolver) || !Start(args, CallKind::kAsynchronous, &id)) {
    return;
  }
  if (Run::Of(isolate)->KeepCall(id, resolver)) args.GetReturnValue().Set(resolver->GetPromise());
}

void NativeSchedule(NativeArguments args) {
  uint32_t id;
  if (!args[2]->IsFunction() || !Start(args, CallKind::kScheduled, &id)) return;
  if (Run::Of(args.GetIsolate())->KeepCall(id, args[2])) args.GetReturnValue().Set(id);
}

void NativeCancel(NativeArguments args) {
  if (args[0]->IsUint32()) Run::Of(args.GetIsolate())->CancelCall(args[0].As<v8::Uint32>()->Value());
}

}  // namespace cay
