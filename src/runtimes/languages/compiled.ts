import type { Language, Tool } from './language.ts';

const version = ['--version'];
const program = '{build}/program';

const cCompiler = (executable: string): Tool => ({
  executable,
  version,
  stages: [
    ['{tool}', '-o', program, '{file}', '-lm', '-pthread'],
    [program, '{args}'],
  ],
});

export const c: Language = {
  runtime: 'c',
  tools: [cCompiler('gcc'), cCompiler('cc'), cCompiler('clang')],
  source: { file: 'main.c' },
  install: 'apt-get install gcc libc6-dev',
};

export const cpp: Language = {
  runtime: 'cpp',
  tools: [cCompiler('g++'), cCompiler('c++'), cCompiler('clang++')],
  source: { file: 'main.cpp' },
  install: 'apt-get install g++',
};

export const rust: Language = {
  runtime: 'rust',
  tools: [
    {
      executable: 'rustc',
      version,
      stages: [
        ['{tool}', '--edition', '2021', '-o', program, '{file}'],
        [program, '{args}'],
      ],
      // rustup puts a proxy on the PATH that needs its own folders; the compiler is in the toolchain.
      identify: ['--print', 'sysroot'],
    },
  ],
  source: { file: 'main.rs' },
  install: 'apt-get install rustc',
};

export const go: Language = {
  runtime: 'go',
  tools: [
    {
      executable: 'go',
      version: ['version'],
      // Not `go run`: that has only one exit code for all failures of the program.
      stages: [
        ['{tool}', 'build', '-o', program, '{file}'],
        [program, '{args}'],
      ],
      identify: ['env', 'GOROOT'],
    },
  ],
  source: { file: 'main.go' },
  environment: {
    GOCACHE: '{home}/.cache/go-build',
    GOPATH: '{home}/go',
    GOTOOLCHAIN: 'local',
    GOTELEMETRY: 'off',
    GOFLAGS: '-buildvcs=false',
  },
  install: 'apt-get install golang-go',
};
