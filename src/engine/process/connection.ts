import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { CayError } from '../../errors.ts';
import { core } from '../core.ts';

/** One end is ours, the other is a descriptor for the process to be started. */
export interface Connection {
  readonly socket: Socket;
  readonly theirs: number;
  /** Once the process has its end, or is not going to. */
  closeTheirs(): void;
}

/** Every chunk is read into it and taken apart before the next one: nothing is allocated for what comes. */
const chunk = Buffer.allocUnsafeSlow(512 * 1024);

export function openConnection(receive: (bytes: Buffer) => void): Connection {
  const pair = core().socketPair();
  if (!pair)
    throw new CayError('no_descriptors', 'No descriptor is left for another isolate process: raise `ulimit -n`');
  const [ours, theirs] = pair;
  const onread = {
    buffer: chunk,
    callback: (length: number) => {
      receive(chunk.subarray(0, length));
      return true;
    },
  };
  try {
    const socket = new Socket({ fd: ours, readable: true, writable: true, onread });
    return { socket, theirs, closeTheirs: () => closeSync(theirs) };
  } catch (cause) {
    for (const end of pair) closeSync(end);
    throw new CayError('no_descriptors', 'A connection to an isolate process could not be opened', { cause });
  }
}
