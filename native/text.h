// Text between V8 and bytes. A lone surrogate becomes U+FFFD.
#ifndef CAY_TEXT_H_
#define CAY_TEXT_H_

#include <v8.h>

#include <string>
#include <string_view>

namespace cay {

std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::String> text);
// The empty string for what is no string: user code is never run to convert.
std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::Value> value);
v8::MaybeLocal<v8::String> FromUtf8(v8::Isolate* isolate, std::string_view text);
v8::Local<v8::String> Literal(v8::Isolate* isolate, const char* text);
bool IsUtf8(std::string_view bytes);

}  // namespace cay

#endif  // CAY_TEXT_H_
