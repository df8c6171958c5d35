import { pino } from 'pino';
import type { z } from 'zod';
import type { Config } from '../../config/load.ts';
import { loadBuild } from '../../engine/build.ts';
import { CayError } from '../../errors.ts';
import { parseArguments } from '../../server/arguments.ts';
import type { Body } from '../../server/tool.ts';
import type { JobOperation } from '../../server/tools/job-operation.ts';
import { openSqliteStore } from '../../store/sqlite/open.ts';
import { namedServer, ownServer, type RemoteFlags, type ServerFlags } from '../remote.ts';
import { expected, remoteCall } from '../remote-call.ts';
import { openRuntimes } from '../runtimes.ts';

export type DoorFlags = ServerFlags;

/** The runtimes as the command line reaches them. */
export interface RuntimeDoor {
  call<I extends z.ZodObject, O extends z.ZodObject>(
    operation: JobOperation<I, O>,
    given: Body,
    signal: AbortSignal,
  ): Promise<z.output<O>>;
  close(): Promise<void>;
}

/**
 * Those of the server that has the data folder, or, where none runs, runtimes of its own on it. The command line is the
 * owner's own hand: `runtime.enabled` does not stop it, the rest of the policy holds.
 */
export async function openRuntimeDoor(config: Config, flags: RemoteFlags): Promise<RuntimeDoor> {
  const named = namedServer(flags);
  if (named) return remoteDoor(named);
  try {
    return await localDoor(config);
  } catch (error) {
    if (!(error instanceof CayError) || error.code !== 'folder_in_use') throw error;
    const door = remoteDoor(ownServer(config, flags));
    return { ...door, call: (...call) => door.call(...call).catch((unreached) => unreachable(config, unreached)) };
  }
}

/** A server on standard input and output, or another command, has the folder and cannot be asked. */
function unreachable({ data_dir }: Config, error: unknown): never {
  if (!(error instanceof CayError) || error.code !== 'cannot_connect') throw error;
  const message = `The data folder ${data_dir} is in use, and whoever has it cannot be asked. ${error.message}`;
  throw new CayError('folder_in_use', message, { cause: error });
}

async function localDoor(config: Config): Promise<RuntimeDoor> {
  const log = pino({ level: config.log_level === 'info' ? 'warn' : config.log_level, base: null }, pino.destination(2));
  const store = await openSqliteStore({ folder: config.data_dir, codec: loadBuild().addon, cacheMb: 1 });
  const granted = { ...config, runtime: { ...config.runtime, enabled: true } };
  const runtimes = await openRuntimes(granted, store, log).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    call: async (operation, given, signal) => {
      const context = { services: { runtimes }, signal, onProgress: null };
      return operation.output.parse(await operation.run(parseArguments(operation, given), context));
    },
    close: async () => {
      await runtimes.close();
      await store.close();
    },
  };
}

export function remoteDoor(flags: RemoteFlags): RuntimeDoor {
  return {
    call: async ({ method, path, output }, given, signal) =>
      expected(output, await remoteCall(flags, { method, path, given, signal })),
    close: async () => {},
  };
}
