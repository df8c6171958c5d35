// A heap in which objects have other numbers, as in one that was made from it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heap_refs.h"
#include "match.h"

namespace cay {

class Renumbering {
 public:
  // What most likely turned the parent's numbers into the child's, where steps say that they are the same otherwise.
  static Renumbering Learn(std::span<const uint8_t> parent, std::span<const HeapRef> refs,
                           std::span<const uint8_t> child, std::span<const Step> steps);
  static bool Read(std::span<const uint8_t> written, Renumbering* read);
  void WriteTo(std::vector<uint8_t>* out) const;

  // Where the references are that it changes: usually not many parts of a heap, and late in them.
  const HeapScan& scan() const { return scan_; }
  bool empty() const { return scan_.kinds == 0; }

  // Writes the parent's reference, whose bytes are given, as it is after renumbering.
  void Renumber(const HeapRef& ref, const uint8_t* parent, uint8_t* out) const;

 private:
  // From a number (or, where numbers count what came just before, from a place) on, all are moved by as much.
  struct Piece {
    uint32_t from;
    uint32_t shift;  // modulo 2^32
  };
  struct Run : Piece {
    size_t count;
  };
  static void Extend(std::vector<Run>* runs, uint32_t key, uint32_t shift);
  static std::vector<Piece> Pieces(std::span<const Run> runs);

  void Narrow(std::span<const uint8_t> parent, std::span<const HeapRef> refs);

  std::array<std::vector<Piece>, HeapRef::kKinds> pieces_;
  HeapScan scan_{.kinds = 0};
};

}  // namespace cay
