import type { StoredArtifact, StoredStream } from '../../store/artifacts.ts';
import type { ArtifactFiles } from './artifact-files.ts';
import { endsWithNewline } from './keeping/newlines.ts';
import { keptBytes } from './kept-bytes.ts';
import { omittedBytes, totalsOf } from './stream-totals.ts';
import { ExcerptFinder } from './text/excerpt-finder.ts';
import { TextFeed } from './text/text-feed.ts';
import type { Artifact, Excerpt, Search } from './types.ts';

export function artifactOf(stored: StoredArtifact, files: ArtifactFiles): Artifact {
  const { handle, repo: repoId, createdAt, expiresAt } = stored;
  const common = {
    handle,
    repoId,
    createdAt,
    expiresAt,
    stdout: totalsOf(stored.stdout),
    stderr: totalsOf(stored.stderr),
  };
  return {
    ...common,
    read: (name) => readable(files.path(stored.file, name), stored[name]),
    async excerpts(search, streams, signal) {
      const found: Excerpt[] = [];
      for (const name of streams) {
        const wanted = { ...search, maxExcerpts: search.maxExcerpts - found.length };
        const finder = await searched(files.path(stored.file, name), stored[name], wanted, signal);
        found.push(...finder.excerpts(name));
      }
      return found;
    },
  };
}

async function searched(path: string, stream: StoredStream, search: Search, signal?: AbortSignal) {
  const finder = new ExcerptFinder(search);
  const feed = new TextFeed([finder]);
  let part = 'head';
  if (finder.done) return finder;
  for await (const next of keptBytes(path, stream)) {
    signal?.throwIfAborted();
    if (next.part !== part) {
      part = next.part;
      feed.end();
      finder.gap(stream.tailLine, bytesOmitted(stream));
    }
    feed.write(next.bytes, () => !finder.done);
    if (finder.done) return finder;
  }
  feed.end();
  return finder;
}

async function* readable(path: string, stream: StoredStream): AsyncGenerator<Uint8Array> {
  let before: Uint8Array = new Uint8Array(0);
  let part = 'head';
  for await (const next of keptBytes(path, stream)) {
    if (next.part !== part) {
      part = next.part;
      const ownLine = before.length === 0 || endsWithNewline(before) ? '' : '\n';
      yield Buffer.from(`${ownLine}${bytesOmitted(stream)}\n`);
    }
    yield next.bytes;
    before = next.bytes;
  }
}

function bytesOmitted(stream: StoredStream): string {
  return `... (${omittedBytes(stream)} bytes omitted) ...`;
}
