// The end of all that a job has started.
#ifndef CAY_JOB_ENDINGS_H_
#define CAY_JOB_ENDINGS_H_

namespace cay {

// Kills what is below this process until nothing is.
void EndDescendants(bool jailed);

// Outside of a jail a job can kill its launcher, and what it has started would go on without anybody. So the launcher
// has somebody behind it: this process stays here until the launcher has ended, ends what is left, and ends itself; the
// launcher is a new process, which is the one that goes on. Should this process be killed, SIGHUP tells the launcher.
void LeaveGuardBehind();

}  // namespace cay

#endif  // CAY_JOB_ENDINGS_H_
