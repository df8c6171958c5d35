/** Names in a data folder while something is restored into it. Those of before it is decided that all of it is put in place, */
export const stagingPrefix = '.restore-';
/** what the staging folder is called from that moment on, */
export const decidedName = '.restoring';
/** and what is left of it when all is done. */
export const wastePrefix = '.restored-';

export function isOfRestore(name: string): boolean {
  return name === decidedName || name.startsWith(stagingPrefix) || name.startsWith(wastePrefix);
}
