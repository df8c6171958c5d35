import ts from 'typescript-js';
import lib from 'typescript-js/lib/lib.es5.d.ts';

const files = new Map([['lib.d.ts', { text: lib, version: 0 }]]);
const options = { target: ts.ScriptTarget.ES2020, strict: true, lib: ['lib.d.ts'], module: ts.ModuleKind.CommonJS };
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [...files.keys()],
  getScriptVersion: (name) => `${files.get(name)?.version}`,
  getScriptSnapshot: (name) => (files.has(name) ? ts.ScriptSnapshot.fromString(files.get(name).text) : undefined),
  getCurrentDirectory: () => '/',
  getDefaultLibFileName: () => 'lib.d.ts',
  fileExists: (name) => files.has(name),
  readFile: (name) => files.get(name)?.text,
});
const put = (name, text) => files.set(name, { text, version: (files.get(name)?.version ?? 0) + 1 });

const program = (round) => `
  export interface Shape<T extends string = 'round'> { readonly kind: T; area(scale?: number): number }
  enum Level { Low = ${round}, High = Low << 2 }
  namespace Tools { export const twice = <T>(f: (x: T) => T) => (x: T): T => f(f(x)) }
  abstract class Base<T extends string> implements Shape<T> {
    constructor(public readonly kind: T, protected size: number) {}
    abstract area(scale?: number): number;
  }
  class Circle extends Base<'round'> { #r = ${round}; area(scale = 1) { return this.#r * this.size * scale } }
  export type Keys<T> = { [K in keyof T as \`get\${Capitalize<string & K>}\`]: () => T[K] };
  const bad: number = new Circle('round', 1).kind;
  export const value: Keys<{ a: 1 }> = { getA: () => ${round === 1 ? 2 : 1} };
  export async function* all(list?: Shape[]) { for (const s of list ?? []) yield s?.area(Level.High) ?? Tools.twice((x: number) => x + 1)(0) }
`;

globalThis.work = (round) => {
  put('main.ts', program(round));
  put(
    `extra${round}.ts`,
    `import { value } from './main'; export const again = value.getA() + ${round}; again.nothing;`,
  );
  const problems = [...files.keys()].flatMap((name) => [
    ...service.getSyntacticDiagnostics(name),
    ...service.getSemanticDiagnostics(name),
  ]);
  const messages = problems.map(
    (p) => `${p.file?.fileName}:${p.start} TS${p.code} ${ts.flattenDiagnosticMessageText(p.messageText, '\n')}`,
  );
  let js = '';
  for (let turn = 0; turn < 12; turn++) {
    const target = turn % 2 ? ts.ScriptTarget.ES5 : ts.ScriptTarget.ES2022;
    js = ts.transpileModule(program(turn), { compilerOptions: { target, downlevelIteration: true } }).outputText;
  }
  const info = service.getQuickInfoAtPosition('main.ts', program(round).indexOf('Circle'));
  const completions = service.getCompletionsAtPosition('main.ts', program(round).indexOf('.kind') + 1, {});
  const names = completions?.entries.map((entry) => entry.name);
  const output = service.getEmitOutput('main.ts').outputFiles.map((file) => file.text);
  return JSON.stringify([messages, js, ts.displayPartsToString(info?.displayParts), names, output]);
};
