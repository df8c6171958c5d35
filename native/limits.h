// The process's own limits, and its last words.
#ifndef CAY_LIMITS_H_
#define CAY_LIMITS_H_

#include <v8.h>

#include <cstddef>

namespace cay {

class Wire;

// V8's out-of-memory and fatal errors leave as a frame before the process dies.
void InstallCrashReports(v8::Isolate* isolate, Wire* wire);

// Sets the hard limits, from what the process holds when it is warm. `max_heap_cap` is the largest cap a run may ask for.
void SetProcessLimits(size_t max_heap_cap);
// The wall behind a run's heap cap: what V8's own accounting does not see fails here.
void SetDataLimit(size_t heap_cap);
// Up to the hard limit: a snapshot needs several times the heap.
void LiftDataLimit();
// Gives back what malloc keeps; false when so much stays that the process is not worth keeping.
bool TrimMemory();

}  // namespace cay

#endif  // CAY_LIMITS_H_
