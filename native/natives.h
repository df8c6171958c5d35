// What the prelude is given as `native`: the only C++ that code in the isolate can reach, and only through the prelude.
#ifndef CAY_NATIVES_H_
#define CAY_NATIVES_H_

#include <v8.h>

namespace cay {

using NativeArguments = const v8::FunctionCallbackInfo<v8::Value>&;

// Talking to the server.
void NativePrint(NativeArguments args);
void NativeCallSync(NativeArguments args);
void NativeCallAsync(NativeArguments args);
void NativeSchedule(NativeArguments args);
void NativeCancel(NativeArguments args);
// The machine.
void NativeRandom(NativeArguments args);
void NativeNow(NativeArguments args);
// Values.
void NativeClone(NativeArguments args);
void NativeEncodeUtf8(NativeArguments args);
void NativeDecodeUtf8(NativeArguments args);
void NativeProxyDetails(NativeArguments args);
void NativePromiseDetails(NativeArguments args);
void NativePreviewEntries(NativeArguments args);
void NativeConstructorName(NativeArguments args);
void NativeNonIndexKeys(NativeArguments args);
void NativeKindOf(NativeArguments args);
// A part of the prelude that is not in the heap yet: the function that its source is.
void NativePart(NativeArguments args);

// name, callback, length. Only ever append (references.h).
#define CAY_NATIVES(V)                           \
  V("print", NativePrint, 1)                     \
  V("callSync", NativeCallSync, 2)               \
  V("callAsync", NativeCallAsync, 2)             \
  V("schedule", NativeSchedule, 3)               \
  V("cancel", NativeCancel, 1)                   \
  V("random", NativeRandom, 1)                   \
  V("now", NativeNow, 0)                         \
  V("clone", NativeClone, 2)                     \
  V("encodeUtf8", NativeEncodeUtf8, 1)           \
  V("decodeUtf8", NativeDecodeUtf8, 2)           \
  V("proxyDetails", NativeProxyDetails, 1)       \
  V("promiseDetails", NativePromiseDetails, 1)   \
  V("previewEntries", NativePreviewEntries, 1)   \
  V("constructorName", NativeConstructorName, 1) \
  V("kindOf", NativeKindOf, 1)                   \
  V("part", NativePart, 1)                       \
  V("nonIndexKeys", NativeNonIndexKeys, 1)

}  // namespace cay

#endif  // CAY_NATIVES_H_
