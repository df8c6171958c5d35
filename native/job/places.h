// The server has checked directories, and these must be they: what has taken their place meanwhile is not.
#ifndef CAY_JOB_PLACES_H_
#define CAY_JOB_PLACES_H_

#include "settings.h"

namespace cay {

// Whether everything of the repository is mounted where it belongs. Who can write around a place may have put a link
// there for the moment in which it was mounted, and it lies over something else now.
bool AreInPlace(const std::vector<Place>& mounts);

// Makes it the working directory.
bool Enter(const Place& folder);

// Puts the code where it belongs, in a folder that holds nothing else. 0, or why not.
int WriteCode(const std::string& path, const std::string& code);

}  // namespace cay

#endif  // CAY_JOB_PLACES_H_
