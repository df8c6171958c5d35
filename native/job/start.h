// The beginning of a stage: a process of its own, limited and filtered, that becomes the command.
#ifndef CAY_JOB_START_H_
#define CAY_JOB_START_H_

#include <sys/types.h>

#include <vector>

#include "settings.h"

namespace cay {

// Descriptors that the server gives us.
constexpr int kServer = 3;
constexpr int kOutput = 4;
constexpr int kErrors = 5;

struct Started {
  pid_t process;  // -1 when it could not be executed
  int questions;  // for the gate
  int failure;    // why it could not
};

Started Start(const Settings& settings, const std::vector<char*>& command);

// Only the job itself may keep its output open: when it is over, the output is.
void CloseOutput();

}  // namespace cay

#endif  // CAY_JOB_START_H_
