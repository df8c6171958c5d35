// The format is that of V8's src/snapshot (snapshot.cc, serializer-deserializer.h, read-only-serializer.cc). A heap of
// another V8 is at worst not understood: then deltas are larger, never wrong. An operation is a byte and its operands;
// an integer has its length in its lowest two bits.
#include "heap_refs.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cay {

namespace {

constexpr size_t kChecksums = 8;  // two of four bytes
constexpr size_t kOffsets = 80;  // of the read-only part, the shared part, and the context
constexpr size_t kStartup = 96;  // where the startup part begins
constexpr size_t kMagicAndLength = 8;
constexpr uint32_t kMagic = 0xC0DE;  // in the upper half; the lower one depends on the build of V8
constexpr size_t kWord = 8;
constexpr uint8_t kUndefined = 0x40, kHotObjects = 0x90;

uint32_t Load32(const uint8_t* at) {
  uint32_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

enum class Operands : uint8_t {
  kUnknown,
  kFixed,
  kInteger,
  kRef,
  kHot,
  kTwoIntegers,
  kIntegerAndByte,
  kWords,
  kBytes,
  kResizableBytes,
  kThreeWords,
};

struct Code {
  Operands operands = Operands::kUnknown;
  HeapRef::Kind kind = HeapRef::kStartupObject;  // of a reference
  uint16_t length = 0;                           // with its operands, where that is fixed
};

constexpr std::array<Code, 256> Codes(HeapRef::Kind objects) {
  std::array<Code, 256> codes{};
  auto set = [&codes](size_t from, size_t to, Operands operands, uint16_t length = 0) {
    for (size_t code = from; code <= to; code++) codes[code] = {.operands = operands, .length = length};
  };
  set(0x00, 0x03, Operands::kInteger);  // a new object
  codes[0x04] = {.operands = Operands::kRef, .kind = objects};
  set(0x05, 0x05, Operands::kTwoIntegers);  // read-only
  codes[0x06] = {.operands = Operands::kRef, .kind = HeapRef::kStartupCache};
  set(0x07, 0x08, Operands::kInteger);  // a root, an attached object
  codes[0x09] = {.operands = Operands::kRef, .kind = HeapRef::kSharedCache};
  set(0x0A, 0x0B, Operands::kFixed, 1);
  set(0x0C, 0x0C, Operands::kIntegerAndByte);  // a root, repeated
  set(0x0D, 0x0D, Operands::kBytes);           // of an ArrayBuffer
  set(0x0E, 0x0E, Operands::kResizableBytes);
  set(0x11, 0x11, Operands::kWords);
  set(0x12, 0x13, Operands::kInteger);  // what is outside of the heap
  set(0x17, 0x19, Operands::kFixed, 1);
  codes[0x1A] = {.operands = Operands::kRef, .kind = HeapRef::kForward};
  set(0x1B, 0x1E, Operands::kFixed, 1);
  set(0x1F, 0x1F, Operands::kInteger);
  codes[0x20] = {.operands = Operands::kRef, .kind = HeapRef::kDispatchEntry};
  set(0x21, 0x21, Operands::kFixed, 1);
  set(0x40, 0x5F, Operands::kFixed, 1);  // common roots
  for (uint16_t words = 1; words <= 32; words++) set(0x5Fu + words, 0x5Fu + words, Operands::kFixed, 1 + words * kWord);
  codes[0x62].operands = Operands::kThreeWords;
  set(0x80, 0x8F, Operands::kFixed, 2);  // a root, repeated a few times
  set(0x90, 0x97, Operands::kHot);
  return codes;
}

constexpr std::array<Code, 256> kStartupCodes = Codes(HeapRef::kStartupObject);
constexpr std::array<Code, 256> kSharedCodes = Codes(HeapRef::kSharedObject);
constexpr std::array<Code, 256> kContextCodes = Codes(HeapRef::kContextObject);

bool IsWord(const HeapRef& ref) { return ref.kind == HeapRef::kFunction || ref.kind == HeapRef::kAddress; }

// Goes through one part of a heap: its magic number, its length, its operations.
class Scanner {
 public:
  Scanner(std::span<const uint8_t> heap, size_t begin, size_t end, uint32_t kinds, LargeVector<HeapRef>* refs)
      : heap_(heap), kinds_(kinds), refs_(refs) {
    if (end - begin < kMagicAndLength || Load32(heap.data() + begin) >> 16 != kMagic) return;
    at_ = begin + kMagicAndLength;
    end_ = at_ + std::min<size_t>(Load32(heap.data() + begin + 4), end - at_);
  }

  void StartAt(size_t place) { at_ = std::max(at_, std::min(place, end_)); }

  void ScanObjects(const std::array<Code, 256>& codes) {
    const uint8_t* heap = heap_.data();
    size_t at = at_;
    while (at + 1 < end_) {
      Code code = codes[heap[at]];
      size_t after = at + 1 + (heap[at + 1] & 3u) + 1;  // if it is an integer
      bool is_integer = code.operands == Operands::kInteger || code.operands == Operands::kRef;
      if (code.operands == Operands::kFixed) {
        at += code.length;
      } else if (is_integer && after <= end_) {
        if (code.operands == Operands::kRef) Add(at + 1, code.kind, after - at - 1, 1);
        at = after;
      } else {
        at_ = at;
        if (!Operation(code)) return;
        at = at_;
      }
    }
  }

  // Strings up to `undefined`, then how many there are in the table of strings, and those.
  void ScanShared() {
    while (at_ < end_ && heap_[at_] != kUndefined) {
      if (!Operation(kSharedCodes[heap_[at_]])) return;
    }
    if (Skip(1) && Integer()) ScanObjects(kSharedCodes);
  }

  void ScanReadOnly() {
    size_t segment = 0, words = 0;
    while (at_ < end_) {
      switch (heap_[at_++]) {
        case 0:  // a page: its number, its size
          if (!Integer() || !Integer()) return;
          break;
        case 2: {  // a segment of it: page, offset, size, bytes
          uint32_t size;
          if (!Integer() || !Integer() || !Integer(&size)) return;
          segment = at_;
          words = size / kWord;
          if (!Skip(size)) return;
          break;
        }
        case 3:  // which of its words are pointers
          if (!Pointers(segment, words)) return;
          break;
        default: return;
      }
    }
  }

  bool Integer() { return at_ < end_ && Skip((heap_[at_] & 3u) + 1); }

 private:
  bool Operation(Code code) {
    size_t start = at_++;
    uint32_t count;
    switch (code.operands) {
      case Operands::kFixed: return Skip(code.length - 1u);
      case Operands::kInteger: return Integer();
      case Operands::kRef:
        if (!Integer()) return false;
        Add(start + 1, code.kind, at_ - start - 1, 1);
        return true;
      case Operands::kHot: Add(start, HeapRef::kHot, 1, 0); return true;
      case Operands::kTwoIntegers: return Integer() && Integer();
      case Operands::kIntegerAndByte: return Integer() && Skip(1);
      case Operands::kWords: return Integer(&count) && Skip(count * kWord);
      case Operands::kBytes: return end_ - at_ >= 4 && Skip(4 + size_t{Load32(heap_.data() + at_)});
      case Operands::kResizableBytes: return end_ - at_ >= 8 && Skip(8 + size_t{Load32(heap_.data() + at_)});
      case Operands::kThreeWords:
        if (!Skip(3 * kWord)) return false;
        // The end of a function's description: no place in its script, and then its number.
        if (Load32(heap_.data() + start + 13) == UINT32_MAX) Add(start + 17, HeapRef::kFunction, 4, 17);
        return true;
      case Operands::kUnknown: return false;
    }
    return false;
  }

  // V8 writes page and offset over the lower half of a pointer, and leaves the upper half.
  bool Pointers(size_t segment, size_t words) {
    size_t bits = at_;
    if (!Skip((words + 7) / 8)) return false;
    for (size_t word = 0; word < words; word++) {
      if (heap_[bits + word / 8] >> (word % 8) & 1) Add(segment + word * kWord + 4, HeapRef::kAddress, 4, 0);
    }
    return true;
  }

  bool Skip(size_t bytes) {
    if (bytes > end_ - at_) return false;
    at_ += bytes;
    return true;
  }

  bool Integer(uint32_t* value) {
    size_t before = at_;
    if (!Integer()) return false;
    *value = ReadRef({0, HeapRef::kStartupObject, static_cast<uint8_t>(at_ - before), 0}, heap_.data() + before);
    return true;
  }

  void Add(size_t at, HeapRef::Kind kind, size_t length, uint8_t lead) {
    if (!(kinds_ >> kind & 1)) return;
    if (!refs_->empty() && at < refs_->back().at + refs_->back().length) return;  // no heap of V8's: the order is kept
    refs_->push_back({static_cast<uint32_t>(at), kind, static_cast<uint8_t>(length), lead});
  }

  std::span<const uint8_t> heap_;
  uint32_t kinds_;
  LargeVector<HeapRef>* refs_;
  size_t at_ = 0, end_ = 0;
};

}  // namespace

std::array<size_t, HeapScan::kParts + 1> PartsOf(std::span<const uint8_t> heap) {
  if (heap.size() < kStartup || heap.size() > UINT32_MAX || Load32(heap.data()) != 1) return {};
  std::array<size_t, HeapScan::kParts + 1> bounds{kStartup, 0, 0, 0, heap.size()};
  for (size_t part = 1; part < HeapScan::kParts; part++) bounds[part] = Load32(heap.data() + kOffsets + 4 * (part - 1));
  if (!std::ranges::is_sorted(bounds)) return {};
  return bounds;
}

LargeVector<HeapRef> FindHeapRefs(std::span<const uint8_t> heap, const HeapScan& scan) {
  LargeVector<HeapRef> refs;
  auto bounds = PartsOf(heap);
  for (size_t part = 0; part < HeapScan::kParts; part++) {
    if (scan.from[part] == HeapScan::kNowhere) continue;
    size_t begin = bounds[part], end = bounds[part + 1];
    refs.reserve(refs.size() + (end - std::min<size_t>(end, std::max<size_t>(begin, scan.from[part]))) / 16);
    Scanner scanner(heap, begin, end, scan.kinds, &refs);
    // First come external references that were merged, in pairs, up to the number of them all: here, none.
    if (part == HeapScan::kStartup && !scanner.Integer()) continue;
    scanner.StartAt(scan.from[part]);
    if (part == HeapScan::kReadOnly) {
      scanner.ScanReadOnly();
    } else if (part == HeapScan::kShared) {
      scanner.ScanShared();
    } else {
      scanner.ScanObjects(part == HeapScan::kStartup ? kStartupCodes : kContextCodes);
    }
  }
  return refs;
}

void DropAddresses(std::span<uint8_t> heap) {
  HeapScan scan{.kinds = 1u << HeapRef::kAddress};
  scan.from.fill(HeapScan::kNowhere);
  scan.from[HeapScan::kReadOnly] = 0;
  if (heap.size() >= kStartup) memset(heap.data() + kChecksums, 0, 8);
  for (const HeapRef& ref : FindHeapRefs(heap, scan)) memset(heap.data() + ref.at, 0, ref.length);
}

std::span<const HeapRef>::iterator FirstFrom(std::span<const HeapRef> refs, size_t place) {
  return std::ranges::lower_bound(refs, place, {}, &HeapRef::at);
}

uint32_t ReadRef(const HeapRef& ref, const uint8_t* bytes) {
  if (ref.kind == HeapRef::kHot) return bytes[0] & 7u;
  uint32_t number = bytes[0];
  if (ref.length > 1) number |= uint32_t{bytes[1]} << 8;
  if (ref.length > 2) number |= uint32_t{bytes[2]} << 16;
  if (ref.length > 3) number |= uint32_t{bytes[3]} << 24;
  return IsWord(ref) ? number : number >> 2;
}

void WriteRef(const HeapRef& ref, uint32_t number, uint8_t* bytes) {
  if (ref.kind == HeapRef::kHot) {
    bytes[0] = static_cast<uint8_t>(kHotObjects | (number & 7));
    return;
  }
  uint32_t coded = number;
  if (!IsWord(ref)) {
    if (number >> (8 * ref.length - 2)) return;
    coded = number << 2 | (ref.length - 1u);
  }
  for (size_t i = 0; i < ref.length; i++) bytes[i] = static_cast<uint8_t>(coded >> (8 * i));
}

}  // namespace cay
