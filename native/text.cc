#include "text.h"

#include <climits>

namespace cay {

std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::String> text) {
  std::string bytes(text->Utf8LengthV2(isolate), '\0');
  size_t size = text->WriteUtf8V2(isolate, bytes.data(), bytes.size(), v8::String::WriteFlags::kReplaceInvalidUtf8);
  bytes.resize(size);
  return bytes;
}

std::string ToUtf8(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  return value->IsString() ? ToUtf8(isolate, value.As<v8::String>()) : std::string();
}

v8::MaybeLocal<v8::String> FromUtf8(v8::Isolate* isolate, std::string_view text) {
  if (text.size() > INT_MAX) return {};
  return v8::String::NewFromUtf8(isolate, text.data(), v8::NewStringType::kNormal, static_cast<int>(text.size()));
}

v8::Local<v8::String> Literal(v8::Isolate* isolate, const char* text) {
  return v8::String::NewFromUtf8(isolate, text, v8::NewStringType::kInternalized).ToLocalChecked();
}

bool IsUtf8(std::string_view bytes) {
  size_t i = 0;
  auto continues = [&](size_t at, unsigned char low, unsigned char high) {
    if (at >= bytes.size()) return false;
    unsigned char byte = static_cast<unsigned char>(bytes[at]);
    return byte >= low && byte <= high;
  };
  while (i < bytes.size()) {
    unsigned char first = static_cast<unsigned char>(bytes[i]);
    if (first < 0x80) {
      i++;
    } else if (first >= 0xc2 && first <= 0xdf) {
      if (!continues(i + 1, 0x80, 0xbf)) return false;
      i += 2;
    } else if (first >= 0xe0 && first <= 0xef) {
      unsigned char low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
      if (!continues(i + 1, low, high) || !continues(i + 2, 0x80, 0xbf)) return false;
      i += 3;
    } else if (first >= 0xf0 && first <= 0xf4) {
      unsigned char low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
      if (!continues(i + 1, low, high) || !continues(i + 2, 0x80, 0xbf) || !continues(i + 3, 0x80, 0xbf)) return false;
      i += 4;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace cay
