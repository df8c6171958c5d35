#include "filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace cay {

namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr uint32_t kNamespaces =
    CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

class Filter {
 public:
  void Load(size_t offset) { program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset))); }
  void Answer(uint32_t verdict) { program_.push_back(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  void SkipUnless(uint32_t value, uint8_t skip) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip));
  }
  void SkipIf(uint32_t value, uint8_t skip) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, skip, 0));
  }
  void SkipUnlessAny(uint32_t bits, uint8_t skip) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, skip));
  }
  void SkipBelow(uint32_t value, uint8_t skip) {
    program_.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, skip));
  }
  void AnswerFor(std::initializer_list<int> calls, uint32_t verdict) {
    for (int call : calls) {
      SkipUnless(static_cast<uint32_t>(call), 1);
      Answer(verdict);
    }
  }
  int Install(unsigned flags) {
    sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
  }

 private:
  std::vector<sock_filter> program_;
};

// Up to where the number of the call is loaded.
Filter BeginFilter(uint32_t for_others) {
  Filter filter;
  filter.Load(offsetof(seccomp_data, arch));
  filter.SkipIf(kArchitecture, 1);  // 32-bit programs have other numbers, which these lists are not about
  filter.Answer(for_others);
  filter.Load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  filter.SkipBelow(0x40000000, 1);  // nor those of x32
  filter.Answer(for_others);
#endif
  return filter;
}

Filter MakeJailFilter(uint32_t for_new_processes) {
  constexpr uint32_t refused = SECCOMP_RET_ERRNO | EPERM, unknown = SECCOMP_RET_ERRNO | ENOSYS;
  Filter filter = BeginFilter(unknown);
#if defined(__x86_64__)
  filter.AnswerFor({SYS_fork, SYS_vfork}, for_new_processes);
#endif
  // The flags of clone3 are behind a pointer; told that there is none, C libraries use clone.
  filter.AnswerFor({SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register}, unknown);
  filter.AnswerFor({SYS_setns, SYS_bpf, SYS_userfaultfd, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key},
                   refused);
  filter.SkipUnless(SYS_unshare, 4);
  filter.Load(offsetof(seccomp_data, args));
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(refused);
  filter.Answer(SECCOMP_RET_ALLOW);
  filter.SkipUnless(SYS_clone, 4);
  filter.Load(offsetof(seccomp_data, args));
  filter.SkipUnlessAny(kNamespaces, 1);
  filter.Answer(refused);
  filter.Answer(for_new_processes);
  filter.Answer(SECCOMP_RET_ALLOW);
  return filter;
}

Filter MakeOpenFilter() {
  Filter filter = BeginFilter(SECCOMP_RET_ALLOW);
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
  Filter filter = jailed ? MakeJailFilter(SECCOMP_RET_USER_NOTIF) : MakeOpenFilter();
  int questions = filter.Install(SECCOMP_FILTER_FLAG_NEW_LISTENER);
  if (questions >= 0 || !jailed) return {true, questions};
  return {MakeJailFilter(SECCOMP_RET_ALLOW).Install(0) == 0, -1};
}

}  // namespace cay
