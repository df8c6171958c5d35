// An installed package: whether the core that came with it fits this machine, and a core of its own where it does not.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { buildNative } from './build-native.mjs';
import { manifest, pinnedNode, platform, root } from './platform.mjs';
import { bake, coreHash } from './setup.mjs';

/** Null where the package's own core fits; else the folder of one that was built here, now or before. */
export async function folderBuiltHere() {
  pinnedNode();
  const reason = misfit();
  if (reason === null) return null;
  const caches = process.env.XDG_CACHE_HOME || `${homedir()}/.cache`;
  const folder = `${caches}/cay/${manifest.version}-${platform}-${coreHash().slice(0, 12)}`;
  if (existsSync(folder)) return folder;
  process.stderr.write(`${reason}\nBuilding the core into ${folder}, once ...\n`);
  // The package's folder may be another's, or read-only. Under its name the folder is there only when it is complete.
  const work = `${folder}.${process.pid}`;
  try {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    mkdirSync(work);
    await buildNative(work);
    bake(work);
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function misfit() {
  const path = `${root}dist/build/built.json`;
  if (!existsSync(path)) {
    throw new Error('This package is not whole: it was packed with npm scripts switched off. Pack it again: npm pack');
  }
  const built = JSON.parse(readFileSync(path, 'utf8'));
  if (built.platform !== platform) return `This package has a core for ${built.platform}, and this is ${platform}.`;
  if (process.platform !== 'linux') return null;
  const glibc = glibcVersion();
  if (glibc === undefined) {
    throw new Error(
      'Cay runs on systems with glibc, and this one has another C library: use Debian, Fedora or the like.',
    );
  }
  if (isAtLeast(glibc, built.glibc)) return null;
  return `This package has a core for glibc ${built.glibc} or later, and this system has ${glibc}.`;
}

/** Of the Node that runs this: undefined on Alpine, where the C library is musl. */
function glibcVersion() {
  process.report.excludeNetwork = true; // it is about sockets, and may ask a name server
  return process.report.getReport().header.glibcVersionRuntime;
}

function isAtLeast(version, least) {
  const [major, minor] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
