import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactionOf } from '../../src/upstreams/redaction.ts';
import { open } from './opened.ts';
import { toolbox } from './servers/configuration.ts';
import { startHttpToolbox } from './servers/http-toolbox.ts';

const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

test('a missing variable stops its server alone, and is named', async (t) => {
  const { call, status, log } = open(t, {
    github: { ...toolbox(), env: { GITHUB_TOKEN: '${MY_GITHUB_TOKEN}' } },
    web: { url: 'https://${MY_HOST}/mcp', headers: { Authorization: 'Bearer ${MY_GITHUB_TOKEN}' } },
    good: toolbox(),
  });
  const reason = 'mcpServers.github.env.GITHUB_TOKEN needs the environment variable MY_GITHUB_TOKEN, which is not set';
  assert.equal(status('github').state, 'failed');
  assert.equal(status('github').lastError, reason);
  assert.match(status('web').lastError ?? '', /headers\.Authorization .* MY_GITHUB_TOKEN, .*url .* MY_HOST, /s);
  await assert.rejects(call('github', 'add'), {
    code: 'upstream_error',
    message: `Server 'github' is not connected: ${reason}`,
  });
  assert.deepEqual(await call('good', 'add', { a: 1, b: 2 }), { sum: 3 });
  assert.match(log(), /MY_GITHUB_TOKEN, which is not set/);
});

test('variables are filled in everywhere, also with a default and in the words of other clients', async (t) => {
  const { command, args } = toolbox();
  const environment = { NODE: command, FOLDER: process.cwd(), VALUE: '${NODE} is not looked at again' };
  const { text, call } = open(
    t,
    {
      box: {
        command: '${NODE}',
        args,
        cwd: '${FOLDER}',
        env: { A: 'a ${VALUE} z', B: '${env:FOLDER}', C: '${NOT_SET:-otherwise}', D: '$HOME ${1} ${} $${' },
      },
    },
    { environment },
  );
  assert.equal(await text('box', 'env', { name: 'A' }), 'a ${NODE} is not looked at again z');
  assert.equal(await text('box', 'env', { name: 'B' }), process.cwd());
  assert.equal(await text('box', 'env', { name: 'C' }), 'otherwise');
  assert.equal(await text('box', 'env', { name: 'D' }), '$HOME ${1} ${} $${');
  assert.equal((await call('box', 'where')).cwd, process.cwd());
});

test('a process gets little of our environment, and what the configuration says', async (t) => {
  const environment = { HOME: '/home/someone', SECRET_OF_OURS: 'x', AWS_SECRET_ACCESS_KEY: 'y', CAY_AUTH_TOKEN: 'z' };
  const { call } = open(t, { box: { ...toolbox(), env: { OWN: '1' } } }, { environment });
  const { names } = await call('box', 'env_names');
  assert.deepEqual(Object(names).sort(), ['HOME', 'OWN', 'PATH']);
});

test('no secret is in the log, the status or an error, whatever the server does with it', async (t) => {
  const { text, call, log, status, upstreams } = open(
    t,
    { box: { ...toolbox(), env: { API_TOKEN: '${TOKEN}', REGION: 'eu-north-1a', PIN: '12345' } } },
    { environment: { TOKEN: secret } },
  );
  await call('box', 'print_error', {
    line: `I was given ${secret} and eu-north-1a, ${encodeURIComponent(`${secret}/`)}`,
  });
  const failed = await upstreams.call({
    server: 'box',
    tool: 'fail',
    args: { message: `bad ${secret}!` },
    signal: t.signal,
  });
  assert.deepEqual(failed.content, [{ type: 'text', text: 'bad [redacted]!' }]);
  await assert.rejects(
    call('box', 'throws', { message: `bad ${secret}` }),
    /refused the call of 'throws': .*bad \[redacted\]$/,
  );
  assert.equal(await text('box', 'env', { name: 'API_TOKEN' }), '[redacted]', 'nor does code learn it');
  assert.deepEqual(await call('box', 'echo', { deep: [{ [secret]: `x${secret}` }] }), {
    deep: [{ '[redacted]': 'x[redacted]' }],
  });
  assert.equal(await text('box', 'env', { name: 'REGION' }), 'eu-north-1a', 'what is no secret is data');
  assert.equal(await text('box', 'env', { name: 'PIN' }), '12345', 'what is that short is not looked for');
  await call('box', 'crash').catch(() => {});
  assert.match(status('box').lastError ?? '', /I was given \[redacted\] and \[redacted\]/);
  assert.match(log(), /I was given \[redacted\] and \[redacted\]/);
  assert.doesNotMatch(log() + JSON.stringify(upstreams.status()), new RegExp(secret));
});

test('no secret is in what is said about an HTTP server that refuses it', async (t) => {
  const web = await startHttpToolbox({ token: 'another-one' });
  t.after(() => web.close());
  const { status, becomes, log, call } = open(t, {
    web: { url: `${web.url}?api_key=${secret}`, headers: { Authorization: `Bearer b-${secret}` } },
  });
  await becomes('web', 'waiting');
  assert.match(status('web').lastError ?? '', /^HTTP 401 .*not with \[redacted\]$/);
  await assert.rejects(call('web', 'add'), /^CayError: Server 'web' is not connected: HTTP 401 Unauthorized/);
  assert.doesNotMatch(log(), new RegExp(secret));
});

test('what is taken out is the longest that fits, in each way that it may be written', () => {
  const redaction = redactionOf([
    { text: 'secret-one', certain: true },
    { text: 'secret-one-and-more', certain: true },
    { text: 'a "quoted" värde', certain: true },
    { text: '-----BEGIN KEY-----\nline-number-2\nend', certain: true },
    { text: 'somewhere', certain: false },
  ]);
  assert.equal(redaction.text('secret-one-and-more, secret-one'), '[redacted], [redacted]');
  assert.equal(redaction.text(JSON.stringify('a "quoted" värde')), '"[redacted]"');
  assert.equal(redaction.text(encodeURIComponent('a "quoted" värde')), '[redacted]');
  assert.equal(redaction.text('line-number-2'), '[redacted]');
  assert.equal(redaction.text('somewhere'), '[redacted]');
  const value = { a: ['somewhere', 1, null, true] };
  assert.equal(redaction.value(value), value);
  assert.deepEqual(redaction.value([{ a: 'x secret-one' }, 2]), [{ a: 'x [redacted]' }, 2]);
});
