#include "references.h"

#include <iterator>

#include "natives.h"

namespace cay {

namespace {

#define CAY_ADDRESS(name, callback, length) reinterpret_cast<intptr_t>(&callback),
const intptr_t kReferences[] = {CAY_NATIVES(CAY_ADDRESS) 0};
#undef CAY_ADDRESS

}  // namespace

const intptr_t* ExternalReferences() { return kReferences; }

int ExternalReferencesVersion() { return static_cast<int>(std::size(kReferences)) - 1; }

}  // namespace cay
