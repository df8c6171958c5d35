// Parts of the prelude enter a heap: compiled from V8's code cache where it fits, since parsing is most of their cost.
#include "natives.h"
#include "run.h"
#include "text.h"

namespace cay {

v8::MaybeLocal<v8::Value> Run::LoadPart(v8::Local<v8::Context> context, std::string_view name) {
  Part part = parts_.Find(name);
  v8::Local<v8::String> source;
  if (part.source.empty() || !FromUtf8(isolate_, part.source).ToLocal(&source)) return v8::Undefined(isolate_).As<v8::Value>();
  v8::ScriptOrigin origin(Literal(isolate_, "cay:prelude"));
  auto* cache = part.cache.empty() ? nullptr
                                   : new v8::ScriptCompiler::CachedData(
                                         reinterpret_cast<const uint8_t*>(part.cache.data()),
                                         static_cast<int>(part.cache.size()),
                                         v8::ScriptCompiler::CachedData::BufferNotOwned);
  v8::ScriptCompiler::Source input(source, origin, cache);  // owns the cache object
  v8::Local<v8::Script> script;
  auto how = cache ? v8::ScriptCompiler::kConsumeCodeCache : v8::ScriptCompiler::kNoCompileOptions;
  if (!v8::ScriptCompiler::Compile(context, &input, how).ToLocal(&script)) return {};
  if (keep_parts_) loaded_parts_.emplace_back(name, v8::Global<v8::UnboundScript>(isolate_, script->GetUnboundScript()));
  return script->Run(context);
}

std::vector<std::pair<std::string, std::string>> Run::CacheParts(const v8::StartupData& heap) {
  std::vector<std::pair<std::string, std::string>> caches;
  keep_parts_ = true;
  v8::SnapshotCreator creator(isolate_, Params(&heap));
  Install(isolate_);
  v8::HandleScope scope(isolate_);
  v8::Local<v8::Context> context = v8::Context::New(isolate_);
  v8::Context::Scope context_scope(context);
  jit_.Set(isolate_, false);  // V8 makes no code cache in an isolate that it takes for a serialising one
  RunSource(context);
  for (auto& [name, script] : loaded_parts_) {
    std::unique_ptr<v8::ScriptCompiler::CachedData> cache(v8::ScriptCompiler::CreateCodeCache(script.Get(isolate_)));
    caches.push_back({name, {reinterpret_cast<const char*>(cache->data), static_cast<size_t>(cache->length)}});
  }
  jit_.Set(isolate_, true);
  loaded_parts_.clear();
  rejections_.clear();
  return caches;
}

void NativePart(NativeArguments args) {
  v8::Isolate* isolate = args.GetIsolate();
  v8::Local<v8::Value> made;
  if (Run::Of(isolate)->LoadPart(isolate->GetCurrentContext(), ToUtf8(isolate, args[0])).ToLocal(&made)) {
    args.GetReturnValue().Set(made);
  }
}

}  // namespace cay
