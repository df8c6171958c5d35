import type { Language, SourceName, Tool } from './language.ts';

const version = ['--version'];
const heap = '-XX:MaxRAM={memoryMb}m';

export const java: Language = {
  runtime: 'java',
  tools: [
    {
      executable: 'javac',
      companions: ['java'],
      version,
      stages: [
        ['{tool}', '-d', '{build}', '{file}'],
        ['{java}', heap, '-cp', '{build}', '{entry}', '{args}'],
      ],
    },
    { executable: 'java', version, stages: [['{java}', heap, '{file}', '{args}']] },
  ],
  source: javaSource,
  direct: 'java',
  etc: ['java'],
  install: 'apt-get install default-jdk-headless',
};

/** A public class must be in a file of its name, and the one with `main` is what is started. */
function javaSource(code: string): SourceName {
  const types = [...code.matchAll(/\b(?:class|interface|enum|record)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu)];
  const publicType = /\bpublic\s+(?:\w+\s+)*(?:class|interface|enum|record)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(code);
  const main = code.search(/\bstatic\s+(?:\w+\s+)*void\s+main\s*\(/);
  const around = types.filter((type) => main === -1 || type.index < main).at(-1);
  const folder = /^\s*package\s+([\p{L}\p{N}_$.]+)\s*;/mu.exec(code)?.[1];
  const type = (main === -1 ? publicType?.[1] : around?.[1]) ?? 'Main';
  return { file: `${publicType?.[1] ?? 'Main'}.java`, entry: folder ? `${folder}.${type}` : type };
}

export const kotlin: Language = {
  runtime: 'kotlin',
  tools: [
    {
      executable: 'kotlinc',
      companions: ['java'],
      version: ['-version'],
      stages: [
        ['{tool}', '{file}', '-include-runtime', '-d', '{build}/program.jar'],
        ['{java}', heap, '-jar', '{build}/program.jar', '{args}'],
      ],
    },
  ],
  source: { file: 'main.kt' },
  install: 'apt-get install kotlin default-jre-headless',
};

const monoCompiler = (executable: string): Tool => ({
  executable,
  companions: ['mono'],
  version,
  stages: [
    ['{tool}', '-nologo', '-out:{build}/program.exe', '{file}'],
    ['{mono}', '{build}/program.exe', '{args}'],
  ],
});

export const csharp: Language = {
  runtime: 'csharp',
  tools: [
    { executable: 'dotnet-script', version, stages: [['{tool}', '{file}', '--', '{args}']] },
    monoCompiler('csc'),
    monoCompiler('mono-csc'),
    monoCompiler('mcs'),
  ],
  source: { file: 'main.cs' },
  environment: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', MONO_REGISTRY_PATH: '{home}/.mono' },
  etc: ['mono'],
  install: 'apt-get install mono-mcs mono-runtime',
};
