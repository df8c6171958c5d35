// The isolate process: warm up, lock, then serve frames until the pipe closes.
#ifndef CAY_LOOP_H_
#define CAY_LOOP_H_

#include <cstddef>

#include "isolate.h"

namespace cay {

struct ServeOptions {
  int descriptor;
  int jit_offset;
  size_t max_heap_cap;
  const char* base_heap_path;
  const char* parts_path;
};

[[noreturn]] void Serve(const Host& host, const ServeOptions& options);

}  // namespace cay

#endif  // CAY_LOOP_H_
