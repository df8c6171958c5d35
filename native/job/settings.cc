#include "settings.h"

#include <cstdlib>
#include <cstring>

namespace cay {

namespace {

bool Take(const char* word, Settings* settings) {
  const char* equals = strchr(word, '=');
  if (!equals) return false;
  std::string name(word, equals), value(equals + 1);
  uint64_t number = strtoull(equals + 1, nullptr, 10);
  if (name == "jailed") settings->jailed = number != 0;
  else if (name == "folder") settings->folder = value;
  else if (name == "device") settings->device = number;
  else if (name == "inode") settings->inode = number;
  else if (name == "memory") settings->memory_bytes = number;
  else if (name == "processes") settings->processes = number;
  else if (name == "file") settings->file_bytes = number;
  else if (name == "cpu") settings->cpu_seconds = number;
  else if (name == "disk") settings->disk = value;
  else if (name == "in-memory") settings->memory.push_back(value);
  else return false;
  return true;
}

}  // namespace

bool ParseSettings(int argc, char** argv, Settings* settings) {
  int at = 1;
  for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
    if (!Take(argv[at], settings)) return false;
  }
  for (at++; at < argc;) {
    int count = atoi(argv[at++]);
    if (count < 1 || count > argc - at) return false;
    std::vector<char*> command(argv + at, argv + at + count);
    command.push_back(nullptr);
    settings->stages.push_back(std::move(command));
    at += count;
  }
  return !settings->stages.empty();
}

}  // namespace cay
