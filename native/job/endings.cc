#include "endings.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "clock.h"
#include "processes.h"
#include "start.h"

namespace cay {

namespace {

constexpr int64_t kJailedPatienceMs = 100;
constexpr int64_t kOpenPatienceMs = 10000;

[[noreturn]] void Guard(pid_t launcher, const sigset_t& signals) {
  for (int descriptor : {kServer, kOutput, kErrors}) close(descriptor);
  for (bool is_there = true; is_there;) {
    int number = sigwaitinfo(&signals, nullptr);
    if (number < 0 && errno != EINTR) break;
    if (number == SIGCONT) kill(launcher, SIGCONT);  // the server knows only us
    int status;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;) {
      if (child != launcher) continue;
      if (WIFSTOPPED(status)) kill(launcher, SIGCONT);  // while it is stopped nobody watches over the job
      else is_there = false;
    }
  }
  EndDescendants(false);
  _exit(0);
}

}  // namespace

// Who wants to make another process meanwhile waits for an answer. In a jail the kernel does it as well when we end,
// but taking the jail down takes time, and nobody has to wait for that.
void EndDescendants(bool jailed) {
  const int64_t give_up = NowMs() + (jailed ? kJailedPatienceMs : kOpenPatienceMs);
  while (NowMs() < give_up) {
    if (jailed) kill(-1, SIGKILL);
    std::vector<Process> left = Descendants();
    for (const Process& process : left) kill(process.id, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    if (left.empty()) return;
    usleep(500);
  }
}

pid_t LeaveGuardBehind() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGCHLD, SIGCONT}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // A job may stop both of us: then it is the kernel that notices the end of the server, and lets us go on.
  prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
  pid_t guard = getpid(), launcher = fork();
  if (launcher > 0) Guard(launcher, signals);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // orphans come to the launcher, and to the guard only after its end
  if (launcher < 0) return 0;
  prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);  // not inherited
  return guard;
}

}  // namespace cay
