// What the server asks the launcher to run. It comes over the line, because a jail may have been made before anybody
// knew what for: the sizes of two parts in four bytes each; words that each end with a zero byte,
// `name=value ... -- COUNT WORD... COUNT WORD...`, one counted command a stage; and the code. Both sides are ours and
// are built together, so a mistake in it is a bug and ends the launcher.
#ifndef CAY_JOB_SETTINGS_H_
#define CAY_JOB_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace cay {

// A directory or file that the server has checked and holds, and where it must be.
struct Place {
  uint64_t device = 0;
  uint64_t inode = 0;
  std::string path;
};

struct Settings {
  bool jailed = false;
  Place folder;               // where the job begins
  std::vector<Place> mounts;  // what of the repository has been mounted
  uint64_t memory_bytes = 0;
  uint64_t spare_bytes = 0;  // what of the machine's memory must stay available
  uint64_t processes = 0;
  uint64_t file_bytes = 0;
  uint64_t cpu_seconds = 0;
  std::string disk;                 // a place on the disk that must not be filled
  std::vector<std::string> memory;  // file systems that are kept in memory, and count as it
  std::vector<char*> environment;
  std::vector<std::vector<char*>> stages;
  std::string code_file;  // where the code belongs; empty when there is none, or it is there already
  std::string code;

  std::string text;  // what was sent; words of commands and environment are in it
};

// Waits for all of it; false when the server hangs up instead.
bool ReceiveSettings(int line, Settings* settings);

}  // namespace cay

#endif  // CAY_JOB_SETTINGS_H_
