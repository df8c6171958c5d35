// Layout: version (1 byte), child length, length of the steps, the steps, all literals. A step is three varints: bytes to
// take from the literals, bytes to copy from the parent, and how far the copy begins from where the last one would have
// gone on had the parent had those literals too (zigzag). A field that changed in place so costs two small steps.
#include "delta.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cay {

namespace {

constexpr uint8_t kVersion = 1;
constexpr size_t kBlock = 16;    // of the parent is indexed
constexpr size_t kNearby = 8;    // a match that goes on where the last one would
constexpr size_t kPatience = 32;  // literal bytes before the index is built: most changes are in place

uint64_t Load(const uint8_t* at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

uint64_t Mix(const uint8_t* at) {
  uint64_t value = (Load(at) ^ (Load(at + 8) * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return value ^ (value >> 32);
}

size_t CommonPrefix(const uint8_t* a, const uint8_t* b, size_t limit) {
  size_t n = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; n + 8 <= limit; n += 8) {
      uint64_t difference = Load(a + n) ^ Load(b + n);
      if (difference) return n + static_cast<size_t>(std::countr_zero(difference) / 8);
    }
  }
  while (n < limit && a[n] == b[n]) n++;
  return n;
}

size_t CommonSuffix(const uint8_t* a_end, const uint8_t* b_end, size_t limit) {
  size_t n = 0;
  while (n < limit && a_end[-1 - static_cast<ptrdiff_t>(n)] == b_end[-1 - static_cast<ptrdiff_t>(n)]) n++;
  return n;
}

void PutVarint(std::vector<uint8_t>* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

bool GetVarint(std::span<const uint8_t>* in, uint64_t* value) {
  *value = 0;
  for (size_t i = 0; i < in->size() && i < 10; i++) {
    uint64_t byte = (*in)[i];
    if (i == 9 && byte > 1) return false;
    *value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      *in = in->subspan(i + 1);
      return true;
    }
  }
  return false;
}

// Where in the parent a block of 16 bytes is; the first place when there are several.
class Index {
 public:
  bool built() const { return !slots_.empty(); }

  void Build(std::span<const uint8_t> parent) {
    size_t blocks = parent.size() / kBlock;
    slots_.assign(std::bit_ceil(blocks * 2 + 1), 0);
    for (size_t block = blocks; block-- > 0;) {
      slots_[Mix(parent.data() + block * kBlock) & (slots_.size() - 1)] = static_cast<uint32_t>(block + 1);
    }
  }

  bool Find(std::span<const uint8_t> parent, const uint8_t* bytes, size_t* at) const {
    uint32_t slot = slots_[Mix(bytes) & (slots_.size() - 1)];
    if (slot == 0) return false;
    *at = (slot - 1) * kBlock;
    return memcmp(parent.data() + *at, bytes, kBlock) == 0;
  }

 private:
  std::vector<uint32_t> slots_;
};

class DeltaWriter {
 public:
  DeltaWriter(std::span<const uint8_t> parent, std::span<const uint8_t> child) : parent_(parent), child_(child) {}

  std::vector<uint8_t> Make() {
    size_t at = 0;
    while (at + kNearby <= child_.size()) {
      size_t from;
      if (FindNearby(at, &from) || FindIndexed(at, &from)) {
        at = Copy(at, from);
      } else if (!index_.built() && at - literal_start_ >= kPatience && parent_.size() >= kBlock) {
        index_.Build(parent_);
        at = literal_start_;
      } else {
        // Long stretches of new bytes are looked at in ever larger odd steps; a match is extended back over them.
        at += 1 + std::min<size_t>((at - literal_start_) >> 9, 15) * 2;
      }
    }
    if (literal_start_ < child_.size()) Step(child_.size(), 0, 0);
    return Joined();
  }

 private:
  bool FindNearby(size_t at, size_t* from) const {
    size_t place = parent_end_ + (at - literal_start_);
    if (place + kNearby > parent_.size() || Load(parent_.data() + place) != Load(child_.data() + at)) return false;
    *from = place;
    return true;
  }

  bool FindIndexed(size_t at, size_t* from) const {
    return index_.built() && at + kBlock <= child_.size() && index_.Find(parent_, child_.data() + at, from);
  }

  size_t Copy(size_t at, size_t from) {
    size_t back = CommonSuffix(parent_.data() + from, child_.data() + at, std::min(from, at - literal_start_));
    size_t limit = std::min(parent_.size() - from, child_.size() - at);
    size_t length = back + CommonPrefix(parent_.data() + from, child_.data() + at, limit);
    Step(at - back, from - back, length);
    return literal_start_;
  }

  void Step(size_t literal_end, size_t from, size_t length) {
    size_t literal = literal_end - literal_start_;
    PutVarint(&steps_, literal);
    PutVarint(&steps_, length);
    if (length > 0) {
      int64_t jump = static_cast<int64_t>(from) - static_cast<int64_t>(parent_end_ + literal);
      PutVarint(&steps_, (static_cast<uint64_t>(jump) << 1) ^ static_cast<uint64_t>(jump >> 63));
    }
    literals_.insert(literals_.end(), child_.begin() + literal_start_, child_.begin() + literal_end);
    literal_start_ = literal_end + length;
    parent_end_ = from + length;
  }

  std::vector<uint8_t> Joined() const {
    std::vector<uint8_t> delta{kVersion};
    PutVarint(&delta, child_.size());
    PutVarint(&delta, steps_.size());
    delta.insert(delta.end(), steps_.begin(), steps_.end());
    delta.insert(delta.end(), literals_.begin(), literals_.end());
    return delta;
  }

  std::span<const uint8_t> parent_, child_;
  std::vector<uint8_t> steps_, literals_;
  Index index_;
  size_t literal_start_ = 0;  // in the child: what is before has been written
  size_t parent_end_ = 0;     // where the last copy ended
};

}  // namespace

std::vector<uint8_t> MakeDelta(std::span<const uint8_t> parent, std::span<const uint8_t> child) {
  return DeltaWriter(parent, child).Make();
}

DeltaReader::DeltaReader(std::span<const uint8_t> parent, std::span<const uint8_t> delta) : parent_(parent) {
  if (delta.empty() || delta[0] != kVersion) return;
  delta = delta.subspan(1);
  uint64_t length, steps;
  if (!GetVarint(&delta, &length) || !GetVarint(&delta, &steps) || steps > delta.size()) return;
  steps_ = delta.subspan(0, steps);
  literals_ = delta.subspan(steps);
  length_ = length;
  valid_ = Walk([](const uint8_t*, size_t) {});
}

void DeltaReader::Write(uint8_t* child) const {
  Walk([&child](const uint8_t* bytes, size_t size) {
    if (size > 0) memcpy(child, bytes, size);
    child += size;
  });
}

template <typename Visitor>
bool DeltaReader::Walk(Visitor visit) const {
  std::span<const uint8_t> steps = steps_, literals = literals_;
  uint64_t left = length_, place = 0;
  while (!steps.empty()) {
    uint64_t literal, length, jump = 0;
    if (!GetVarint(&steps, &literal) || !GetVarint(&steps, &length)) return false;
    if (length > 0 && !GetVarint(&steps, &jump)) return false;
    if (literal > literals.size() || literal > left || length > left - literal) return false;
    visit(literals.data(), literal);
    literals = literals.subspan(literal);
    left -= literal + length;
    if (length == 0) {
      place += literal;  // wraps at worst; the bounds below are checked on the sum
      continue;
    }
    place += literal + ((jump >> 1) ^ (~(jump & 1) + 1));
    if (place > parent_.size() || length > parent_.size() - place) return false;
    visit(parent_.data() + place, length);
    place += length;
  }
  return left == 0 && literals.empty();
}

}  // namespace cay
