#include "wire.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace cay {

namespace {

constexpr size_t kHeaderSize = 5;
constexpr uint32_t kMaxHeap = 0x7fffffff;  // V8 keeps a blob's size in an int
constexpr uint32_t kMaxText = 512u << 20;
constexpr size_t kCopyBelow = 64 << 10;  // one write for a small frame, so that it leaves whole

uint32_t MaxLength(FrameType type) {
  switch (type) {
    case FrameType::kHeap:
      return kMaxHeap;
    case FrameType::kRun:
    case FrameType::kReply:
      return kMaxText;
    case FrameType::kProbe:
      return 1;
    default:
      return 0;
  }
}

bool IsFromServer(FrameType type) { return type >= FrameType::kHeap && type <= FrameType::kProbe; }

}  // namespace

bool Fields::Take(void* to, size_t size) {
  if (rest_.size() < size) {
    ok_ = false;
    rest_ = {};
    return false;
  }
  memcpy(to, rest_.data(), size);
  rest_.remove_prefix(size);
  return true;
}

uint8_t Fields::U8() {
  uint8_t value = 0;
  Take(&value, sizeof value);
  return value;
}

uint32_t Fields::U32() {
  uint32_t value = 0;
  Take(&value, sizeof value);
  return value;
}

uint64_t Fields::U64() {
  uint64_t value = 0;
  Take(&value, sizeof value);
  return value;
}

std::string_view Fields::Text() {
  uint32_t size = U32();
  if (rest_.size() < size) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  std::string_view text = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return text;
}

std::string_view Fields::Rest() {
  std::string_view text = rest_;
  rest_ = {};
  return text;
}

Body& Body::U8(uint8_t value) {
  bytes_.push_back(static_cast<char>(value));
  return *this;
}

Body& Body::U32(uint32_t value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

Body& Body::F64(double value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

Body& Body::Text(std::string_view text) {
  U32(static_cast<uint32_t>(text.size()));
  return Rest(text);
}

Body& Body::Rest(std::string_view text) {
  bytes_.append(text);
  return *this;
}

Frame Wire::Read() {
  char header[kHeaderSize];
  ReadExactly(header, sizeof header);
  Frame frame{static_cast<FrameType>(header[0]), {}};
  uint32_t length;
  memcpy(&length, header + 1, sizeof length);
  if (!IsFromServer(frame.type) || length > MaxLength(frame.type)) {
    Write(FrameType::kFatal, Body().U8(0).Rest("The isolate process was sent a frame that it does not know").view());
    _exit(2);
  }
  frame.body.resize(length);
  ReadExactly(frame.body.data(), length);
  return frame;
}

bool Wire::HasInput() const {
  pollfd input{descriptor_, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

void Wire::ReadExactly(char* to, size_t size) {
  while (size > 0) {
    ssize_t count = read(descriptor_, to, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);
    to += count;
    size -= static_cast<size_t>(count);
  }
}

void Wire::WriteAll(const char* from, size_t size) {
  while (size > 0) {
    ssize_t count = write(descriptor_, from, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);
    from += count;
    size -= static_cast<size_t>(count);
  }
}

void Wire::WriteFrame(FrameType type, std::string_view body) {
  if (descriptor_ < 0) return;  // a bare run of the benchmark has no peer
  char header[kHeaderSize] = {static_cast<char>(type)};
  uint32_t length = static_cast<uint32_t>(body.size());
  memcpy(header + 1, &length, sizeof length);
  if (body.size() < kCopyBelow) {
    char whole[kHeaderSize + kCopyBelow];
    memcpy(whole, header, kHeaderSize);
    memcpy(whole + kHeaderSize, body.data(), body.size());
    WriteAll(whole, kHeaderSize + body.size());
    return;
  }
  WriteAll(header, kHeaderSize);
  WriteAll(body.data(), body.size());
}

void Wire::Write(FrameType type, std::string_view body) {
  std::lock_guard<std::timed_mutex> lock(writing_);
  WriteFrame(type, body);
}

void Wire::WriteLast(FrameType type, std::string_view body) {
  std::unique_lock<std::timed_mutex> lock(writing_, std::chrono::seconds(1));
  if (lock.owns_lock()) WriteFrame(type, body);
}

}  // namespace cay
