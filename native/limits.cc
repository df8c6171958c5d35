#include "limits.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "memory.h"
#include "wire.h"

namespace cay {

namespace {

constexpr size_t kMegabyte = 1 << 20;
constexpr size_t kGigabyte = 1 << 30;
constexpr size_t kSemiSpaces = 3 * kMaxSemiSpace;
constexpr size_t kSlack = 96 * kMegabyte;  // room to unwind
constexpr size_t kWorthTrimming = 8 * kMegabyte;
constexpr size_t kMaxKept = 32 * kMegabyte;  // in mapped pages: they count against the limit of the next run
constexpr rlim_t kCpuSeconds = 24 * 3600;

// V8's fatal error callback has no data argument.
Wire* last_words = nullptr;

[[noreturn]] void Die(bool out_of_memory, const char* location, const char* detail) {
  std::string text = location ? location : "";
  if (detail && *detail) text += std::string(text.empty() ? "" : ": ") + detail;
  fprintf(stderr, "%s\n", text.c_str());  // seen when the project is built; nowhere once a process is locked
  if (last_words) last_words->WriteLast(FrameType::kFatal, Body().U8(out_of_memory).Rest(text).view());
  _exit(1);
}

void OnFatal(const char* location, const char* message) { Die(false, location, message); }
void OnOutOfMemory(const char* location, const v8::OOMDetails& details) { Die(true, location, details.detail); }

size_t StatusBytes(const char* key) {
  FILE* file = fopen("/proc/self/status", "re");
  if (!file) return 0;
  char line[256];
  size_t kilobytes = 0;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, key, strlen(key)) == 0) sscanf(line + strlen(key), ": %zu", &kilobytes);
  }
  fclose(file);
  return kilobytes * 1024;
}

size_t warm_data = 0;
size_t warm_malloc = 0;

// The limit counts what malloc has mapped, also what it only keeps for later.
size_t KeptByMalloc() {
  struct mallinfo2 info = mallinfo2();
  size_t mapped = info.arena + info.hblkhd;
  return mapped > warm_malloc ? mapped - warm_malloc : 0;
}

void Limit(int resource, rlim_t soft, rlim_t hard) {
  rlimit limit{soft, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

}  // namespace

void InstallCrashReports(v8::Isolate* isolate, Wire* wire) {
  last_words = wire;
  isolate->SetFatalErrorHandler(OnFatal);
  isolate->SetOOMErrorHandler(OnOutOfMemory);
}

void SetProcessLimits(size_t max_heap_cap) {
  // What is large goes back to the system when it is freed. A small heap on its way in or out is not: its pages, new in
  // every run, took a fifth of the time of a small one (a page costs more than what is written to it).
  mallopt(M_MMAP_THRESHOLD, 2 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 4 * kMegabyte);
  warm_malloc = KeptByMalloc();
  warm_data = StatusBytes("VmData");
  size_t hard = warm_data + kCodeRange + kSemiSpaces + kSlack + 4 * max_heap_cap + kGigabyte / 2;
  Limit(RLIMIT_DATA, hard, hard);
  size_t space = std::max(4 * kGigabyte, StatusBytes("VmSize") + hard);
  Limit(RLIMIT_AS, space, space);
  Limit(RLIMIT_CORE, 0, 0);
  Limit(RLIMIT_FSIZE, 0, 0);
  Limit(RLIMIT_CPU, kCpuSeconds, kCpuSeconds);
}

void SetDataLimit(size_t heap_cap) {
  if (warm_data == 0) return;  // the limits were never set: a bare run
  rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  size_t wanted = warm_data + KeptByMalloc() + kCodeRange + kSemiSpaces + kSlack + heap_cap;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, wanted);
  setrlimit(RLIMIT_DATA, &limit);
}

void LiftDataLimit() {
  rlimit limit;
  if (warm_data == 0 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_DATA, &limit);
}

bool TrimMemory() {
  if (KeptByMalloc() < kWorthTrimming) return true;
  malloc_trim(0);
  return KeptByMalloc() < kMaxKept;
}

}  // namespace cay
