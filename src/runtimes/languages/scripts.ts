import type { Language, Tool } from './language.ts';

const run: Tool['stages'] = [['{tool}', '{file}', '{args}']];
const version = ['--version'];

// The folders of a virtual environment and of the Python under it; behind a shim neither is where the shim is.
const identifyPython = ['-c', 'import sys; print(sys.executable, sys.prefix, sys.base_prefix, sep="\\n")'];

export const python: Language = {
  runtime: 'python',
  tools: [
    { executable: 'python3', stages: run, version, identify: identifyPython },
    { executable: 'python', stages: run, version, identify: identifyPython, atLeast: '3' },
  ],
  source: { file: 'main.py' },
  environment: { PYTHONPATH: '{cwd}', PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
  etc: ['python3'],
  install: 'apt-get install python3',
};

export const shell: Language = {
  runtime: 'shell',
  tools: [{ executable: 'bash', stages: run, version }],
  source: { file: 'main.sh' },
  install: 'apt-get install bash',
};

export const ruby: Language = {
  runtime: 'ruby',
  tools: [
    {
      executable: 'ruby',
      stages: run,
      version,
      identify: ['-rrbconfig', '-e', 'puts RbConfig.ruby, RbConfig::CONFIG["prefix"]'],
    },
  ],
  source: { file: 'main.rb' },
  environment: { RUBYLIB: '{cwd}' },
  install: 'apt-get install ruby',
};

export const php: Language = {
  runtime: 'php',
  tools: [{ executable: 'php', stages: run, version }],
  source: { file: 'main.php' },
  etc: ['php'],
  install: 'apt-get install php-cli',
};

export const perl: Language = {
  runtime: 'perl',
  tools: [{ executable: 'perl', stages: run, version: ['-e', 'printf "%vd\\n", $^V'] }],
  source: { file: 'main.pl' },
  environment: { PERL5LIB: '{cwd}' },
  etc: ['perl'],
  install: 'apt-get install perl',
};

export const r: Language = {
  runtime: 'r',
  tools: [{ executable: 'Rscript', stages: run, version }],
  source: { file: 'main.R' },
  etc: ['R'],
  install: 'apt-get install r-base-core',
};

export const elixir: Language = {
  runtime: 'elixir',
  tools: [{ executable: 'elixir', stages: run, version: ['--short-version'] }],
  source: { file: 'main.exs' },
  etc: ['erlang'],
  install: 'apt-get install elixir',
};
