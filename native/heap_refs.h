// Where a heap has the numbers of its objects. V8 numbers objects in the order in which it writes them: one object more
// changes every number after it, and those bytes differ between two heaps that are otherwise the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "large_vector.h"

namespace cay {

struct HeapRef {
  enum Kind : uint8_t {
    kStartupObject,  // of the part that all contexts share
    kSharedObject,
    kContextObject,
    kStartupCache,
    kSharedCache,
    kDispatchEntry,
    kFunction,  // V8 counts functions again whenever it restores a heap
    kForward,  // counts what is open at that place
    kHot,      // one of the eight that were named last: a place in a ring
    kAddress,  // what is left of where its read-only objects were, in heaps from before DropAddresses
    kKinds,
  };
  static constexpr bool IsByPlace(size_t kind) { return kind >= kForward; }

  uint32_t at;
  Kind kind;
  uint8_t length;
  uint8_t lead;  // bytes from where its operation begins
};

// What of a heap to look at.
struct HeapScan {
  enum Part { kStartup, kReadOnly, kShared, kContext, kParts };
  static constexpr uint32_t kNowhere = UINT32_MAX;

  uint32_t kinds = (1u << HeapRef::kKinds) - 1;  // a bit each
  std::array<uint32_t, kParts> from{};           // in each part: where an operation begins, from which on
};

// In order. Empty for what is no heap; where something is not understood, the rest of that part has none.
LargeVector<HeapRef> FindHeapRefs(std::span<const uint8_t> heap, const HeapScan& scan);

// Where each part begins, and the last one ends; all zero for what is no heap.
std::array<size_t, HeapScan::kParts + 1> PartsOf(std::span<const uint8_t> heap);

// The first that begins at that place or after.
std::span<const HeapRef>::iterator FirstFrom(std::span<const HeapRef> refs, size_t place);

// Clears what says where the process had its memory, and V8's checksums, which nobody reads. Two processes that went on
// from one heap in the same way so write the same.
void DropAddresses(std::span<uint8_t> heap);

uint32_t ReadRef(const HeapRef& ref, const uint8_t* bytes);

// Writes nothing when the number takes more bytes than the reference has.
void WriteRef(const HeapRef& ref, uint32_t number, uint8_t* bytes);

}  // namespace cay
