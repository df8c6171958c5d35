#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cay {

inline void PutVarint(std::vector<uint8_t>* out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

// Takes it from the front of `in`; false when there is none.
inline bool GetVarint(std::span<const uint8_t>* in, uint64_t* value) {
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

// Small for what is near zero, on either side.
inline uint64_t Zigzag(uint64_t difference) { return (difference << 1) ^ (~(difference >> 63) + 1); }
inline uint64_t Unzigzag(uint64_t value) { return (value >> 1) ^ (~(value & 1) + 1); }

}  // namespace cay
