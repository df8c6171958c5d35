// Starts an isolate process: leaves the namespaces of the machine, where the kernel lets it, and becomes Node.
// A namespace must be left before there are threads, so this cannot be done from inside Node.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

namespace {

void WriteFile(const char* path, const char* text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  (void)!write(file, text, strlen(text));
  close(file);
}

// Root of its own namespace, but with one right: to leave the file system, once the core is loaded.
void KeepOnlyChroot() {
  for (int right = 0; prctl(PR_CAPBSET_READ, right, 0, 0, 0) >= 0; right++) {
    if (right != CAP_SYS_CHROOT) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
  }
  prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct only[2] = {{1u << CAP_SYS_CHROOT, 1u << CAP_SYS_CHROOT, 1u << CAP_SYS_CHROOT}, {}};
  syscall(SYS_capset, &header, only);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_CHROOT, 0, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) return 2;  // it died before we asked to die with it

  setsid();  // Ctrl-C on the server's terminal is the server's to handle

  unsigned user = getuid(), group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS) == 0) {
    char map[64];
    snprintf(map, sizeof map, "0 %u 1", user);
    WriteFile("/proc/self/uid_map", map);
    WriteFile("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "0 %u 1", group);
    WriteFile("/proc/self/gid_map", map);
    KeepOnlyChroot();
  }
  execv(argv[1], argv + 1);
  perror(argv[1]);
  return 127;
}
