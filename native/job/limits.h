// The limits of a job. What the kernel counts for one process is a resource limit; what a job uses as a whole is looked
// at a few times a second. Control groups would count exactly, but a server seldom has one of its own to divide; and
// limits on address space or data break Node, Java, Go and sanitizers, which reserve much more than they use. How many
// processes there are is for the gate to say.
#ifndef CAY_JOB_LIMITS_H_
#define CAY_JOB_LIMITS_H_

#include <cstdint>

#include "settings.h"

namespace cay {

// Threads are not processes, but a job that makes millions of them is no better than one that forks.
constexpr uint64_t kThreadsPerProcess = 16;

// For this process and all it starts.
void SetResourceLimits(const Settings& settings);

class Watch {
 public:
  explicit Watch(const Settings& settings);

  // The name of the limit that the job has passed; null while it is within all of them.
  const char* Exceeded();

 private:
  bool TooMuchMemory(const std::vector<struct Process>& processes);
  bool FillsTheMachine() const;
  bool FillsTheDisk() const;

  const Settings& settings_;
  uint64_t free_at_start_ = 0, files_at_start_ = 0, available_at_start_;
  uint64_t scanned_bytes_ = 0;  // what takes longer to find out than the rest
  uint64_t looks_ = 0;
};

}  // namespace cay

#endif  // CAY_JOB_LIMITS_H_
