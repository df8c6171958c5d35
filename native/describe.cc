// What is said of values and errors, by the prelude's hooks.
#include "run.h"
#include "text.h"

namespace cay {

namespace {

// What V8 throws when an array buffer was refused; a program that catches it goes on.
bool IsRefusal(const std::string& name, const std::string& message) {
  return name == "RangeError" && (message == "Array buffer allocation failed" || message.ends_with("Out of memory"));
}

std::string Item(v8::Local<v8::Context> context, v8::Local<v8::Value> array, uint32_t index) {
  v8::Local<v8::Value> item;
  if (!array->IsArray() || !array.As<v8::Array>()->Get(context, index).ToLocal(&item)) return {};
  if (!item->IsString()) return {};  // an older heap's prelude gives fewer
  return ToUtf8(v8::Isolate::GetCurrent(), item);
}

}  // namespace

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
    described = {status, Item(context, answer, 0), Item(context, answer, 1), Item(context, answer, 2),
                 Item(context, answer, 3)};
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

}  // namespace cay
