// The lock: after it, the process can compute and use the pipe it has, and nothing else. One file a platform.
#ifndef CAY_LOCKDOWN_H_
#define CAY_LOCKDOWN_H_

#include <cstdint>
#include <string>

namespace cay {

struct Lock {
  bool closed;      // false: nothing foreign may run here
  std::string gap;  // what this platform has no means for, "" where the lock is complete
};

// Call it after a first run, when all threads have started.
Lock LockDown(int wire_descriptor);

// Tries something that the lock forbids; the errno, or 0 when it went through. What is forbidden at the price of the
// process does not return.
enum class Probe : uint8_t { kOpen = 1, kSocket = 2, kExecve = 3, kSignalParent = 4, kClone = 5, kSharedMemory = 6 };
int TryForbidden(Probe probe);

}  // namespace cay

#endif  // CAY_LOCKDOWN_H_
