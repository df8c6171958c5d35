// System calls that no build, test or script needs, and that ways out of jails have been made of, are refused. Those that
// make a process or a thread are asked about.
#ifndef CAY_JOB_FILTER_H_
#define CAY_JOB_FILTER_H_

namespace cay {

struct Filtered {
  bool installed;
  int questions;  // a descriptor with what is asked; -1 where the kernel cannot ask
};

// For this process and all it starts.
Filtered InstallFilter();

}  // namespace cay

#endif  // CAY_JOB_FILTER_H_
