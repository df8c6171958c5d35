import { join } from 'node:path';

/** Where a job finds its things. */
export interface Places {
  readonly code: string;
  readonly build: string;
  readonly home: string;
  readonly temporary: string;
}

/** In a jail they are always the same. */
export const jailPlaces: Places = {
  code: '/run/job/code',
  build: '/tmp/build',
  home: '/home/job',
  temporary: '/tmp',
};

/** Without one they are in the job's own folder. */
export function openPlaces(folder: string): Places {
  return {
    code: join(folder, 'code'),
    build: join(folder, 'build'),
    home: join(folder, 'home'),
    temporary: join(folder, 'tmp'),
  };
}
