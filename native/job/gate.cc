#include "gate.h"

#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "clock.h"
#include "processes.h"

namespace cay {

namespace {

constexpr int64_t kFullForMs = 20;

}  // namespace

Gate::Gate(int questions, uint64_t processes, uint64_t threads)
    : questions_(questions), most_processes_(processes), most_threads_(threads) {}

Gate::~Gate() {
  if (questions_ >= 0) close(questions_);
}

void Gate::Answer() {
  seccomp_notif question{};
  if (ioctl(questions_, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) {
    pollfd source{questions_, POLLIN, 0};
    if (poll(&source, 1, 0) > 0 && (source.revents & (POLLHUP | POLLERR | POLLNVAL))) {
      close(questions_);
      questions_ = -1;
    }
    return;  // or who asked is dead
  }
  seccomp_notif_resp answer{};
  answer.id = question.id;
  if (HasRoom()) {
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    bool is_thread = question.data.nr == SYS_clone && (question.data.args[0] & CLONE_THREAD) != 0;
    threads_++;
    processes_ += is_thread ? 0 : 1;
  } else {
    answer.error = -EAGAIN;
  }
  ioctl(questions_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

// Counts only when there could be too many; a job that is full and goes on asking is not counted each time.
bool Gate::HasRoom() {
  if (Fits()) return true;
  if (NowMs() < full_until_ms_) return false;
  std::vector<Process> all = Descendants();
  processes_ = all.size();
  threads_ = 0;
  for (const Process& process : all) threads_ += process.threads;
  if (!Fits()) full_until_ms_ = NowMs() + kFullForMs;
  return Fits();
}

}  // namespace cay
