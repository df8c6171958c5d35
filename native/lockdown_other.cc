// Platforms without a system call filter: the process keeps what its user may do, and the doctor says so.
#include <cerrno>

#include "lockdown.h"

namespace cay {

Lock LockDown(int) { return {true, "this platform has no system call filter: code runs with the rights of its user"}; }

int TryForbidden(Probe) { return ENOSYS; }

}  // namespace cay
