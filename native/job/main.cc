// Runs a job: its stages one after the other, within its limits, and says how it ended. In a jail it is the first
// process of the jail's own process namespace, so that its end is the end of all of them. Outside it takes in what its
// descendants leave behind, and ends what it finds.
//
// Descriptor 3 is the server. It sends one byte when the job may begin, and hangs up when it must end; a server that
// dies hangs up as well. One line of JSON goes back, when nothing of the job is left. Descriptors 4 and 5 are the job's
// output: not 1 and 2, which others keep open who live a little longer.
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
#include "filter.h"
#include "gate.h"
#include "limits.h"
#include "processes.h"
#include "settings.h"
#include "start.h"

namespace cay {

namespace {

constexpr int kJailedLookMs = 50;
constexpr int64_t kJailedPatienceMs = 100;
constexpr int64_t kOpenPatienceMs = 10000;
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

// The server has checked a directory, and this must be it: what has taken its place meanwhile is not.
bool EnterFolder(const Settings& settings) {
  struct stat info;
  if (chdir(settings.folder.c_str()) != 0 || stat(".", &info) != 0) return false;
  return info.st_dev == settings.device && info.st_ino == settings.inode;
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

StageEnd Follow(pid_t main, const Settings& settings, int ends, Gate* gate, Watch* watch) {
  const int64_t pause = settings.jailed ? kJailedLookMs : kOpenLookMs;
  int64_t next_look = NowMs() + pause;
  for (;;) {
    pollfd sources[] = {{kServer, POLLIN, 0}, {ends, POLLIN, 0}, {gate->questions(), POLLIN, 0}};
    poll(sources, 3, static_cast<int>(std::max<int64_t>(0, next_look - NowMs())));
    if (sources[0].revents != 0) return {Ending::kHungUp};
    if (sources[2].revents != 0) gate->Answer();
    if (sources[1].revents != 0) {
      signalfd_siginfo signal_info;
      while (read(ends, &signal_info, sizeof signal_info) > 0) continue;
      int status;
      if (Reap(main, &status)) return {Ending::kStage, status};
    }
    if (NowMs() < next_look) continue;
    if (const char* limit = watch->Exceeded()) return {Ending::kLimit, 0, limit};
    next_look = NowMs() + pause;
  }
}

// What is found is killed until nothing is; who wants to make another process meanwhile waits for an answer. In a jail
// the kernel does it as well when we end, but taking the jail down takes time, and nobody has to wait for that.
void EndDescendants(const Settings& settings) {
  const int64_t give_up = NowMs() + (settings.jailed ? kJailedPatienceMs : kOpenPatienceMs);
  while (NowMs() < give_up) {
    if (settings.jailed) kill(-1, SIGKILL);
    std::vector<Process> left = Descendants();
    for (const Process& process : left) kill(process.id, SIGKILL);
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    if (left.empty()) return;
    usleep(500);
  }
}

void ReportStage(size_t stage, int status) {
  if (WIFSIGNALED(status)) {
    Report("{\"kind\":\"signal\",\"signal\":%d,\"stage\":%zu}\n", WTERMSIG(status), stage);
  } else {
    Report("{\"kind\":\"exit\",\"code\":%d,\"stage\":%zu}\n", WEXITSTATUS(status), stage);
  }
}

int RunStages(const Settings& settings, int ends) {
  Watch watch(settings);
  for (size_t stage = 0; stage < settings.stages.size(); stage++) {
    bool last = stage + 1 == settings.stages.size();
    Started started = Start(settings, settings.stages[stage]);
    if (last) CloseOutput();
    if (started.process < 0) {
      Report("{\"kind\":\"not_started\",\"reason\":\"%s\",\"stage\":%zu}\n", strerror(started.failure), stage);
      break;
    }
    Gate gate(started.questions, settings.processes, settings.processes * kThreadsPerProcess);
    StageEnd end = Follow(started.process, settings, ends, &gate, &watch);
    if (end.ending == Ending::kStage && end.status == 0 && !last) continue;
    if (end.ending == Ending::kHungUp && settings.jailed) break;
    EndDescendants(settings);
    if (end.ending == Ending::kStage) ReportStage(stage, end.status);
    if (end.ending == Ending::kLimit) Report("{\"kind\":\"limit\",\"limit\":\"%s\"}\n", end.limit);
    break;
  }
  return 0;
}

}  // namespace

int Main(int argc, char** argv) {
  Settings settings;
  if (!ParseSettings(argc, argv, &settings)) return 2;
  CloseOthers();
  for (int descriptor : {kServer, kOutput, kErrors}) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);  // nothing in the job may look into or change its warden
  if (!settings.jailed) prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, nullptr);
  int ends = signalfd(-1, &ended, SFD_CLOEXEC | SFD_NONBLOCK);
  if (ends < 0) return 2;
  if (!EnterFolder(settings)) {
    Report("{\"kind\":\"other_folder\"}\n");
    WaitForBeginning();  // a server that finds nobody to tell does not listen either
    return 1;
  }
  if (!WaitForBeginning()) return 1;
  return RunStages(settings, ends);
}

}  // namespace cay

int main(int argc, char** argv) { return cay::Main(argc, argv); }
