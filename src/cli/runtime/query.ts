import { loadConfig } from '../../config/load.ts';
import { queryOperation } from '../../server/tools/runtime.ts';
import { folderSources } from '../folder-options.ts';
import { printJson } from '../terminal.ts';
import { type DoorFlags, openRuntimeDoor } from './door.ts';
import { present } from './flags.ts';

export interface QueryFlags extends DoorFlags {
  readonly max?: number;
  readonly context?: number;
  readonly stream?: string;
}

/** Prints the parts of an output that have one of the terms. */
export async function query(artifactHandle: string, queryTerms: string[], flags: QueryFlags): Promise<void> {
  const given = {
    artifactHandle,
    queryTerms,
    maxExcerpts: flags.max,
    contextLines: flags.context,
    stream: flags.stream,
  };
  const door = await openRuntimeDoor(loadConfig(folderSources(flags)), flags);
  try {
    const answer = await door.call(queryOperation, present(given), new AbortController().signal);
    printJson(answer);
  } finally {
    await door.close();
  }
}
