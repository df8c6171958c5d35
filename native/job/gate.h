// Who may make another process. The kernel does not count root's processes, and looking a few times a second is too
// slow for one that doubles each time; but one that has to ask cannot be faster than the answer.
#ifndef CAY_JOB_GATE_H_
#define CAY_JOB_GATE_H_

#include <cstdint>

namespace cay {

class Gate {
 public:
  // `questions` is taken over; -1: everything passes.
  Gate(int questions, uint64_t processes, uint64_t threads);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // To be polled; -1 when nobody is left to ask.
  int questions() const { return questions_; }
  void Answer();

 private:
  bool HasRoom();
  bool Fits() const { return processes_ < most_processes_ && threads_ < most_threads_; }

  int questions_;
  const uint64_t most_processes_, most_threads_;
  uint64_t processes_ = 1, threads_ = 1;  // at the last count, and all that have passed since
  int64_t full_until_ms_ = 0;
};

}  // namespace cay

#endif  // CAY_JOB_GATE_H_
