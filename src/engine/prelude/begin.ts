import { resetClock } from './clock.ts';
import { declare, type Guard, guarded } from './constants.ts';
import { expose } from './expose.ts';
import { type HostFunction, installFunctions } from './host-functions.ts';
import { loadedPart } from './parts.ts';
import { addScript } from './positions.ts';
import { deleteProperty, globals, hasOwn, parseJson } from './primordials.ts';
import { setIndentation } from './write.ts';

/** What the server sends with a source; trusted. */
interface Config {
  readonly wrapped: boolean;
  readonly consts: readonly string[];
  readonly declared: readonly string[];
  readonly guards: readonly Guard[];
  readonly map: readonly number[] | null;
  readonly input?: unknown;
  readonly omit: readonly string[];
  readonly functions: readonly HostFunction[];
}

/** Prepares the heap for a run, and gives the source to compile and the name to compile it under. */
export function begin(configText: string, given: string): [source: string, scriptName: string] {
  const config: Config = parseJson(configText);
  loadedPart('timers')?.resetTimers();
  loadedPart('console')?.resetTimes();
  setIndentation('');
  resetClock();
  for (let i = 0; i < config.omit.length; i++) deleteProperty(globals, config.omit[i] ?? '');
  if (hasOwn(config, 'input')) expose(globals, 'input', config.input, true);
  installFunctions(config.functions);
  const pair = guarded(given, config.guards);
  const source = pair[0];
  declare(config.declared, config.consts);
  return [source, addScript(source, config.wrapped, config.map, pair[1])];
}
