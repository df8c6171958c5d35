// Runs a job: its stages one after the other, within its limits, and says how it ended. In a jail it is the first
// process of the jail's own process namespace, so that its end is the end of all of them. Outside it takes in what its
// descendants leave behind, and ends what it finds.
//
// Descriptor 3 is the server. It sends what to run and one byte when the job may begin, and hangs up when it must end;
// a server that dies hangs up as well. One line of JSON goes back, when nothing of the job is left. Descriptors 4 and 5
// are the job's output: not 1 and 2, which others keep open who live a little longer.
//
// With words it only becomes what they say: that is how a jail is made, in which it is started again.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "clock.h"
#include "endings.h"
#include "gate.h"
#include "limits.h"
#include "places.h"
#include "settings.h"
#include "start.h"

namespace cay {

namespace {

constexpr int kJailedLookMs = 50;
constexpr int kOpenLookMs = 200;  // all of the machine's processes are looked at

__attribute__((format(printf, 1, 2))) void Report(const char* format, ...) {
  va_list values;
  va_start(values, format);
  vdprintf(kServer, format, values);
  va_end(values);
}

// The jail was made from directories that are open here; a job that had one of them would have a way out.
void CloseOthers() {
  if (syscall(SYS_close_range, kErrors + 1, ~0u, 0) == 0) return;
  for (int descriptor = kErrors + 1, end = getdtablesize(); descriptor < end; descriptor++) close(descriptor);
}

// The one that the server gave us is the machine's: a job of root owns it, and could take it away from everybody else by
// changing its mode. In a jail there is another one.
bool UseOwnNull() {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return false;
  for (int descriptor : {STDIN_FILENO, STDOUT_FILENO}) dup2(null, descriptor);
  close(null);
  return true;
}

bool WaitForBeginning() {
  char byte;
  ssize_t size;
  do size = read(kServer, &byte, 1);
  while (size < 0 && errno == EINTR);
  return size == 1;
}

enum class Ending { kStage, kLimit, kHungUp };

struct StageEnd {
  Ending ending;
  int status = 0;
  const char* limit = nullptr;
};

// Waits for everything that ends; true, with its status, when `main` was among it.
bool Reap(pid_t main, int* status) {
  bool found = false;
  int ended_with;
  for (pid_t ended; (ended = waitpid(-1, &ended_with, WNOHANG)) > 0;) {
    if (ended != main) continue;
    *status = ended_with;
    found = true;
  }
  return found;
}

// What the launcher hears of without asking: that something has ended, and that its guard has.
struct Signs {
  int ends;
  pid_t guard;  // 0: there is none

  bool IsAlone() const { return guard != 0 && getppid() != guard; }
};

StageEnd Follow(pid_t main, const Settings& settings, const Signs& signs, Gate* gate, Watch* watch) {
  const int64_t pause = settings.jailed ? kJailedLookMs : kOpenLookMs;
  int64_t next_look = NowMs() + pause;
  for (;;) {
    pollfd sources[] = {{kServer, POLLIN, 0}, {signs.ends, POLLIN, 0}, {gate->questions(), POLLIN, 0}};
    poll(sources, 3, static_cast<int>(std::max<int64_t>(0, next_look - NowMs())));
    if (sources[0].revents != 0 || signs.IsAlone()) return {Ending::kHungUp};
    if (sources[2].revents != 0) gate->Answer();
    if (sources[1].revents != 0) {
      signalfd_siginfo signal_info;
      while (read(signs.ends, &signal_info, sizeof signal_info) > 0) continue;
      int status;
      if (Reap(main, &status)) return {Ending::kStage, status};
    }
    if (NowMs() < next_look) continue;
    if (const char* limit = watch->Exceeded()) return {Ending::kLimit, 0, limit};
    next_look = NowMs() + pause;
  }
}

void ReportStage(size_t stage, int status) {
  if (WIFSIGNALED(status)) {
    Report("{\"kind\":\"signal\",\"signal\":%d,\"stage\":%zu}\n", WTERMSIG(status), stage);
  } else {
    Report("{\"kind\":\"exit\",\"code\":%d,\"stage\":%zu}\n", WEXITSTATUS(status), stage);
  }
}

void ReportFailure(size_t stage, int failure) {
  if (failure == E2BIG) Report("{\"kind\":\"too_long\"}\n");
  else Report("{\"kind\":\"not_started\",\"reason\":\"%s\",\"stage\":%zu}\n", strerror(failure), stage);
}

int RunStages(const Settings& settings, const Signs& signs) {
  Watch watch(settings);
  for (size_t stage = 0; stage < settings.stages.size(); stage++) {
    bool last = stage + 1 == settings.stages.size();
    Started started = Start(settings, settings.stages[stage]);
    if (last) CloseOutput();
    if (started.process < 0) {
      ReportFailure(stage, started.failure);
      break;
    }
    Gate gate(started.questions, settings.processes, settings.processes * kThreadsPerProcess);
    StageEnd end = Follow(started.process, settings, signs, &gate, &watch);
    if (end.ending == Ending::kHungUp && settings.jailed) break;
    // Also between two stages: what is left of one could stop the next before it is executed, and us with it, who wait
    // for that and watch nothing meanwhile.
    EndDescendants(settings.jailed);
    if (signs.guard != 0 && !signs.IsAlone()) kill(signs.guard, SIGCONT);  // the job may have stopped it
    if (end.ending == Ending::kStage && end.status == 0 && !last) continue;
    if (end.ending == Ending::kStage) ReportStage(stage, end.status);
    if (end.ending == Ending::kLimit) Report("{\"kind\":\"limit\",\"limit\":\"%s\"}\n", end.limit);
    break;
  }
  return 0;
}

}  // namespace

int Main() {
  CloseOthers();
  for (int descriptor : {kServer, kOutput, kErrors}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // nothing in the job may look into or change its warden
  signal(SIGPIPE, SIG_IGN);
  if (!UseOwnNull()) {
    perror("/dev/null");
    return 2;
  }
  Settings settings;
  if (!ReceiveSettings(kServer, &settings)) return 2;
  pid_t guard = settings.jailed ? 0 : LeaveGuardBehind();
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  if (!settings.jailed) sigaddset(&signals, SIGCONT);  // comes with the end of the guard
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  int ends = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (ends < 0) return 2;
  bool in_place = AreInPlace(settings.mounts) && Enter(settings.folder);
  int failure = in_place ? WriteCode(settings.code_file, settings.code) : 0;
  if (!in_place) Report("{\"kind\":\"other_folder\"}\n");
  if (failure != 0) ReportFailure(0, failure);
  if (!in_place || failure != 0) {
    WaitForBeginning();  // a server that finds nobody to tell does not listen either
    return 1;
  }
  if (!WaitForBeginning()) return 1;
  return RunStages(settings, {ends, guard});
}

// When memory runs out, the kernel ends a job before the server and everybody else. What is started inherits it.
void BeFirstToGo() {
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  (void)!write(score, "1000", 4);
  close(score);
}

}  // namespace cay

int main(int argc, char** argv) {
  setsid();  // Ctrl-C ends the server, which ends its jobs in order
  cay::BeFirstToGo();
  if (argc == 1) return cay::Main();
  execve(argv[1], argv + 1, environ);
  perror(argv[1]);
  return 127;
}
