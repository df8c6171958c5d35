#include "filter.h"

#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <cstdint>

#include "../syscall_filter.h"

namespace cay {

namespace {

constexpr uint32_t kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// Up to where the number of the call is loaded.
SyscallFilter BeginFilter(uint32_t for_others) {
  SyscallFilter filter;
  filter.LoadArchitecture();
  filter.SkipIf(kArchitecture, 1);
  filter.Answer(for_others);
  filter.LoadNumber();
#if defined(__x86_64__)
  filter.SkipBelow(0x40000000, 1);  // x32 programs have other numbers as well
  filter.Answer(for_others);
#endif
  return filter;
}

SyscallFilter MakeJailFilter(uint32_t for_new_processes) {
  constexpr uint32_t refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
  SyscallFilter filter = BeginFilter(unknown);
#if defined(__x86_64__)
  filter.AnswerFor({SYS_fork, SYS_vfork}, for_new_processes);
#endif
  // The flags of clone3 are behind a pointer; told that there is none, C libraries use clone.
  filter.AnswerFor({SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}, unknown);
  filter.AnswerFor({SYS_setns, SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key},
                   refused);
  filter.SkipUnless(SYS_unshare, 4);
  filter.LoadArgument(0);
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(refused);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.SkipUnless(SYS_clone, 4);
  filter.LoadArgument(0);
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(refused);
  filter.Answer(for_new_processes);
  filter.Answer(SECCOMP_RET_ALLOW);
  return filter;
}

SyscallFilter MakeOpenFilter() {
  SyscallFilter filter = BeginFilter(SECCOMP_RET_ALLOW);
  filter.AnswerFor({SYS_clone, SYS_clone3}, SECCOMP_RET_USER_NOTIF);
#if defined(__x86_64__)
  filter.AnswerFor({SYS_fork, SYS_vfork}, SECCOMP_RET_USER_NOTIF);
#endif
  filter.Answer(SECCOMP_RET_ALLOW);
  return filter;
}

}  // namespace

Filtered InstallFilter(bool jailed) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {!jailed, -1};
  SyscallFilter filter = jailed ? MakeJailFilter(SECCOMP_RET_USER_NOTIF) : MakeOpenFilter();
  int questions = filter.Install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (questions >= 0 || !jailed) return {true, questions};
  return {MakeJailFilter(SECCOMP_RET_ALLOW).Install(0) == 0, -1};
}

}  // namespace cay
