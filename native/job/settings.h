// What the server tells the launcher on its command line: `name=value ... -- COUNT WORD... COUNT WORD...`, one counted
// command a stage. Both are ours and are built together, so a mistake in it is a bug and ends the launcher.
#ifndef CAY_JOB_SETTINGS_H_
#define CAY_JOB_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace cay {

struct Settings {
  bool jailed = false;
  std::string folder;  // where the job begins, and which directory that must be
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t memory_bytes = 0;
  uint64_t processes = 0;
  uint64_t file_bytes = 0;
  uint64_t cpu_seconds = 0;
  std::string disk;                 // a place on the disk that must not be filled
  std::vector<std::string> memory;  // file systems that are kept in memory, and count as it
  std::vector<std::vector<char*>> stages;
};

bool ParseSettings(int argc, char** argv, Settings* settings);

}  // namespace cay

#endif  // CAY_JOB_SETTINGS_H_
