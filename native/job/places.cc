#include "places.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

namespace cay {

namespace {

// Since 5.6 the kernel walks a path without links; before, who asked for the path has followed them already.
int OpenWithoutLinks(const char* path) {
  open_how how{};
  how.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_NO_SYMLINKS;
  int opened = static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how));
  return opened < 0 && errno == ENOSYS ? open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC) : opened;
}

bool IsMountedAt(int opened, const Place& place) {
  struct statx info;
  if (statx(opened, "", AT_EMPTY_PATH, STATX_INO, &info) != 0) return false;
  bool is_told = (info.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0;  // since 5.8
  if (is_told && (info.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0) return false;
  return makedev(info.stx_dev_major, info.stx_dev_minor) == place.device && info.stx_ino == place.inode;
}

}  // namespace

bool AreInPlace(const std::vector<Place>& mounts) {
  for (const Place& mount : mounts) {
    int opened = OpenWithoutLinks(mount.path.c_str());
    if (opened < 0) return false;
    bool is_mounted = IsMountedAt(opened, mount);
    close(opened);
    if (!is_mounted) return false;
  }
  return true;
}

bool Enter(const Place& folder) {
  struct stat info;
  if (chdir(folder.path.c_str()) != 0 || stat(".", &info) != 0) return false;
  return info.st_dev == folder.device && info.st_ino == folder.inode;
}

int WriteCode(const std::string& path, const std::string& code) {
  if (path.empty()) return 0;
  int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
  if (file < 0) return errno;
  int failure = 0;
  for (size_t at = 0; at < code.size() && failure == 0;) {
    ssize_t written = write(file, code.data() + at, code.size() - at);
    if (written >= 0) at += static_cast<size_t>(written);
    else if (errno != EINTR) failure = errno;
  }
  close(file);
  chmod(path.substr(0, path.rfind('/')).c_str(), 0555);
  return failure;
}

}  // namespace cay
