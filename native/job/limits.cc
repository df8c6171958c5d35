#include "limits.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>

#include "processes.h"

namespace cay {

namespace {

constexpr uint64_t kLooksPerScan = 4;
constexpr uint64_t kBytesOfEmptyFile = 1024;
constexpr uint64_t kMegabyte = 1 << 20;
constexpr uint64_t kFewFiles = 1000;

void SetLimit(__rlimit_resource_t resource, uint64_t soft, uint64_t hard) {
  rlimit now;
  if (getrlimit(resource, &now) == 0) hard = std::min<uint64_t>(hard, now.rlim_max);
  rlimit wanted{std::min(soft, hard), hard};
  setrlimit(resource, &wanted);
}

// Of a file system that is in memory; a file without content takes about as much as its entries in the kernel's tables.
uint64_t UsedBytes(const std::string& path) {
  struct statvfs info;
  if (statvfs(path.c_str(), &info) != 0) return 0;
  return (info.f_blocks - info.f_bfree) * info.f_frsize + (info.f_files - info.f_ffree) * kBytesOfEmptyFile;
}

uint64_t FreeBytes(const struct statvfs& info) { return static_cast<uint64_t>(info.f_bavail) * info.f_frsize; }

// The CPU time of what has ended and was waited for here.
uint64_t WaitedTicks() {
  rusage used;
  if (getrusage(RUSAGE_CHILDREN, &used) != 0) return 0;
  uint64_t micros = static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
                    static_cast<uint64_t>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return micros * static_cast<uint64_t>(sysconf(_SC_CLK_TCK)) / 1000000;
}

}  // namespace

void SetResourceLimits(const Settings& settings) {
  SetLimit(RLIMIT_CORE, 0, 0);
  SetLimit(RLIMIT_FSIZE, settings.file_bytes, settings.file_bytes);
  // First SIGXCPU, which a program may catch, then SIGKILL.
  SetLimit(RLIMIT_CPU, settings.cpu_seconds, settings.cpu_seconds + 1);
  // The kernel counts by user. Outside of a jail that is everything this user runs.
  if (settings.jailed) {
    uint64_t threads = settings.processes * kThreadsPerProcess;
    SetLimit(RLIMIT_NPROC, threads, threads);
  }
}

Watch::Watch(const Settings& settings) : settings_(settings), available_at_start_(AvailableMemory()) {
  struct statvfs info;
  if (statvfs(settings.disk.c_str(), &info) != 0) return;
  free_at_start_ = FreeBytes(info);
  files_at_start_ = info.f_favail;
}

const char* Watch::Exceeded() {
  std::vector<Process> processes = Descendants();
  uint64_t alive = 0, threads = 0, ticks = WaitedTicks();
  for (const Process& process : processes) {
    alive += process.ended ? 0 : 1;
    threads += process.threads;
    ticks += process.cpu_ticks;
  }
  // The gate says no before, where the kernel has one; what has just passed it may not have been counted there yet.
  uint64_t most = settings_.processes * 2;
  if (alive > most || threads > most * kThreadsPerProcess) return "processes";
  if (ticks > settings_.cpu_seconds * static_cast<uint64_t>(sysconf(_SC_CLK_TCK))) return "cpu";
  if (TooMuchMemory(processes)) return "memory";
  if (FillsTheMachine()) return "machine";
  if (FillsTheDisk()) return "disk";
  return nullptr;
}

bool Watch::TooMuchMemory(const std::vector<Process>& processes) {
  if (looks_++ % kLooksPerScan == 0) scanned_bytes_ = UnnamedMemory(processes) + PageTables(processes);
  uint64_t besides = scanned_bytes_ + (settings_.jailed ? SharedSegments() : 0);
  for (const std::string& path : settings_.memory) besides += UsedBytes(path);
  uint64_t resident = besides, share = besides;
  for (const Process& process : processes) resident += process.resident_bytes;
  if (resident <= settings_.memory_bytes) return false;
  // What is resident counts shared pages many times, but is cheap to ask; only now is the true sum worth its price.
  for (const Process& process : processes) share += ShareOfMemory(process);
  return share > settings_.memory_bytes;
}

// What sockets and pipes hold, and files of memory that are on their way through one, the kernel counts for nobody.
bool Watch::FillsTheMachine() const {
  uint64_t available = AvailableMemory();
  return available < settings_.spare_bytes && available + 64 * kMegabyte < available_at_start_;
}

// The server needs a little room to write down how the job ended.
bool Watch::FillsTheDisk() const {
  struct statvfs info;
  if (free_at_start_ == 0 || statvfs(settings_.disk.c_str(), &info) != 0) return false;
  uint64_t free = FreeBytes(info), total = static_cast<uint64_t>(info.f_blocks) * info.f_frsize;
  if (free < std::min(1024 * kMegabyte, total / 20) && free + 16 * kMegabyte < free_at_start_) return true;
  return info.f_favail < info.f_files / 20 && info.f_favail + kFewFiles < files_at_start_;
}

}  // namespace cay
