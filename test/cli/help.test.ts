import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command, Option } from 'commander';
import { exitCodeTexts } from '../../src/cli/exit-code.ts';
import { createProgram } from '../../src/cli/program.ts';
import { cay, cayOnTerminal } from './cay.ts';
import { commandsOf, leavesOf, pathOf } from './tree.ts';

const program = createProgram();

/** What `--help` prints, in one line. */
function helpOf(command: Command): string {
  let printed = '';
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    getOutHelpWidth: () => 1000,
  });
  command.outputHelp();
  return printed.replaceAll(/\s+/g, ' ');
}

for (const command of commandsOf(program)) {
  const path = pathOf(command);
  const help = helpOf(command);

  test(`${path} --help names every flag, argument and command, and says what each is`, () => {
    for (const { flags, description, hidden } of command.options) {
      assert.equal(hidden, false, `${flags} is hidden`);
      assert.notEqual(description, '', `${flags} says nothing`);
      assert.ok(help.includes(`${flags} ${description}`), `${flags} is missing in: ${help}`);
    }
    for (const argument of command.registeredArguments) {
      assert.ok(help.includes(`${argument.name()} ${argument.description}`), `${argument.name()} is missing`);
      assert.notEqual(argument.description, '');
    }
    for (const inner of command.commands) assert.ok(help.includes(` ${inner.name()} ${inner.summary()}`), inner.name());
    assert.notEqual(command.summary() || command.description(), '');
  });
}

/** Flags that have no value when they are not given, and say so by what they are. */
const withoutDefault = new Set([
  '--code',
  '--file',
  '--url',
  '--delete',
  '--http-port',
  '--sse-port',
  '--allowed-hosts',
  '--auth-token',
  '--session-id',
]);

for (const command of leavesOf(program)) {
  const path = pathOf(command);

  test(`${path} --help has the default of every flag with a value, and the range of every number`, () => {
    for (const option of command.options.filter((one) => one.required || one.optional)) {
      if (!option.mandatory && !withoutDefault.has(option.long ?? '')) assert.ok(hasDefault(option), option.flags);
      const number = /<(count|mb|ms|seconds|lines|port|index|sequence|number)>/.test(option.flags);
      if (number)
        assert.match(
          option.description,
          /\d+ to \d+|at least \d|any number|with this number|smaller number|from 0/,
          option.flags,
        );
    }
  });

  test(`${path} --help has its exit codes`, () => {
    if (!['cay completion'].includes(path)) assert.match(helpOf(command), /Exit codes: 0 /);
  });

  test(`${path} prints JSON when asked`, () => {
    const said = command.options.some(({ long }) => long === '--json');
    const speaksOtherwise = ['cay serve', 'cay completion'].includes(path); // MCP and logs; a script
    assert.equal(said, !speaksOtherwise);
  });
}

function hasDefault({ description, defaultValue }: Option): boolean {
  return defaultValue !== undefined || /\(default: |after the one|with a smaller/.test(description);
}

test('cay --help ends with the exit codes', async () => {
  const { code, stdout, stderr } = await cay(['--help']);
  assert.deepEqual([code, stderr], [0, '']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .slice(-exitCodeTexts.length - 1);
  assert.equal(lines[0], 'Exit codes:');
  assert.deepEqual(
    exitCodeTexts.map(([number]) => String(number)),
    lines.slice(1).map((line) => line.trim().split(/\s/)[0]),
  );
});

test('help is the same for `cay help NAME` and `cay NAME --help`', async () => {
  assert.deepEqual(await cay(['help', 'exec']), await cay(['exec', '--help']));
  assert.deepEqual(await cay(['help', 'runtime', 'query']), await cay(['runtime', 'query', '--help']));
  assert.deepEqual(await cay(['help']), await cay(['--help']));
});

describe('help for a command that there is not', { concurrency: 3 }, () => {
  const near = "cay: unknown command 'exce'\n(Did you mean exec?)\nSee `cay --help`.\n";
  const inside = "cay: unknown command 'qeury'\n(Did you mean query?)\nSee `cay runtime --help`.\n";
  const said: readonly (readonly [args: readonly string[], message: string])[] = [
    [['help', 'exce'], near],
    [['exce', '--help'], near],
    [['help', 'runtime', 'qeury'], inside],
    [['runtime', 'help', 'qeury'], inside],
    [['runtime', 'qeury', '--help'], inside],
    [['help', 'zzzzzzzz'], "cay: unknown command 'zzzzzzzz'\nSee `cay --help`.\n"],
  ];
  for (const [args, message] of said) {
    test(`cay ${args.join(' ')}`, async () => {
      assert.deepEqual(await cay(args), { code: 2, stdout: '', stderr: message });
    });
  }

  test('on a terminal', async (t) => {
    const shown = cayOnTerminal(t, ['help', 'exce']);
    assert.equal((await shown.ended).code, 2);
    assert.equal(shown.text.replaceAll('\r\n', '\n'), near);
  });
});
