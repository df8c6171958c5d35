#ifndef CAY_JOB_CLOCK_H_
#define CAY_JOB_CLOCK_H_

#include <cstdint>
#include <ctime>

namespace cay {

inline int64_t NowMs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1000 + now.tv_nsec / 1000000;
}

}  // namespace cay

#endif  // CAY_JOB_CLOCK_H_
