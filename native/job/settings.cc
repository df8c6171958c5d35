#include "settings.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cay {

namespace {

bool ReceiveAll(int line, void* to, size_t size) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    ssize_t got = read(line, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

std::vector<char*> WordsIn(std::string* text) {
  std::vector<char*> words;
  for (size_t at = 0; at < text->size(); at = text->find('\0', at) + 1) words.push_back(text->data() + at);
  return words;
}

// `DEVICE INODE PATH`
Place PlaceFrom(const char* value) {
  Place place;
  char* at;
  place.device = strtoull(value, &at, 10);
  place.inode = strtoull(at, &at, 10);
  if (*at == ' ') place.path = at + 1;
  return place;
}

bool Take(char* word, Settings* settings) {
  char* equals = strchr(word, '=');
  if (!equals) return false;
  std::string name(word, equals);
  char* value = equals + 1;
  uint64_t number = strtoull(value, nullptr, 10);
  if (name == "jailed") settings->jailed = number != 0;
  else if (name == "folder") settings->folder = PlaceFrom(value);
  else if (name == "mount") settings->mounts.push_back(PlaceFrom(value));
  else if (name == "memory") settings->memory_bytes = number;
  else if (name == "spare") settings->spare_bytes = number;
  else if (name == "processes") settings->processes = number;
  else if (name == "file") settings->file_bytes = number;
  else if (name == "cpu") settings->cpu_seconds = number;
  else if (name == "disk") settings->disk = value;
  else if (name == "in-memory") settings->memory.push_back(value);
  else if (name == "code") settings->code_file = value;
  else if (name == "env") settings->environment.push_back(value);
  else return false;
  return true;
}

bool Parse(const std::vector<char*>& words, Settings* settings) {
  size_t at = 0;
  for (; at < words.size() && strcmp(words[at], "--") != 0; at++) {
    if (!Take(words[at], settings)) return false;
  }
  settings->environment.push_back(nullptr);
  for (at++; at < words.size();) {
    size_t count = strtoull(words[at++], nullptr, 10);
    if (count < 1 || count > words.size() - at) return false;
    std::vector<char*> command(words.data() + at, words.data() + at + count);
    command.push_back(nullptr);
    settings->stages.push_back(std::move(command));
    at += count;
  }
  return !settings->stages.empty();
}

}  // namespace

bool ReceiveSettings(int line, Settings* settings) {
  uint32_t sizes[2];
  if (!ReceiveAll(line, sizes, sizeof sizes)) return false;
  settings->text.resize(sizes[0]);
  settings->code.resize(sizes[1]);
  if (!ReceiveAll(line, settings->text.data(), sizes[0])) return false;
  if (!ReceiveAll(line, settings->code.data(), sizes[1])) return false;
  if (sizes[0] == 0 || settings->text.back() != '\0') return false;
  return Parse(WordsIn(&settings->text), settings);
}

}  // namespace cay
