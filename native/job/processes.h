// The processes below this one, from /proc.
#ifndef CAY_JOB_PROCESSES_H_
#define CAY_JOB_PROCESSES_H_

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace cay {

struct Process {
  pid_t id;
  pid_t parent;
  bool ended;  // and not yet waited for
  uint64_t threads;
  uint64_t cpu_ticks;  // its own, and that of children it has waited for
  uint64_t resident_bytes;
};

// In no order. One that comes or goes meanwhile may be missing.
std::vector<Process> Descendants();

// Its share of what it holds in memory: a page that four processes have counts a quarter. What it has resident, where
// the kernel does not tell.
uint64_t ShareOfMemory(const Process& process);

// What the descendants hold in files that are only memory (memfd), mapped or not.
uint64_t UnnamedMemory(const std::vector<Process>& processes);

// What the kernel needs to map their memory: a program can make that large without having anything in memory itself.
uint64_t PageTables(const std::vector<Process>& processes);

// Of the whole machine; 0 where the kernel does not tell.
uint64_t AvailableMemory();

// System V shared memory, of this namespace.
uint64_t SharedSegments();

}  // namespace cay

#endif  // CAY_JOB_PROCESSES_H_
