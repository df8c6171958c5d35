// A heap as its difference from another: runs of bytes that are copied from the parent, and literal bytes between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "renumber.h"

namespace cay {

std::vector<uint8_t> MakeDelta(std::span<const uint8_t> parent, std::span<const uint8_t> child);

// Reads a delta that may come from a damaged disk: every length and offset in it is checked before it is used.
class DeltaReader {
 public:
  DeltaReader(std::span<const uint8_t> parent, std::span<const uint8_t> delta);

  // Whether the delta is whole and fits the parent; then `length` is how many bytes Write fills.
  bool valid() const { return valid_; }
  size_t length() const { return length_; }
  void Write(uint8_t* child) const;

 private:
  template <typename Literal, typename Copy>
  bool Walk(Literal literal, Copy copy) const;
  void Renumber(std::span<const HeapRef> refs, size_t from, size_t length, uint8_t* child) const;

  std::span<const uint8_t> parent_;
  std::span<const uint8_t> steps_;
  std::span<const uint8_t> literals_;
  Renumbering renumbering_;
  size_t length_ = 0;
  bool valid_ = false;
};

}  // namespace cay
