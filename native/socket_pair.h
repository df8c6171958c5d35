// The connection between the server and an isolate process.
#pragma once

namespace cay {

// Both ends close in programs that are started; false when there are no descriptors left.
bool OpenSocketPair(int ends[2]);

}  // namespace cay
