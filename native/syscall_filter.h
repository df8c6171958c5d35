// A seccomp filter, written instruction by instruction. Skips count instructions from the next one on.
#ifndef CAY_SYSCALL_FILTER_H_
#define CAY_SYSCALL_FILTER_H_

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace cay {

// The numbers of calls are those of one architecture; programs of another, 32-bit ones say, have others.
#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

class SyscallFilter {
 public:
  void LoadArchitecture() { Load(offsetof(seccomp_data, arch)); }
  void LoadNumber() { Load(offsetof(seccomp_data, nr)); }
  // Its lower half.
  void LoadArgument(int index) { Load(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(index)); }
  void Mask(uint32_t bits) { program_.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)); }
  void SkipUnless(uint32_t value, uint8_t skip) { Jump(BPF_JEQ, value, 0, skip); }
  void SkipIf(uint32_t value, uint8_t skip) { Jump(BPF_JEQ, value, skip, 0); }
  void SkipUnlessAny(uint32_t bits, uint8_t skip) { Jump(BPF_JSET, bits, 0, skip); }
  void SkipBelow(uint32_t value, uint8_t skip) { Jump(BPF_JGE, value, 0, skip); }
  void Answer(uint32_t verdict) { program_.push_back(BPF_STMT(BPF_RET | BPF_K, verdict)); }
  void AnswerFor(std::initializer_list<int> calls, uint32_t verdict) {
    for (int call : calls) {
      SkipUnless(static_cast<uint32_t>(call), 1);
      Answer(verdict);
    }
  }
  // What the kernel returns for these flags; below 0: it is not installed.
  int Install(unsigned flags) {
    sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
  }

 private:
  void Load(size_t offset) { program_.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset))); }
  void Jump(uint16_t test, uint32_t value, uint8_t if_true, uint8_t if_false) {
    program_.push_back(BPF_JUMP(static_cast<uint16_t>(BPF_JMP | BPF_K | test), value, if_true, if_false));
  }

  std::vector<sock_filter> program_;
};

}  // namespace cay

#endif  // CAY_SYSCALL_FILTER_H_
