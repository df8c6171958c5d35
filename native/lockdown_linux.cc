#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "lockdown.h"
#include "syscall_filter.h"

namespace cay {

namespace {

pid_t parent = 0;

bool InstallFilter() {
  SyscallFilter filter;
  filter.LoadArchitecture();
  filter.SkipIf(kArchitecture, 1);
  filter.Answer(SECCOMP_RET_KILL_PROCESS);
  filter.LoadNumber();
  filter.AnswerFor({SYS_read, SYS_write, SYS_futex, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk,
                    SYS_rt_sigreturn, SYS_rt_sigprocmask,
#if defined(__x86_64__)
                    SYS_epoll_wait, SYS_poll,
#endif
                    SYS_epoll_pwait, SYS_ppoll, SYS_clock_gettime, SYS_clock_nanosleep, SYS_getrandom, SYS_sched_yield,
                    SYS_sched_getparam, SYS_sched_getscheduler, SYS_gettid, SYS_getpid, SYS_exit, SYS_exit_group,
                    SYS_restart_syscall,
                    // A thread that was made before the lock may only begin after it.
                    SYS_rseq, SYS_set_robust_list},
                   SECCOMP_RET_ALLOW);
  // Nothing of ours or of V8's comes near these: whoever does is not V8 any more.
  filter.AnswerFor({SYS_execve, SYS_execveat, SYS_clone, SYS_clone3, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,
                    SYS_accept, SYS_accept4, SYS_sendmsg, SYS_recvmsg, SYS_ptrace, SYS_process_vm_readv,
                    SYS_process_vm_writev, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_bpf,
                    SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_mount,
                    SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root, SYS_pidfd_open, SYS_pidfd_getfd, SYS_memfd_create,
#if defined(__x86_64__)
                    SYS_fork, SYS_vfork,
#endif
                    SYS_init_module, SYS_finit_module, SYS_kexec_load},
                   SECCOMP_RET_KILL_PROCESS);
  filter.SkipUnless(SYS_mmap, 5);  // private anonymous memory only, and only what the data limit counts
  filter.LoadArgument(3);
  filter.Mask(MAP_SHARED | MAP_ANONYMOUS | MAP_LOCKED | MAP_HUGETLB | MAP_GROWSDOWN);
  filter.SkipUnless(MAP_ANONYMOUS, 1);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.Answer(SECCOMP_RET_KILL_PROCESS);
  filter.SkipUnless(SYS_tgkill, 6);  // abort() only
  filter.LoadArgument(0);
  filter.SkipUnless(static_cast<uint32_t>(getpid()), 3);
  filter.LoadArgument(2);
  filter.SkipUnless(SIGABRT, 1);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.Answer(SECCOMP_RET_KILL_PROCESS);
  filter.SkipUnless(SYS_prlimit64, 6);  // its own data limit, below the hard one
  filter.LoadArgument(0);
  filter.SkipUnless(0, 3);
  filter.LoadArgument(1);
  filter.SkipUnless(RLIMIT_DATA, 1);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.Answer(SECCOMP_RET_KILL_PROCESS);
  filter.Answer(SECCOMP_RET_ERRNO | EPERM);
  return filter.Install(SECCOMP_FILTER_FLAG_TSYNC) == 0;
}

// Node's own event descriptors stay: V8's delayed tasks write to one of them, and a failed write aborts. They lead nowhere.
bool LeadsNowhere(int descriptor) {
  char path[64], target[64] = {};
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  if (readlink(path, target, sizeof target - 1) < 0) return false;
  return strcmp(target, "anon_inode:[eventfd]") == 0 || strcmp(target, "anon_inode:[eventpoll]") == 0;
}

bool CloseDescriptors(int wire) {
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return false;
  for (int standard = 0; standard <= 2; standard++) dup2(nothing, standard);
  std::vector<int> open_now;
  DIR* folder = opendir("/proc/self/fd");
  if (!folder) return false;
  while (dirent* entry = readdir(folder)) {
    int descriptor = atoi(entry->d_name);
    if (descriptor > 2 && descriptor != wire && descriptor != dirfd(folder)) open_now.push_back(descriptor);
  }
  closedir(folder);
  for (int descriptor : open_now) {
    if (!LeadsNowhere(descriptor)) close(descriptor);
  }
  return true;
}

// The rings of io_uring are memory shared with the kernel, and outlive their descriptor. libuv still looks at them: private
// pages take their place.
void ReplaceRings() {
  FILE* maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  std::vector<std::pair<uintptr_t, uintptr_t>> rings;
  char line[512];
  while (fgets(line, sizeof line, maps)) {
    uintptr_t from, to;
    if (strstr(line, "[io_uring]") && sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2) rings.push_back({from, to});
  }
  fclose(maps);
  for (auto [from, to] : rings) {
    mmap(reinterpret_cast<void*>(from), to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  }
}

// Where the launcher could make namespaces, it lent the right to move into a folder that has no name.
bool LeaveFilesystem() {
  bool left = chroot("/proc/self/fdinfo") == 0 && chdir("/") == 0;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  syscall(SYS_capset, &header, none);
  return left;
}

}  // namespace

Lock LockDown(int wire_descriptor) {
  parent = getppid();
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return {false, "the process would outlive its parent"};
  if (!CloseDescriptors(wire_descriptor)) return {false, "descriptors could not be closed"};
  ReplaceRings();
  bool namespaces = LeaveFilesystem();
  // Not 0, or poll() fails; descriptor 0 is taken, so there is no other.
  rlimit one{1, 1};
  if (setrlimit(RLIMIT_NOFILE, &one) != 0) return {false, "more descriptors could be opened"};
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return {false, "the process is dumpable"};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {false, "new privileges could not be refused"};
  if (!InstallFilter()) return {false, std::string("the system call filter was refused: ") + strerror(errno)};
  return {true, namespaces ? "" : "the kernel gave no namespaces: the system call filter stands alone"};
}

int TryForbidden(Probe probe) {
  auto failed = [](long result) { return result < 0 ? errno : 0; };
  switch (probe) {
    case Probe::kOpen:
      return failed(syscall(SYS_openat, AT_FDCWD, "/etc/hostname", O_RDONLY));
    case Probe::kSocket:
      return failed(syscall(SYS_socket, AF_INET, SOCK_STREAM, 0));
    case Probe::kExecve: {
      char* arguments[] = {nullptr};
      return failed(syscall(SYS_execve, "/bin/true", arguments, arguments));
    }
    case Probe::kSignalParent:
      return failed(syscall(SYS_kill, parent, 0));
    case Probe::kClone:
      return failed(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    case Probe::kSharedMemory:
      return mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
  }
  return EINVAL;
}

}  // namespace cay
