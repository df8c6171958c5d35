// Starts a process, and makes what it talks through. Node does that too, but it copies its page tables for each
// process, which takes longer than all the rest of a short job; and what it calls a pipe is a socket, which programs
// that open /dev/stdout, as shell scripts like to do, cannot open.
#include <fcntl.h>
#include <node_api.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kPipeBytes = 1 << 20;  // fewer changes between writer and reader; if it is not granted, it stays 64 KiB

napi_value Fail(napi_env env, int error) {
  napi_throw_error(env, error == E2BIG ? "E2BIG" : "spawn_failed", strerror(error));
  return nullptr;
}

napi_value Pair(napi_env env, const int (&ends)[2]) {
  napi_value pair;
  napi_create_array_with_length(env, 2, &pair);
  for (uint32_t index = 0; index < 2; index++) {
    napi_value end;
    napi_create_int32(env, ends[index], &end);
    napi_set_element(env, pair, index, end);
  }
  return pair;
}

// () => [reader, writer]
napi_value MakePipe(napi_env env, napi_callback_info) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Fail(env, errno);
  fcntl(ends[1], F_SETPIPE_SZ, kPipeBytes);
  return Pair(env, ends);
}

// () => [here, there]
napi_value MakeLine(napi_env env, napi_callback_info) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return Fail(env, errno);
  return Pair(env, ends);
}

std::vector<std::string> Texts(napi_env env, napi_value array) {
  uint32_t count = 0;
  napi_get_array_length(env, array, &count);
  std::vector<std::string> texts(count);
  for (uint32_t index = 0; index < count; index++) {
    napi_value element;
    size_t size = 0;
    napi_get_element(env, array, index, &element);
    napi_get_value_string_utf8(env, element, nullptr, 0, &size);
    texts[index].resize(size);
    napi_get_value_string_utf8(env, element, texts[index].data(), size + 1, &size);
  }
  return texts;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// What the child gets in the order of its descriptors from 0 on; -1 is /dev/null.
class Descriptors {
 public:
  Descriptors(napi_env env, napi_value array) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, "/");
    uint32_t count = 0;
    napi_get_array_length(env, array, &count);
    for (uint32_t target = 0; target < count; target++) {
      napi_value element;
      int32_t source = -1;
      napi_get_element(env, array, target, &element);
      napi_get_value_int32(env, element, &source);
      Add(source, static_cast<int>(target), static_cast<int>(count));
    }
  }
  ~Descriptors() {
    posix_spawn_file_actions_destroy(&actions_);
    for (int descriptor : moved_) close(descriptor);
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  // 0 when the child gets them all.
  int error() const { return error_; }

 private:
  void Add(int source, int target, int above_all) {
    if (source < 0) {
      posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDWR, 0);
      return;
    }
    int moved = fcntl(source, F_DUPFD_CLOEXEC, above_all);  // it must be no target of another
    if (moved < 0) {
      error_ = errno;
      return;
    }
    moved_.push_back(moved);
    posix_spawn_file_actions_adddup2(&actions_, moved, target);
  }

  posix_spawn_file_actions_t actions_;
  std::vector<int> moved_;
  int error_ = 0;
};

// (words, environment as "name=value", descriptors) => process id. Throws with the code E2BIG when they are too long.
napi_value Spawn(napi_env env, napi_callback_info info) {
  napi_value given[3];
  size_t count = 3;
  napi_get_cb_info(env, info, &count, given, nullptr, nullptr);
  std::vector<std::string> words = Texts(env, given[0]), environment = Texts(env, given[1]);
  Descriptors descriptors(env, given[2]);
  if (descriptors.error() != 0) return Fail(env, descriptors.error());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child;
  int error = posix_spawn(&child, words[0].c_str(), descriptors.actions(), &attributes, Pointers(words).data(),
                          Pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return Fail(env, error);
  napi_value id;
  napi_create_int32(env, child, &id);
  return id;
}

// (process id) => whether it has ended; it must be one of ours, and is asked for until it has
napi_value HasEnded(napi_env env, napi_callback_info info) {
  napi_value given;
  size_t count = 1;
  int32_t child = 0;
  napi_get_cb_info(env, info, &count, &given, nullptr, nullptr);
  napi_get_value_int32(env, given, &child);
  napi_value ended;
  napi_get_boolean(env, waitpid(child, nullptr, WNOHANG) != 0, &ended);
  return ended;
}

}  // namespace

NAPI_MODULE_INIT() {
  auto add = [&](const char* name, napi_callback callback) {
    napi_value function;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, nullptr, &function);
    napi_set_named_property(env, exports, name, function);
  };
  add("makePipe", MakePipe);
  add("makeLine", MakeLine);
  add("spawn", Spawn);
  add("hasEnded", HasEnded);
  return exports;
}
