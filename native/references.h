// Every C++ function that JavaScript can reach, in the order in which heaps name them.
#ifndef CAY_REFERENCES_H_
#define CAY_REFERENCES_H_

#include <cstdint>

namespace cay {

// Null-terminated. Only ever append: a stored heap holds positions in this list.
const intptr_t* ExternalReferences();

// Part of a heap's fingerprint.
int ExternalReferencesVersion();

}  // namespace cay

#endif  // CAY_REFERENCES_H_
