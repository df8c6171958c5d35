// How a child is made of its parent: bytes of its own, and runs of bytes that are the parent's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cay {

struct Step {
  size_t literal;  // bytes of the child's own, and then
  size_t length;   // bytes of the parent's
  size_t from;
};

enum class Effort {
  kLow,   // gives up when the child has more than a few bytes of its own
  kHigh,  // looks everywhere for what seems new
};

// Nothing when it gave up. In time that grows with the size only.
std::optional<std::vector<Step>> Match(std::span<const uint8_t> parent, std::span<const uint8_t> child, Effort effort);

}  // namespace cay
