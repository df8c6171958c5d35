// The natives that look at or copy values; none of them runs user code, but for clone's getters.
#include <sys/random.h>

#include <string>
#include <vector>

#include "natives.h"
#include "run.h"
#include "text.h"

namespace cay {

namespace {

// Structured clone errors reach the prelude as a thrown string: it makes the DOMException.
class CloneDelegate : public v8::ValueSerializer::Delegate {
 public:
  explicit CloneDelegate(v8::Isolate* isolate) : isolate_(isolate) {}
  void ThrowDataCloneError(v8::Local<v8::String> message) override { isolate_->ThrowException(message); }

 private:
  v8::Isolate* isolate_;
};

void ThrowText(v8::Isolate* isolate, const char* text) { isolate->ThrowException(Literal(isolate, text)); }

std::string_view BytesOf(v8::Local<v8::Value> value, std::vector<char>* storage) {
  if (!value->IsArrayBufferView()) return {};
  v8::Local<v8::ArrayBufferView> view = value.As<v8::ArrayBufferView>();
  storage->resize(view->ByteLength());
  size_t copied = view->CopyContents(storage->data(), storage->size());
  return {storage->data(), copied};
}

v8::Local<v8::Array> Pair(v8::Isolate* isolate, v8::Local<v8::Value> first, v8::Local<v8::Value> second) {
  v8::Local<v8::Value> items[] = {first, second};
  return v8::Array::New(isolate, items, 2);
}

}  // namespace

void NativeRandom(NativeArguments args) {
  if (!args[0]->IsUint8Array()) return;
  v8::Local<v8::Uint8Array> view = args[0].As<v8::Uint8Array>();
  char* to = static_cast<char*>(view->Buffer()->Data()) + view->ByteOffset();
  size_t rest = view->ByteLength();
  while (rest > 0) {
    ssize_t count = getrandom(to, rest, 0);
    if (count <= 0) return ThrowText(args.GetIsolate(), "The system gave no random bytes");
    to += count;
    rest -= static_cast<size_t>(count);
  }
}

void NativeNow(NativeArguments args) { args.GetReturnValue().Set(Run::Of(args.GetIsolate())->Elapsed()); }

void NativeClone(NativeArguments args) {
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::Context> context = isolate->GetCurrentContext();
  CloneDelegate delegate(isolate);
  v8::ValueSerializer serializer(isolate, &delegate);
  serializer.WriteHeader();

  std::vector<v8::Local<v8::ArrayBuffer>> moved;
  if (args[1]->IsArray()) {
    v8::Local<v8::Array> list = args[1].As<v8::Array>();
    for (uint32_t i = 0; i < list->Length(); i++) {
      v8::Local<v8::Value> item;
      if (!list->Get(context, i).ToLocal(&item)) return;
      if (!item->IsArrayBuffer() || !item.As<v8::ArrayBuffer>()->IsDetachable()) {
        return ThrowText(isolate, "Value not transferable");
      }
      serializer.TransferArrayBuffer(i, item.As<v8::ArrayBuffer>());
      moved.push_back(item.As<v8::ArrayBuffer>());
    }
  }
  bool written = serializer.WriteValue(context, args[0]).FromMaybe(false);
  std::pair<uint8_t*, size_t> bytes = serializer.Release();
  std::unique_ptr<uint8_t, decltype(&free)> owner(bytes.first, free);
  if (!written) return;

  v8::ValueDeserializer deserializer(isolate, bytes.first, bytes.second);
  for (uint32_t i = 0; i < moved.size(); i++) {
    std::shared_ptr<v8::BackingStore> store = moved[i]->GetBackingStore();
    if (!moved[i]->Detach(v8::Local<v8::Value>()).FromMaybe(false)) return;
    deserializer.TransferArrayBuffer(i, v8::ArrayBuffer::New(isolate, std::move(store)));
  }
  v8::Local<v8::Value> copy;
  if (deserializer.ReadHeader(context).FromMaybe(false) && deserializer.ReadValue(context).ToLocal(&copy)) {
    args.GetReturnValue().Set(copy);
  }
}

void NativeEncodeUtf8(NativeArguments args) {
  v8::Isolate* isolate = args.GetIsolate();
  if (!args[0]->IsString()) return;
  v8::Local<v8::String> text = args[0].As<v8::String>();
  size_t size = text->Utf8LengthV2(isolate);
  v8::Local<v8::ArrayBuffer> buffer;
  if (!v8::ArrayBuffer::MaybeNew(isolate, size).ToLocal(&buffer)) {
    isolate->ThrowException(v8::Exception::RangeError(Literal(isolate, "Array buffer allocation failed")));
    return;
  }
  text->WriteUtf8V2(isolate, static_cast<char*>(buffer->Data()), size, v8::String::WriteFlags::kReplaceInvalidUtf8);
  args.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, size));
}

void NativeDecodeUtf8(NativeArguments args) {
  std::vector<char> storage;
  std::string_view bytes = BytesOf(args[0], &storage);
  if (args[1]->IsTrue() && !IsUtf8(bytes)) return;
  v8::Local<v8::String> text;
  if (FromUtf8(args.GetIsolate(), bytes).ToLocal(&text)) {
    args.GetReturnValue().Set(text);
  } else {
    ThrowText(args.GetIsolate(), "Invalid string length");
  }
}

void NativeProxyDetails(NativeArguments args) {
  if (!args[0]->IsProxy()) return;
  v8::Local<v8::Proxy> proxy = args[0].As<v8::Proxy>();
  args.GetReturnValue().Set(Pair(args.GetIsolate(), proxy->GetTarget(), proxy->GetHandler()));
}

void NativePromiseDetails(NativeArguments args) {
  if (!args[0]->IsPromise()) return;
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::Promise> promise = args[0].As<v8::Promise>();
  v8::Local<v8::Value> result = v8::Undefined(isolate);
  if (promise->State() != v8::Promise::kPending) result = promise->Result();
  args.GetReturnValue().Set(Pair(isolate, v8::Integer::New(isolate, promise->State()), result));
}

void NativePreviewEntries(NativeArguments args) {
  if (!args[0]->IsObject()) return;
  bool is_key_value;
  v8::Local<v8::Array> entries;
  if (!args[0].As<v8::Object>()->PreviewEntries(&is_key_value).ToLocal(&entries)) return;
  v8::Isolate* isolate = args.GetIsolate();
  args.GetReturnValue().Set(Pair(isolate, entries, v8::Boolean::New(isolate, is_key_value)));
}

void NativeNonIndexKeys(NativeArguments args) {
  if (!args[0]->IsObject()) return;
  v8::Local<v8::Array> keys;
  if (args[0]
          .As<v8::Object>()
          ->GetPropertyNames(args.GetIsolate()->GetCurrentContext(), v8::KeyCollectionMode::kOwnOnly,
                             v8::ALL_PROPERTIES, v8::IndexFilter::kSkipIndices)
          .ToLocal(&keys)) {
    args.GetReturnValue().Set(keys);
  }
}

void NativeConstructorName(NativeArguments args) {
  if (args[0]->IsObject()) args.GetReturnValue().Set(args[0].As<v8::Object>()->GetConstructorName());
}

void NativeKindOf(NativeArguments args) {
  v8::Local<v8::Value> value = args[0];
  const char* kind = !value->IsObject()              ? ""
                     : value->IsProxy()              ? "Proxy"
                     : value->IsArray()              ? "Array"
                     : value->IsDate()               ? "Date"
                     : value->IsRegExp()             ? "RegExp"
                     : value->IsMap()                ? "Map"
                     : value->IsSet()                ? "Set"
                     : value->IsWeakMap()            ? "WeakMap"
                     : value->IsWeakSet()            ? "WeakSet"
                     : value->IsWeakRef()            ? "WeakRef"
                     : value->IsPromise()            ? "Promise"
                     : value->IsNativeError()        ? "Error"
                     : value->IsArrayBuffer()        ? "ArrayBuffer"
                     : value->IsSharedArrayBuffer()  ? "SharedArrayBuffer"
                     : value->IsDataView()           ? "DataView"
                     : value->IsUint8Array()         ? "Uint8Array"
                     : value->IsUint8ClampedArray()  ? "Uint8ClampedArray"
                     : value->IsInt8Array()          ? "Int8Array"
                     : value->IsUint16Array()        ? "Uint16Array"
                     : value->IsInt16Array()         ? "Int16Array"
                     : value->IsUint32Array()        ? "Uint32Array"
                     : value->IsInt32Array()         ? "Int32Array"
                     : value->IsFloat16Array()       ? "Float16Array"
                     : value->IsFloat32Array()       ? "Float32Array"
                     : value->IsFloat64Array()       ? "Float64Array"
                     : value->IsBigInt64Array()      ? "BigInt64Array"
                     : value->IsBigUint64Array()     ? "BigUint64Array"
                     : value->IsGeneratorObject()    ? "Generator"
                     : value->IsMapIterator()        ? "MapIterator"
                     : value->IsSetIterator()        ? "SetIterator"
                     : value->IsArgumentsObject()    ? "Arguments"
                     : value->IsBooleanObject()      ? "Boolean"
                     : value->IsNumberObject()       ? "Number"
                     : value->IsStringObject()       ? "String"
                     : value->IsSymbolObject()       ? "Symbol"
                     : value->IsBigIntObject()       ? "BigInt"
                     : value->IsModuleNamespaceObject() ? "ModuleNamespace"
                     : value->IsGeneratorFunction()  ? value->IsAsyncFunction() ? "AsyncGeneratorFunction" : "GeneratorFunction"
                     : value->IsAsyncFunction()      ? "AsyncFunction"
                     : value->IsFunction()           ? "Function"
                                                     : "Object";
  args.GetReturnValue().Set(Literal(args.GetIsolate(), kind));
}

}  // namespace cay
