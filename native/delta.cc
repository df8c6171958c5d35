// Layout: version (1 byte), child length, in version 2 the length of a renumbering and that, length of the steps, the
// steps, all literals. A step is three varints: bytes to take from the literals, bytes to copy from the parent, and how
// far the copy begins from where the last one would have gone on had the parent had those literals too (zigzag). A
// field that changed in place so costs two small steps. A copy in version 2 is from the parent as it is renumbered.
#include "delta.h"

#include <algorithm>
#include <cstring>

#include "match.h"
#include "varint.h"

namespace cay {

namespace {

constexpr uint8_t kPlain = 1;
constexpr uint8_t kRenumbered = 2;
constexpr size_t kSmall = 160;  // bytes of a delta that is not worth another look

std::vector<uint8_t> Written(std::span<const uint8_t> child, std::span<const Step> all,
                             const Renumbering* renumbering) {
  std::vector<uint8_t> steps, literals;
  size_t at = 0, place = 0;
  for (const auto& [literal, length, from] : all) {
    PutVarint(&steps, literal);
    PutVarint(&steps, length);
    if (length > 0) PutVarint(&steps, Zigzag(from - (place + literal)));
    literals.insert(literals.end(), child.begin() + at, child.begin() + at + literal);
    at += literal + length;
    place = from + length;
  }
  std::vector<uint8_t> delta{renumbering ? kRenumbered : kPlain};
  PutVarint(&delta, child.size());
  if (renumbering) {
    std::vector<uint8_t> numbers;
    renumbering->WriteTo(&numbers);
    PutVarint(&delta, numbers.size());
    delta.insert(delta.end(), numbers.begin(), numbers.end());
  }
  PutVarint(&delta, steps.size());
  delta.insert(delta.end(), steps.begin(), steps.end());
  delta.insert(delta.end(), literals.begin(), literals.end());
  return delta;
}

// Everything but the numbers, in whose place is how long they are.
LargeVector<uint8_t> WithoutNumbers(std::span<const uint8_t> heap, std::span<const HeapRef> refs) {
  LargeVector<uint8_t> rest(heap.begin(), heap.end());
  for (const HeapRef& ref : refs) memset(rest.data() + ref.at, 0xE8 + ref.length, ref.length);
  return rest;
}

// Finds out what is alike but for numbers, from that the numbers, and then what else is different. Empty when that is
// no way to do it.
std::vector<uint8_t> MakeRenumbered(std::span<const uint8_t> parent, std::span<const uint8_t> child) {
  LargeVector<HeapRef> refs = FindHeapRefs(parent, {});
  if (refs.empty()) return {};
  LargeVector<uint8_t> renumbered = WithoutNumbers(parent, refs);
  auto alike = Match(renumbered, WithoutNumbers(child, FindHeapRefs(child, {})), Effort::kHigh);
  Renumbering renumbering = Renumbering::Learn(parent, refs, child, *alike);
  if (renumbering.empty()) return {};
  for (const HeapRef& ref : refs) memcpy(renumbered.data() + ref.at, parent.data() + ref.at, ref.length);
  for (const HeapRef& ref : FindHeapRefs(parent, renumbering.scan())) {  // as the reader finds them
    renumbering.Renumber(ref, parent.data() + ref.at, renumbered.data() + ref.at);
  }
  return Written(child, *Match(renumbered, child, Effort::kHigh), &renumbering);
}

}  // namespace

std::vector<uint8_t> MakeDelta(std::span<const uint8_t> parent, std::span<const uint8_t> child) {
  std::vector<uint8_t> plain;
  if (auto steps = Match(parent, child, Effort::kLow)) plain = Written(child, *steps, nullptr);
  if (!plain.empty() && plain.size() <= kSmall) return plain;
  std::vector<uint8_t> renumbered = MakeRenumbered(parent, child);
  if (plain.empty() && renumbered.empty()) return Written(child, *Match(parent, child, Effort::kHigh), nullptr);
  return plain.empty() || (!renumbered.empty() && renumbered.size() < plain.size()) ? renumbered : plain;
}

DeltaReader::DeltaReader(std::span<const uint8_t> parent, std::span<const uint8_t> delta) : parent_(parent) {
  if (delta.empty() || (delta[0] != kPlain && delta[0] != kRenumbered)) return;
  bool is_renumbered = delta[0] == kRenumbered;
  delta = delta.subspan(1);
  uint64_t length, numbers, steps;
  if (!GetVarint(&delta, &length)) return;
  if (is_renumbered) {
    if (!GetVarint(&delta, &numbers) || numbers > delta.size()) return;
    if (!Renumbering::Read(delta.subspan(0, numbers), &renumbering_)) return;
    delta = delta.subspan(numbers);
  }
  if (!GetVarint(&delta, &steps) || steps > delta.size()) return;
  steps_ = delta.subspan(0, steps);
  literals_ = delta.subspan(steps);
  length_ = length;
  valid_ = Walk([](std::span<const uint8_t>) {}, [](size_t, size_t) {});
}

void DeltaReader::Write(uint8_t* child) const {
  LargeVector<HeapRef> refs;
  if (!renumbering_.empty()) refs = FindHeapRefs(parent_, renumbering_.scan());
  auto literal = [&child](std::span<const uint8_t> bytes) { child = std::ranges::copy(bytes, child).out; };
  auto copy = [&](size_t from, size_t length) {
    memcpy(child, parent_.data() + from, length);
    Renumber(refs, from, length, child);
    child += length;
  };
  Walk(literal, copy);
}

// A copy may begin or end within a reference.
void DeltaReader::Renumber(std::span<const HeapRef> refs, size_t from, size_t length, uint8_t* child) const {
  auto ref = FirstFrom(refs, from - std::min<size_t>(from, 3));
  for (; ref != refs.end() && ref->at < from + length; ++ref) {
    uint8_t bytes[4];
    renumbering_.Renumber(*ref, parent_.data() + ref->at, bytes);
    size_t begin = std::max<size_t>(ref->at, from), end = std::min(size_t{ref->at} + ref->length, from + length);
    if (begin < end) memcpy(child + (begin - from), bytes + (begin - ref->at), end - begin);
  }
}

template <typename Literal, typename Copy>
bool DeltaReader::Walk(Literal literal, Copy copy) const {
  std::span<const uint8_t> steps = steps_, literals = literals_;
  uint64_t left = length_, place = 0;
  while (!steps.empty()) {
    uint64_t own, length, jump = 0;
    if (!GetVarint(&steps, &own) || !GetVarint(&steps, &length)) return false;
    if (length > 0 && !GetVarint(&steps, &jump)) return false;
    if (own > literals.size() || own > left || length > left - own) return false;
    literal(literals.subspan(0, own));
    literals = literals.subspan(own);
    left -= own + length;
    place += own + Unzigzag(jump);  // wraps at worst; the bounds below are checked on the sum
    if (length == 0) continue;
    if (place > parent_.size() || length > parent_.size() - place) return false;
    copy(place, length);
    place += length;
  }
  return left == 0 && literals.empty();
}

}  // namespace cay
