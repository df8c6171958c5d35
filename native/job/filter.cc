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

constexpr uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

// In a jail the first process is the launcher, and all of the job are the same user to the kernel: one that takes its
// descriptors or its turns away would not be watched any more. `index`: of the argument that says whom it is about.
void RefuseForLauncher(std::initializer_list<int> calls, int index, SyscallFilter* filter) {
  for (int call : calls) {
    filter->SkipUnless(static_cast<uint32_t>(call), 4);
    filter->LoadArgument(index);
    filter->SkipUnless(1, 1);
    filter->Answer(kRefused);
    filter->Answer(SECCOMP_RET_ALLOW);
  }
}

SyscallFilter MakeJailFilter(uint32_t for_new_processes) {
  SyscallFilter filter = BeginFilter(kUnknown);
#if defined(__x86_64__)
  filter.AnswerFor({SYS_fork, SYS_vfork}, for_new_processes);
#endif
  // The flags of clone3 are behind a pointer; told that there is none, C libraries use clone.
  filter.AnswerFor({SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}, kUnknown);
  filter.AnswerFor({SYS_setns, SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key},
                   kRefused);
  RefuseForLauncher({SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr},
                    0, &filter);
  RefuseForLauncher({SYS_setpriority, SYS_ioprio_set}, 1, &filter);
  filter.SkipUnless(SYS_unshare, 4);
  filter.LoadArgument(0);
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(kRefused);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.SkipUnless(SYS_clone, 4);
  filter.LoadArgument(0);
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(kRefused);
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
