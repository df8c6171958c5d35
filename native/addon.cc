// What Node sees of the core: `serve` in an isolate process, `socketPair` in the server, `delta` and `applyDelta` in a
// thread of the store, the rest when the project is built and measured.
#include <node.h>
#include <v8.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "delta.h"
#include "isolate.h"
#include "jit.h"
#include "loop.h"
#include "references.h"
#include "run.h"
#include "shared_memory.h"
#include "socket_pair.h"
#include "text.h"

namespace cay {

namespace {

void Set(v8::Local<v8::Object> object, const char* key, v8::Local<v8::Value> value) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  object->Set(isolate->GetCurrentContext(), Literal(isolate, key), value).Check();
}

int Integer(v8::Local<v8::Value> value) {
  return value->Int32Value(v8::Isolate::GetCurrent()->GetCurrentContext()).FromMaybe(-1);
}

std::string Bytes(v8::Local<v8::Value> value) {
  if (!value->IsArrayBufferView()) return {};
  v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
  std::string bytes(view->ByteLength(), '\0');
  view->CopyContents(bytes.data(), bytes.size());
  return bytes;
}

v8::Local<v8::Uint8Array> Take(v8::StartupData blob) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  size_t size = static_cast<size_t>(blob.raw_size);
  v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, size);
  memcpy(buffer->Data(), blob.data, size);
  delete[] blob.data;
  return v8::Uint8Array::New(buffer, 0, size);
}

RunRequest Request(std::string source, bool keep_heap) {
  RunRequest request;
  request.heap_cap = 512u << 20;
  request.max_output = 1 << 20;
  request.max_result = 1 << 20;
  request.keep_heap = keep_heap;
  request.config = kPlainConfig;
  request.source = std::move(source);
  return request;
}

// serve(descriptor, jitOffset, maxHeapCapMb, baseHeapPath, partsPath): never returns.
void JsServe(const v8::FunctionCallbackInfo<v8::Value>& args) {
  std::string base = ToUtf8(args.GetIsolate(), args[3]), parts = ToUtf8(args.GetIsolate(), args[4]);
  Serve(HostOf(args.GetIsolate()),
        {Integer(args[0]), Integer(args[1]), static_cast<size_t>(Integer(args[2])) << 20, base.c_str(), parts.c_str()});
}

// socketPair(): the two descriptors of a connection, or nothing when there are none left.
void JsSocketPair(const v8::FunctionCallbackInfo<v8::Value>& args) {
  v8::Isolate* isolate = args.GetIsolate();
  int ends[2];
  if (!OpenSocketPair(ends)) return;
  v8::Local<v8::Value> pair[] = {v8::Integer::New(isolate, ends[0]), v8::Integer::New(isolate, ends[1])};
  args.GetReturnValue().Set(v8::Array::New(isolate, pair, 2));
}

// countShared(buffer): lets the collector of this thread know what the SharedArrayBuffer holds.
void JsCountShared(const v8::FunctionCallbackInfo<v8::Value>& args) {
  if (args[0]->IsSharedArrayBuffer()) CountSharedMemory(args.GetIsolate(), args[0].As<v8::SharedArrayBuffer>());
}

// findJitSwitch(): the offset of the serialiser flag, or -1.
void JsFindJitSwitch(const v8::FunctionCallbackInfo<v8::Value>& args) {
  args.GetReturnValue().Set(FindSerializerFlag(HostOf(args.GetIsolate())));
}

// bake(preludeSource, partsPath): the base heap.
void JsBake(const v8::FunctionCallbackInfo<v8::Value>& args) {
  Wire nobody(-1);
  JitSwitch off(-1);
  RunRequest request = Request("", true);
  Host host = HostOf(args.GetIsolate());
  Parts parts(MapFile(ToUtf8(args.GetIsolate(), args[1]).c_str()));
  v8::StartupData blob;
  {
    Run run(host, off, parts, &nobody, request);
    blob = run.Bake(ToUtf8(args.GetIsolate(), args[0]));
  }
  args.GetReturnValue().Set(Take(blob));
}

// bareRun(heap, source, keepHeap, jitOffset, partsPath): one run in this process, without pipe, lock or pool: {text, heap?}.
// For the benchmark's baselines, and for the self-test of the JIT switch.
void JsBareRun(const v8::FunctionCallbackInfo<v8::Value>& args) {
  v8::Isolate* isolate = args.GetIsolate();
  std::string heap = Bytes(args[0]);
  JitSwitch jit(Integer(args[3]));
  Parts parts(MapFile(ToUtf8(isolate, args[4]).c_str()));
  Host host = HostOf(isolate);
  RunRequest request = Request(ToUtf8(isolate, args[1]), args[2]->IsTrue());
  Wire nobody(-1);
  Run::Ended ended = Run(host, jit, parts, &nobody, request).Execute({heap.data(), static_cast<int>(heap.size())});
  v8::Local<v8::Object> reply = v8::Object::New(isolate);
  v8::Local<v8::String> text;
  if (FromUtf8(isolate, ended.text).ToLocal(&text)) Set(reply, "text", text);
  if (ended.heap.data) Set(reply, "heap", Take(ended.heap));
  args.GetReturnValue().Set(reply);
}

// cacheParts(heap, source, jitOffset, partsPath): V8's code caches of the parts that the source asks for, as [name, bytes] pairs.
void JsCacheParts(const v8::FunctionCallbackInfo<v8::Value>& args) {
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  std::string heap = Bytes(args[0]);
  JitSwitch jit(Integer(args[2]));
  Host host = HostOf(isolate);
  RunRequest request = Request(ToUtf8(isolate, args[1]), false);
  Parts parts(MapFile(ToUtf8(isolate, args[3]).c_str()));
  Wire nobody(-1);
  auto caches = Run(host, jit, parts, &nobody, request).CacheParts({heap.data(), static_cast<int>(heap.size())});
  v8::Local<v8::Array> list = v8::Array::New(isolate);
  for (auto& [name, bytes] : caches) {
    v8::Local<v8::ArrayBuffer> buffer = v8::ArrayBuffer::New(isolate, bytes.size());
    memcpy(buffer->Data(), bytes.data(), bytes.size());
    v8::Local<v8::Value> pair[] = {FromUtf8(isolate, name).ToLocalChecked(),
                                   v8::Uint8Array::New(buffer, 0, bytes.size())};
    list->Set(context, list->Length(), v8::Array::New(isolate, pair, 2)).Check();
  }
  args.GetReturnValue().Set(list);
}

// optimises(jitOffset): whether a hot function gets optimised in a serialising isolate with the switch at that offset.
void JsOptimises(const v8::FunctionCallbackInfo<v8::Value>& args) {
  args.GetReturnValue().Set(Optimises(HostOf(args.GetIsolate()), JitSwitch(Integer(args[0]))));
}

std::span<const uint8_t> View(v8::Local<v8::Value> value) {
  if (!value->IsArrayBufferView()) return {};
  v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
  return {static_cast<const uint8_t*>(view->Buffer()->Data()) + view->ByteOffset(), view->ByteLength()};
}

v8::Local<v8::Uint8Array> NewBytes(v8::Isolate* isolate, size_t size) {
  auto store = v8::ArrayBuffer::NewBackingStore(isolate, size, v8::BackingStoreInitializationMode::kUninitialized,
                                                v8::BackingStoreOnFailureMode::kReturnNull);
  if (!store) return {};
  return v8::Uint8Array::New(v8::ArrayBuffer::New(isolate, std::move(store)), 0, size);
}

uint8_t* Data(v8::Local<v8::Uint8Array> bytes) { return static_cast<uint8_t*>(bytes->Buffer()->Data()); }

void Throw(v8::Isolate* isolate, const char* message) {
  isolate->ThrowException(v8::Exception::Error(Literal(isolate, message)));
}

// delta(parent, child): what applyDelta makes the child of again.
void JsDelta(const v8::FunctionCallbackInfo<v8::Value>& args) {
  std::vector<uint8_t> delta = MakeDelta(View(args[0]), View(args[1]));
  v8::Local<v8::Uint8Array> bytes = NewBytes(args.GetIsolate(), delta.size());
  if (bytes.IsEmpty()) return Throw(args.GetIsolate(), "Out of memory for a delta");
  memcpy(Data(bytes), delta.data(), delta.size());
  args.GetReturnValue().Set(bytes);
}

// applyDelta(parent, delta, length): the child, which has that length, in memory that can be given to another thread.
// Throws when the delta does not say so.
void JsApplyDelta(const v8::FunctionCallbackInfo<v8::Value>& args) {
  v8::Isolate* isolate = args.GetIsolate();
  DeltaReader reader(View(args[0]), View(args[1]));
  double length = args[2]->NumberValue(isolate->GetCurrentContext()).FromMaybe(-1);
  if (!reader.valid() || static_cast<double>(reader.length()) != length) return Throw(isolate, "The delta is damaged");
  v8::Local<v8::SharedArrayBuffer> child;
  auto mode = v8::BackingStoreInitializationMode::kUninitialized;
  if (!v8::SharedArrayBuffer::MaybeNew(isolate, reader.length(), mode).ToLocal(&child)) {
    return Throw(isolate, "Out of memory for a heap");
  }
  CountSharedMemory(isolate, child);
  reader.Write(static_cast<uint8_t*>(child->Data()));
  args.GetReturnValue().Set(v8::Uint8Array::New(child, 0, reader.length()));
}

}  // namespace

}  // namespace cay

NODE_MODULE_INIT() {
  NODE_SET_METHOD(exports, "serve", cay::JsServe);
  NODE_SET_METHOD(exports, "socketPair", cay::JsSocketPair);
  NODE_SET_METHOD(exports, "countShared", cay::JsCountShared);
  NODE_SET_METHOD(exports, "findJitSwitch", cay::JsFindJitSwitch);
  NODE_SET_METHOD(exports, "bake", cay::JsBake);
  NODE_SET_METHOD(exports, "bareRun", cay::JsBareRun);
  NODE_SET_METHOD(exports, "cacheParts", cay::JsCacheParts);
  NODE_SET_METHOD(exports, "optimises", cay::JsOptimises);
  NODE_SET_METHOD(exports, "delta", cay::JsDelta);
  NODE_SET_METHOD(exports, "applyDelta", cay::JsApplyDelta);
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  exports->Set(context, cay::Literal(isolate, "references"), v8::Integer::New(isolate, cay::ExternalReferencesVersion()))
      .Check();
}
