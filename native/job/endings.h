// The end of all that a job has started.
#ifndef CAY_JOB_ENDINGS_H_
#define CAY_JOB_ENDINGS_H_

#include <sys/types.h>

namespace cay {

// Kills what is below this process until nothing is.
void EndDescendants(bool jailed);

// Outside of a jail a job can kill its launcher, and what it has started would go on without anybody. So the launcher
// has somebody behind it: this process stays here until the launcher has ended, ends what is left, and ends itself; the
// launcher is a new process, which is the one that goes on. Either may be stopped by the job: the launcher is
// let go on by this process, or by the end of it; this process by the server, or by the end of the server. Returns who
// stays behind: the launcher's parent for as long as it lives; 0 when there is nobody. SIGCHLD and SIGCONT are blocked
// from here on.
pid_t LeaveGuardBehind();

}  // namespace cay

#endif  // CAY_JOB_ENDINGS_H_
