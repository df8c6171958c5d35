import ts from 'typescript-js';

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  lib: ['lib.esnext.d.ts'],
  types: [],
};

const plain = ts.createCompilerHost(options);
const library = new Map<string, ts.SourceFile | undefined>();

export interface CompilerError {
  /** Counted from 0. */
  readonly line: number;
  readonly message: string;
}

/** What the TypeScript compiler has against a module. */
export function compilerErrors(source: string): CompilerError[] {
  const host: ts.CompilerHost = {
    ...plain,
    getSourceFile(name, version) {
      if (name === 'case.ts') return ts.createSourceFile(name, source, version);
      if (!library.has(name)) library.set(name, plain.getSourceFile(name, version));
      return library.get(name);
    },
  };
  const program = ts.createProgram(['case.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => ({
    line: file?.getLineAndCharacterOfPosition(start).line ?? 0,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}
