#include "match.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "large_vector.h"

namespace cay {

namespace {

constexpr size_t kBlock = 16;                  // of the parent is indexed
constexpr size_t kNearby = 8;                  // a match that goes on where the last one would
constexpr size_t kPatience = 32;               // literal bytes before it looks further away: most changes are in place
constexpr size_t kFewLiterals = 1024;          // of a change that may well be in place
constexpr size_t kFewSearches = 32;            // for it
constexpr size_t kSpan = 512;                  // of the child, over which two ways to go on are compared
constexpr size_t kWideSpan = 8192;             // the same, for a closer look
constexpr size_t kMany = 32;                   // differences in place, after which it takes one
constexpr size_t kStep = 3, kJump = 6;         // bytes of a delta for a difference in place, and for going on elsewhere
constexpr size_t kCheap = 24;                  // bytes over a span that are not worth a search
constexpr size_t kWorthwhile = 16;             // a match elsewhere
constexpr size_t kBehind = 512, kAhead = 1536;  // of the parent, where such a match is looked for first
constexpr size_t kScanned = 1024;              // of the child, for where it begins

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
  LargeVector<uint32_t> slots_;
};

// The places of every 8 bytes in a short stretch of the parent; the one nearest after `middle` when there are several.
class Window {
 public:
  void Fill(std::span<const uint8_t> parent, size_t middle) {
    slots_.fill(0);
    start_ = middle - std::min(middle, kBehind);
    size_t end = std::min(middle + kAhead, parent.size() - std::min(parent.size(), kNearby - 1));
    for (size_t at = start_; at < std::min(middle, end); at++) Put(parent, at);
    for (size_t at = end; at-- > middle;) Put(parent, at);
  }

  bool Find(std::span<const uint8_t> parent, const uint8_t* bytes, size_t* at) const {
    uint16_t slot = slots_[Slot(bytes)];
    if (slot == 0) return false;
    *at = start_ + slot - 1;
    return Load(parent.data() + *at) == Load(bytes);
  }

 private:
  static size_t Slot(const uint8_t* bytes) { return (Load(bytes) * 0x9E3779B97F4A7C15u) >> 52; }
  void Put(std::span<const uint8_t> parent, size_t at) {
    slots_[Slot(parent.data() + at)] = static_cast<uint16_t>(at - start_ + 1);
  }

  std::array<uint16_t, 4096> slots_{};
  size_t start_ = 0;
};

// How often it pays to look elsewhere: the less, the more often nothing was found.
class Patience {
 public:
  bool IsUp() { return left_ == 0 || left_-- == 0; }
  void Learn(bool found) {
    left_ = found ? 0 : wait_;
    wait_ = found ? 1 : std::min(wait_ * 2, kMost);
  }

 private:
  static constexpr size_t kMost = 64;
  size_t left_ = 0, wait_ = 1;
};

class Matcher {
 public:
  Matcher(std::span<const uint8_t> parent, std::span<const uint8_t> child, Effort effort)
      : parent_(parent),
        child_(child),
        effort_(effort),
        literals_left_(effort == Effort::kLow ? kFewLiterals : child.size()),
        searches_left_(effort == Effort::kLow ? kFewSearches : 1024 + child.size() / 512) {}

  bool Make() {
    size_t at = 0;
    while (at + kNearby <= child_.size()) {
      if (effort_ == Effort::kLow && (at - literal_start_ > literals_left_ || searches_left_ == 0)) return false;
      Place found;
      if ((at == literal_start_ && FindAround(&found)) || FindNearby(at, &found) || FindIndexed(at, &found)) {
        at = Copy(found);
      } else if (at - literal_start_ >= kPatience && BuildIndex()) {
        at = literal_start_;
      } else {
        // Long stretches of new bytes are looked at in ever larger odd steps; a match is extended back over them.
        at += 1 + std::min<size_t>((at - literal_start_) >> 9, 15) * 2;
      }
    }
    if (literal_start_ < child_.size()) Put(child_.size(), 0, 0);
    return fits_;
  }

  std::vector<Step> TakeSteps() { return std::move(steps_); }

 private:
  struct Place {
    size_t at = 0;    // in the child
    size_t from = 0;  // in the parent
  };

  // After a difference: goes on in place, or elsewhere where that is cheaper. In a list of records that are much alike
  // all that follows a new one matches in place as well, but badly: one step a record.
  bool FindAround(Place* found) {
    bool any = false;
    for (size_t at = literal_start_; !any && at < literal_start_ + kPatience && at + kNearby <= child_.size(); at++) {
      any = FindNearby(at, found);
    }
    Patience& patience = any ? in_place_ : lost_;
    // Every now and then it looks further ahead: records may be so much alike that only some of them differ.
    size_t run = any ? ++differences_ : 0;
    bool is_wide = run >= kMany && std::has_single_bit(run);
    if ((is_wide || patience.IsUp()) && searches_left_ > 0) {
      size_t span = is_wide ? kWideSpan : kSpan;
      size_t cost = any ? Cost({literal_start_, parent_end_}, span) : kScanned + span;
      bool is_cheap = cost <= (is_wide ? kJump : kCheap);
      bool elsewhere = !is_cheap && FindElsewhere(cost, span, found);
      patience.Learn(elsewhere || is_cheap);
      if (elsewhere) differences_ = 0;
      any |= elsewhere;
    }
    return any;
  }

  bool FindElsewhere(size_t cost, size_t span, Place* found) {
    searches_left_--;
    BuildIndex();
    window_.Fill(parent_, parent_end_);
    size_t end = std::min(child_.size() - kNearby + 1, literal_start_ + kScanned);
    size_t longest = kWorthwhile;
    bool any = false;
    for (size_t at = literal_start_; at < end && at - literal_start_ + kJump < cost; at++) {
      Place place{at, 0};
      if (!window_.Find(parent_, child_.data() + at, &place.from) && !FindIndexed(at, &place)) continue;
      size_t skipped = at - literal_start_, length = Length(place, kSpan);
      if (length < longest) continue;
      longest = length;
      size_t own = skipped + kJump + Cost(place, span - std::min(skipped, span));
      if (own >= cost) continue;
      cost = own;
      *found = place;
      any = true;
    }
    return any;
  }

  // About how many bytes a delta takes for so much of the child, when it goes on there: up to where it would look for
  // another place again.
  size_t Cost(const Place& place, size_t span) const {
    size_t limit = std::min({span, parent_.size() - std::min(place.from, parent_.size()), child_.size() - place.at});
    const uint8_t *a = parent_.data() + place.from, *b = child_.data() + place.at;
    size_t cost = 0;
    for (size_t at = 0; at < limit;) {
      at += CommonPrefix(a + at, b + at, limit - at);
      if (at + kNearby > limit) break;
      size_t different = 1;
      for (size_t next = at + 1; different < kPatience && next + kNearby <= limit; next++, different++) {
        if (Load(a + next) == Load(b + next)) break;
      }
      cost += kStep + different;
      if (different == kPatience) break;
      at += different;
    }
    return cost;
  }

  bool FindNearby(size_t at, Place* found) const {
    size_t place = parent_end_ + (at - literal_start_);
    if (place + kNearby > parent_.size() || Load(parent_.data() + place) != Load(child_.data() + at)) return false;
    *found = {at, place};
    return true;
  }

  // False when there is one already, or is to be none.
  bool BuildIndex() {
    if (index_.built() || effort_ == Effort::kLow || parent_.size() < kBlock) return false;
    index_.Build(parent_);
    return true;
  }

  bool FindIndexed(size_t at, Place* found) const {
    found->at = at;
    return index_.built() && at + kBlock <= child_.size() && index_.Find(parent_, child_.data() + at, &found->from);
  }

  size_t Length(const Place& place, size_t most) const {
    size_t limit = std::min({most, parent_.size() - place.from, child_.size() - place.at});
    return CommonPrefix(parent_.data() + place.from, child_.data() + place.at, limit);
  }

  size_t Copy(const Place& place) {
    const auto [at, from] = place;
    size_t back = CommonSuffix(parent_.data() + from, child_.data() + at, std::min(from, at - literal_start_));
    size_t length = back + Length(place, child_.size());
    Put(at - back, from - back, length);
    return literal_start_;
  }

  void Put(size_t literal_end, size_t from, size_t length) {
    size_t literal = literal_end - literal_start_;
    fits_ = fits_ && literal <= literals_left_;
    literals_left_ -= std::min(literal, literals_left_);
    steps_.push_back({literal, length, from});
    literal_start_ = literal_end + length;
    parent_end_ = from + length;
  }

  std::span<const uint8_t> parent_, child_;
  Effort effort_;
  std::vector<Step> steps_;
  Index index_;
  Window window_;
  size_t literal_start_ = 0;  // in the child: what is before has been written
  size_t parent_end_ = 0;     // where the last copy ended
  size_t literals_left_, searches_left_;
  Patience in_place_, lost_;
  size_t differences_ = 0;  // since it last went on elsewhere
  bool fits_ = true;
};

}  // namespace

std::optional<std::vector<Step>> Match(std::span<const uint8_t> parent, std::span<const uint8_t> child, Effort effort) {
  Matcher matcher(parent, child, effort);
  if (!matcher.Make()) return std::nullopt;
  return matcher.TakeSteps();
}

}  // namespace cay
