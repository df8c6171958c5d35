// Those system calls that make a process or a thread are asked about. In a jail those that no build, test or script
// needs, and that ways out of jails have been made of, are refused.
#ifndef CAY_JOB_FILTER_H_
#define CAY_JOB_FILTER_H_

namespace cay {

struct Filtered {
  bool installed;
  int questions;  // a descriptor with what is asked; -1 where the kernel cannot ask
};

// For this process and all it starts.
Filtered InstallFilter(bool jailed);

}  // namespace cay

#endif  // CAY_JOB_FILTER_H_
