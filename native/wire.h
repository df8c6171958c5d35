// Frames on one descriptor: a type byte, a little-endian 32-bit length, the body. src/engine/wire/ is the other end.
#ifndef CAY_WIRE_H_
#define CAY_WIRE_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace cay {

enum class FrameType : uint8_t {
  // From the server.
  kHeap = 1,   // a heap to restore, before the run that it is for
  kRun = 2,    // see RunRequest
  kReply = 3,  // u32 call id, u8 ok, text
  kProbe = 4,  // u8 what to try from inside the lock
  // To the server.
  kReady = 16,      // text: what the lock left open
  kConsole = 17,    // text
  kCall = 18,       // u32 call id, u8 CallKind, u32 length, name, payload
  kCancel = 19,     // u32 call id
  kOutcome = 20,    // see Run::SendOutcome
  kSnapshot = 21,   // the new heap
  kHeapError = 22,  // text: why there is none
  kFatal = 23,      // u8 out of memory, text: V8 gave up, the process dies
  kProbed = 24,     // i32 errno of the attempt, 0 when it went through
};

struct Frame {
  FrameType type;
  std::string body;
};

// Reads fields off a body; every length is checked, and `ok` stays false after the first field that does not fit.
class Fields {
 public:
  explicit Fields(std::string_view body) : rest_(body) {}
  uint8_t U8();
  uint32_t U32();
  uint64_t U64();
  std::string_view Text();  // u32 length, bytes
  std::string_view Rest();
  bool ok() const { return ok_; }

 private:
  bool Take(void* to, size_t size);
  std::string_view rest_;
  bool ok_ = true;
};

// Builds a body.
class Body {
 public:
  Body& U8(uint8_t value);
  Body& U32(uint32_t value);
  Body& F64(double value);
  Body& Text(std::string_view text);
  Body& Rest(std::string_view text);
  std::string_view view() const { return bytes_; }

 private:
  std::string bytes_;
};

// Blocking. A lost peer ends the process: there is nobody left to work for.
class Wire {
 public:
  explicit Wire(int descriptor) : descriptor_(descriptor) {}
  Frame Read();
  // Whether a read would find something.
  bool HasInput() const;
  void Write(FrameType type, std::string_view body);
  // Writes only if no other thread is in the middle of a frame; for the crash path.
  void WriteLast(FrameType type, std::string_view body);
  int descriptor() const { return descriptor_; }

 private:
  void ReadExactly(char* to, size_t size);
  void WriteAll(const char* from, size_t size);
  void WriteFrame(FrameType type, std::string_view body);
  const int descriptor_;
  std::timed_mutex writing_;
};

}  // namespace cay

#endif  // CAY_WIRE_H_
