import type { ArtifactStore } from '../artifacts.ts';
import type { artifactReads } from './artifact-reads.ts';
import { expiredPerStep } from './artifact-writes.ts';
import type { Gate } from './gate.ts';
import type { Thread } from './thread.ts';
import type { WriterCalls } from './writer-thread.ts';

export function artifactStore(
  gate: Gate,
  writer: Thread<WriterCalls>,
  read: ReturnType<typeof artifactReads>,
): ArtifactStore {
  return {
    add: (artifact, maxTotalBytes) => gate.enter(() => writer.call('addArtifact', { artifact, maxTotalBytes })),
    get: (handle) => gate.enter(() => read.get(handle)),
    expire: (now) =>
      gate.enter(async () => {
        const files: string[] = [];
        for (let step = expiredPerStep; step === expiredPerStep; ) {
          const gone = await writer.call('expireArtifacts', now);
          files.push(...gone);
          step = gone.length;
        }
        return files;
      }),
    unknownFiles: (files) => gate.enter(() => read.unknownFiles(files)),
  };
}
