#include "start.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "filter.h"
#include "limits.h"

namespace cay {

namespace {

// What a process that is about to become the job tells the launcher.
struct Departure {
  int questions;
  int failure;  // why it could not be executed
};

[[noreturn]] void Become(const Settings& settings, const std::vector<char*>& command, int launcher) {
  setsid();  // what a script sends to its own process group must not reach us
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  if (!settings.jailed) prctl(PR_SET_PDEATHSIG, SIGKILL);  // a job may kill its launcher, but not go on without it
  SetResourceLimits(settings);
  dup2(kOutput, STDOUT_FILENO);
  dup2(kErrors, STDERR_FILENO);
  Filtered filtered = InstallFilter(settings.jailed);
  Departure departure{filtered.questions, 0};
  (void)!write(launcher, &departure, sizeof departure);
  if (filtered.installed) execve(command[0], command.data(), settings.environment.data());
  departure.failure = errno;
  (void)!write(launcher, &departure, sizeof departure);
  _exit(127);
}

}  // namespace

// The descriptors are the child's as well until it is executed, so that the one for its questions stays here; we go on
// when that has happened.
Started Start(const Settings& settings, const std::vector<char*>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return {-1, -1, errno};
  pid_t child = static_cast<pid_t>(syscall(SYS_clone, CLONE_FILES | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0));
  if (child == 0) Become(settings, command, ends[1]);
  Departure departure{-1, child < 0 ? errno : 0};
  while (read(ends[0], &departure, sizeof departure) == sizeof departure) continue;
  close(ends[0]);
  close(ends[1]);
  if (departure.failure == 0) return {child, departure.questions, 0};
  if (departure.questions >= 0) close(departure.questions);
  if (child > 0) waitpid(child, nullptr, 0);
  return {-1, -1, departure.failure};
}

// 1 and 2 are among them since the child, while it shared our descriptors, put them there.
void CloseOutput() {
  for (int descriptor : {STDOUT_FILENO, STDERR_FILENO, kOutput, kErrors}) close(descriptor);
}

}  // namespace cay
