// The base heap: the prelude in an empty context.
#include <unistd.h>

#include <cstdio>
#include <iterator>

#include "natives.h"
#include "run.h"
#include "text.h"

namespace cay {

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
  return CreateBlob(&creator);
}

}  // namespace cay
