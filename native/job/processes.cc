#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace cay {

namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

Folder OpenFolder(const char* path) { return Folder(opendir(path), closedir); }

std::string ReadFile(const char* path) {
  std::string text;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  char piece[4096];
  for (ssize_t size; (size = read(file, piece, sizeof piece)) > 0;) text.append(piece, static_cast<size_t>(size));
  close(file);
  return text;
}

std::string ReadOf(pid_t id, const char* name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", id, name);
  return ReadFile(path);
}

// The number after a label; 0 when it is not there.
uint64_t Kilobytes(const std::string& text, const char* label) {
  size_t at = text.find(label);
  return at == std::string::npos ? 0 : strtoull(text.c_str() + at + strlen(label), nullptr, 10);
}

bool ReadProcess(pid_t id, Process* process) {
  std::string text = ReadOf(id, "stat");
  size_t name_end = text.rfind(')');  // a name may hold spaces and brackets
  if (name_end == std::string::npos) return false;
  char state;
  int parent;
  uint64_t own[2], waited[2], threads, pages;
  int found = sscanf(text.c_str() + name_end + 1,
                     " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                     " %*s %*s %" SCNu64 " %*s %*s %*s %" SCNu64,
                     &state, &parent, &own[0], &own[1], &waited[0], &waited[1], &threads, &pages);
  if (found != 8) return false;
  static const uint64_t page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  bool ended = state == 'Z' || state == 'X';
  *process = {id, parent, ended, threads, own[0] + own[1] + waited[0] + waited[1], pages * page_bytes};
  return true;
}

}  // namespace

// In a jail we are the first process, and all others descend from us; one whose parent has just died would be missed by
// following the parents.
std::vector<Process> Descendants() {
  const pid_t self = getpid();
  std::vector<Process> all, found;
  Folder folder = OpenFolder("/proc");
  while (dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    Process process;
    pid_t id = atoi(entry->d_name);
    if (id > 0 && id != self && ReadProcess(id, &process)) all.push_back(process);
  }
  if (self == 1) return all;
  std::unordered_map<pid_t, std::vector<Process>> children;
  for (const Process& process : all) children[process.parent].push_back(process);
  found = children[self];
  for (size_t at = 0; at < found.size(); at++) {
    const std::vector<Process>& below = children[found[at].id];
    found.insert(found.end(), below.begin(), below.end());
  }
  return found;
}

uint64_t ShareOfMemory(const Process& process) {
  std::string text = ReadOf(process.id, "smaps_rollup");
  if (!text.empty()) return Kilobytes(text, "\nPss:") * 1024;
  Process now;  // it may have ended since it was looked at
  return ReadProcess(process.id, &now) ? now.resident_bytes : 0;
}

uint64_t UnnamedMemory(const std::vector<Process>& processes) {
  uint64_t bytes = 0;
  std::set<std::pair<dev_t, ino_t>> seen;
  for (const Process& process : processes) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process.id);
    Folder folder = OpenFolder(path);
    while (dirent* entry = folder ? readdir(folder.get()) : nullptr) {
      char target[16] = {};
      if (readlinkat(dirfd(folder.get()), entry->d_name, target, sizeof target - 1) < 0) continue;
      if (strncmp(target, "/memfd:", 7) != 0) continue;
      struct stat info;
      if (fstatat(dirfd(folder.get()), entry->d_name, &info, 0) != 0) continue;
      if (seen.insert({info.st_dev, info.st_ino}).second) bytes += static_cast<uint64_t>(info.st_blocks) * 512;
    }
  }
  return bytes;
}

uint64_t PageTables(const std::vector<Process>& processes) {
  uint64_t bytes = 0;
  for (const Process& process : processes) bytes += Kilobytes(ReadOf(process.id, "status"), "\nVmPTE:") * 1024;
  return bytes;
}

uint64_t AvailableMemory() { return Kilobytes(ReadFile("/proc/meminfo"), "MemAvailable:") * 1024; }

uint64_t SharedSegments() {
  std::string text = ReadFile("/proc/sysvipc/shm");
  uint64_t bytes = 0;
  for (size_t at = text.find('\n'); at != std::string::npos && at + 1 < text.size(); at = text.find('\n', at + 1)) {
    uint64_t resident = 0;
    const char* format = "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64;
    if (sscanf(text.c_str() + at + 1, format, &resident) == 1) bytes += resident;
  }
  return bytes;
}

}  // namespace cay
