#include "socket_pair.h"

#include <fcntl.h>
#include <sys/socket.h>

namespace cay {

namespace {

// A heap of a few hundred kilobytes should leave in few pieces: each one more wakes both sides. The kernel cuts this to
// what it allows.
constexpr int kBufferSize = 1 << 20;

}  // namespace

bool OpenSocketPair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &kBufferSize, sizeof kBufferSize);
  }
  return true;
}

}  // namespace cay
