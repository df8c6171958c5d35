// Pieces of the prelude that are kept out of the heap until code asks for them: every object in a heap costs time in
// every run. A file of (name, source, V8's
// code cache for it or nothing), each with a u32 length before it, mapped, so that all processes share its pages.
#ifndef CAY_PARTS_H_
#define CAY_PARTS_H_

#include <string_view>

namespace cay {

// A whole file, mapped read-only for the life of the process; empty when it cannot be read.
std::string_view MapFile(const char* path);

struct Part {
  std::string_view source, cache;
};

class Parts {
 public:
  explicit Parts(std::string_view file) : file_(file) {}
  // Empty when there is none of that name.
  Part Find(std::string_view name) const;

 private:
  std::string_view file_;
};

}  // namespace cay

#endif  // CAY_PARTS_H_
