// Memory that threads share, counted by the collector of each thread that holds it.
#ifndef CAY_SHARED_MEMORY_H_
#define CAY_SHARED_MEMORY_H_

#include <v8.h>

namespace cay {

// V8 does not count what a SharedArrayBuffer holds: without this a thread that drops many of them would not collect them
// for a long time.
void CountSharedMemory(v8::Isolate* isolate, v8::Local<v8::SharedArrayBuffer> buffer);

}  // namespace cay

#endif  // CAY_SHARED_MEMORY_H_
