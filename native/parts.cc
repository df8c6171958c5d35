#include "parts.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "wire.h"

namespace cay {

std::string_view MapFile(const char* path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat status;
  std::string_view bytes;
  if (fstat(file, &status) == 0 && status.st_size > 0 && status.st_size <= INT_MAX) {
    size_t size = static_cast<size_t>(status.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (data != MAP_FAILED) bytes = {static_cast<const char*>(data), size};
  }
  close(file);
  return bytes;
}

Part Parts::Find(std::string_view name) const {
  Fields fields(file_);
  while (fields.ok()) {
    std::string_view found = fields.Text(), source = fields.Text(), cache = fields.Text();
    if (fields.ok() && found == name) return {source, cache};
  }
  return {};
}

}  // namespace cay
