#include "renumber.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "varint.h"

namespace cay {

namespace {

struct Copy {
  size_t at, from, length;
};

// The longest copies that are in the same order in both heaps. What is new in the child may look like something of the
// parent's, and be taken from there once more: that tells nothing about numbers.
std::vector<Copy> InOrder(std::span<const Step> steps) {
  std::vector<Copy> copies;
  size_t at = 0;
  for (const Step& step : steps) {
    at += step.literal;
    if (step.length > 0) copies.push_back({at, step.from, step.length});
    at += step.length;
  }
  std::ranges::stable_sort(copies, std::ranges::greater(), &Copy::length);
  std::map<size_t, Copy> kept;
  for (const Copy& copy : copies) {
    auto after = kept.lower_bound(copy.at);
    size_t middle = copy.from + copy.length / 2;  // ends may overlap a little
    if (after != kept.end() && middle > after->second.from) continue;
    if (after != kept.begin() && middle < std::prev(after)->second.from + std::prev(after)->second.length) continue;
    kept.emplace_hint(after, copy.at, copy);
  }
  copies.clear();
  for (const auto& [_, copy] : kept) copies.push_back(copy);
  return copies;
}

// The child's number for each of the parent's, by majority: where records are much alike, some are taken for others.
class Votes {
 public:
  void Add(uint32_t number, uint32_t moved) {
    if (number >= votes_.size()) votes_.resize(size_t{number} + 1);
    Vote& vote = votes_[number];
    if (vote.count == 0) vote.moved = moved;
    vote.count += vote.moved == moved ? 1 : -1;
  }

  template <typename Visitor>
  void ForEach(Visitor visit) const {
    for (uint32_t number = 0; number < votes_.size(); number++) {
      if (votes_[number].count > 0) visit(number, votes_[number].moved - number);
    }
  }

 private:
  struct Vote {
    uint32_t moved = 0;
    int32_t count = 0;
  };
  LargeVector<Vote> votes_;
};

}  // namespace

Renumbering Renumbering::Learn(std::span<const uint8_t> parent, std::span<const HeapRef> refs,
                               std::span<const uint8_t> child, std::span<const Step> steps) {
  std::array<Votes, HeapRef::kKinds> votes;
  std::array<std::vector<Run>, HeapRef::kKinds> runs;
  for (const Copy& copy : InOrder(steps)) {
    auto ref = FirstFrom(refs, copy.from);
    for (; ref != refs.end() && ref->at + ref->length <= copy.from + copy.length; ++ref) {
      uint32_t number = ReadRef(*ref, parent.data() + ref->at);
      uint32_t own = ReadRef(*ref, child.data() + copy.at + (ref->at - copy.from));
      if (HeapRef::IsByPlace(ref->kind)) {
        Extend(&runs[ref->kind], ref->at, ref->kind == HeapRef::kHot ? (own - number) & 7 : own - number);
      } else if (number < parent.size()) {
        votes[ref->kind].Add(number, own);
      }
    }
  }
  Renumbering learned;
  for (size_t kind = 0; kind < HeapRef::kKinds; kind++) {
    votes[kind].ForEach([&](uint32_t number, uint32_t shift) { Extend(&runs[kind], number, shift); });
    std::ranges::stable_sort(runs[kind], {}, &Run::from);
    learned.pieces_[kind] = Pieces(runs[kind]);
  }
  learned.Narrow(parent, refs);
  return learned;
}

void Renumbering::Extend(std::vector<Run>* runs, uint32_t key, uint32_t shift) {
  if (!runs->empty() && runs->back().shift == shift && key > runs->back().from) {
    runs->back().count++;
  } else {
    runs->push_back({{key, shift}, 1});
  }
}

std::vector<Renumbering::Piece> Renumbering::Pieces(std::span<const Run> runs) {
  std::vector<Piece> pieces;
  uint32_t shift = 0;
  for (const Run& run : runs) {
    // What moved alone is cheaper as a difference than as a piece and another one back.
    if (run.shift == shift || (run.count == 1 && &run != &runs.back())) continue;
    shift = run.shift;
    pieces.push_back({run.from, shift});
  }
  return pieces;
}

void Renumbering::Narrow(std::span<const uint8_t> parent, std::span<const HeapRef> refs) {
  scan_.kinds = 0;
  scan_.from.fill(HeapScan::kNowhere);
  auto bounds = PartsOf(parent);
  size_t part = 0;
  for (const HeapRef& ref : refs) {
    while (ref.at >= bounds[part + 1]) part++;
    bool is_known = scan_.from[part] != HeapScan::kNowhere && scan_.kinds >> ref.kind & 1;
    if (is_known || pieces_[ref.kind].empty()) continue;
    uint8_t bytes[4];
    Renumber(ref, parent.data() + ref.at, bytes);
    if (memcmp(bytes, parent.data() + ref.at, ref.length) == 0) continue;
    // Of the read-only part the end says what the beginning means.
    size_t from = part == HeapScan::kReadOnly ? bounds[part] : ref.at - ref.lead;
    scan_.from[part] = std::min(scan_.from[part], static_cast<uint32_t>(from));
    scan_.kinds |= 1u << ref.kind;
  }
}

void Renumbering::WriteTo(std::vector<uint8_t>* out) const {
  PutVarint(out, scan_.kinds);
  for (uint32_t from : scan_.from) PutVarint(out, from + 1);  // wraps: 0 is nowhere
  for (size_t kind = 0; kind < HeapRef::kKinds; kind++) {
    if (!(scan_.kinds >> kind & 1)) continue;
    PutVarint(out, pieces_[kind].size());
    Piece last{0, 0};
    for (const Piece& piece : pieces_[kind]) {
      PutVarint(out, piece.from - last.from);
      PutVarint(out, Zigzag(static_cast<uint64_t>(int64_t{static_cast<int32_t>(piece.shift - last.shift)})));
      last = piece;
    }
  }
}

bool Renumbering::Read(std::span<const uint8_t> written, Renumbering* read) {
  uint64_t kinds, count, gap, shift;
  if (!GetVarint(&written, &kinds) || kinds >> HeapRef::kKinds) return false;
  read->scan_.kinds = static_cast<uint32_t>(kinds);
  for (uint32_t& from : read->scan_.from) {
    uint64_t place;
    if (!GetVarint(&written, &place) || place > UINT32_MAX) return false;
    from = static_cast<uint32_t>(place) - 1;
  }
  for (size_t kind = 0; kind < HeapRef::kKinds; kind++) {
    if (!(kinds >> kind & 1)) continue;
    if (!GetVarint(&written, &count) || count > written.size()) return false;
    read->pieces_[kind].reserve(count);
    Piece piece{0, 0};
    for (; count > 0; count--) {
      if (!GetVarint(&written, &gap) || !GetVarint(&written, &shift) || gap > UINT32_MAX - piece.from) return false;
      piece.from += static_cast<uint32_t>(gap);
      piece.shift += static_cast<uint32_t>(Unzigzag(shift));
      read->pieces_[kind].push_back(piece);
    }
  }
  return written.empty();
}

void Renumbering::Renumber(const HeapRef& ref, const uint8_t* parent, uint8_t* out) const {
  memcpy(out, parent, ref.length);
  const std::vector<Piece>& pieces = pieces_[ref.kind];
  uint32_t number = ReadRef(ref, parent), key = HeapRef::IsByPlace(ref.kind) ? ref.at : number;
  if (pieces.empty() || key < pieces.front().from) return;
  auto after = std::ranges::upper_bound(pieces, key, {}, &Piece::from);
  WriteRef(ref, number + std::prev(after)->shift, out);
}

}  // namespace cay
