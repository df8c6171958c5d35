// What a snippet may expect of the repository that it runs in.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { withRuntimes } from './server.ts';

const withServer = withRuntimes();

function write(repo: string, name: string, text: string): void {
  mkdirSync(dirname(join(repo, name)), { recursive: true });
  writeFileSync(join(repo, name), text);
}

test(
  'Python imports what is in the working directory, and leaves no byte code there',
  withServer(async ({ run, repo }) => {
    write(repo, 'app/greeting.py', "text = 'hello'");
    const { stdout } = await run({
      runtime: 'python',
      code: 'import greeting, os; print(greeting.text, os.listdir())',
      relativeCwd: 'app',
    });
    assert.equal(stdout, "hello ['greeting.py']\n");
  }),
);

test(
  "Node requires the repository's packages, and runs modules",
  withServer(async ({ run, repo }) => {
    write(repo, 'node_modules/greeting/index.js', "module.exports = 'hello';");
    const required = await run({ runtime: 'node', code: "console.log(require('greeting'))" });
    assert.equal(required.stdout, 'hello\n');
    const imported = await run({
      runtime: 'node',
      code: "import { sep } from 'node:path';\nawait 0; console.log(sep)",
    });
    assert.equal(imported.stdout, '/\n', imported.stderr);
  }),
);

test(
  "Go builds with the repository's own packages",
  withServer(async ({ run, repo }) => {
    write(repo, 'go/go.mod', 'module example.org/app\ngo 1.18\n');
    write(repo, 'go/greeting/greeting.go', 'package greeting\nconst Text = "hello"');
    const code = 'package main\nimport ("fmt"; "example.org/app/greeting")\nfunc main() { fmt.Println(greeting.Text) }';
    const { stdout, stderr } = await run({ runtime: 'go', code, relativeCwd: 'go' });
    assert.equal(stdout, 'hello\n', stderr);
  }),
);

test(
  'Java: the file is called after the public class, and the one with main is started',
  withServer(async ({ run }) => {
    const code = `
      package org.example;
      import java.util.*;
      public class Shown { static String text() { return "hello"; } }
      class Started { public static void main(String[] args) { System.out.println(Shown.text()); } }`;
    const { stdout, stderr } = await run({ runtime: 'java', code });
    assert.equal(stdout, 'hello\n', stderr);
  }),
);

test(
  'a job reads nothing from the keyboard, and its home and its temporary folder are its own and empty',
  withServer(async ({ run }) => {
    const code = 'read -r line || echo nothing to read; ls -A ~; touch ~/x $TMPDIR/x; ls -A ~ $TMPDIR | sort';
    for (let round = 0; round < 2; round++) {
      const { stdout } = await run({ code });
      assert.match(stdout, /^nothing to read\n/);
      assert.equal(stdout.match(/^x$/gm)?.length, 2);
    }
  }),
);

test(
  'code of a megabyte, and more arguments than the system takes',
  withServer(async ({ run }) => {
    const long = await run({ code: `${'# comment\n'.repeat(104_850)}echo at the end` });
    assert.equal(long.stdout, 'at the end\n');
    const { answer } = await run({ code: ':', args: ['x'.repeat(2 ** 18)] });
    assert.equal(answer.status, 'denied');
    assert.match(answer.policyDecision.deniedReasons.join(), /arguments are too long/);
  }),
);

test(
  'code and compiler share one time-out',
  withServer(async ({ run }) => {
    const code = '#include <regex>\n#include <unistd.h>\nint main() { sleep(60); }';
    const { answer } = await run({ runtime: 'cpp', code, timeoutMs: 4000 });
    assert.equal(answer.status, 'timeout');
    assert.ok(answer.durationMs >= 4000 && answer.durationMs < 10_000, `${answer.durationMs} ms`);
  }),
);
