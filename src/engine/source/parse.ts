import { Parser, type Program } from 'acorn';
import { type Survey, surveyProgram } from './survey.ts';
import type { Unparsed } from './types.ts';

export interface Parsed {
  readonly kind: 'parsed';
  readonly program: Program;
  readonly survey: Survey;
}

// Scripts may not dispose of anything at top level; the wrapper may.
const ScriptParser = Parser.extend(
  (Base) =>
    class extends Base {
      get allowUsing(): boolean {
        return true;
      }
    },
);

/**
 * `await (x)` is an expression that awaits and a call of a function named `await`. It is taken for the former, unless
 * the script declares that name itself or does not parse that way.
 */
export function parse(source: string): Parsed | Unparsed {
  if (!source.includes('await')) return attempt(source, false);
  const awaiting = attempt(source, true);
  if (awaiting.kind === 'parsed' && !awaiting.survey.names.has('await')) return awaiting;
  const plain = attempt(source, false);
  if (plain.kind === 'parsed' || awaiting.kind === 'parsed') return plain;
  return awaiting.offset > plain.offset || awaiting.overflow ? awaiting : plain;
}

function attempt(source: string, allowAwaitOutsideFunction: boolean): Parsed | Unparsed {
  try {
    const program = ScriptParser.parse(source, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction,
      allowReturnOutsideFunction: true,
      // They are found, and refused in better words.
      allowImportExportEverywhere: true,
    });
    return { kind: 'parsed', program, survey: surveyProgram(program) };
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unparsed', offset: 0, overflow: true };
    if (!(error instanceof SyntaxError)) throw error;
    // acorn reports a full stack in words only.
    const overflow = error.message.startsWith('Not enough stack space');
    const offset = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    return { kind: 'unparsed', offset, overflow };
  }
}
