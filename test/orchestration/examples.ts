import type { Answer, CodeRequest } from './doors.ts';

/** An example or a table row of the document, and what it must give. */
export interface Example {
  readonly request: CodeRequest;
  readonly answer: Answer;
}

const ok = (value: unknown): Answer => ({ ok: true, value });

const failed = (code: string, message: string, more: { stack?: string; details?: string; calls?: number } = {}) => {
  const { stack = '', details, calls = 0 } = more;
  return {
    ok: false,
    error: { code, message, stack, ...(details === undefined ? {} : { details }) },
    calls_made: calls,
    logs: '',
  };
};

const notSerializable = 'Result contains non-JSON-serializable values (functions, circular references, etc.)';
const getUser = `var res = call_tool('github', 'get_user', {username: input.username});
if (res.ok) {
  return {
    name: res.result.name,
    repos: res.result.public_repos
  };
} else {
  return {
    error: 'Failed to get user: ' + res.error.message
  };
}`;

export const examples: Readonly<Record<string, Example>> = {
  'the basic request': {
    request: { code: '({ result: input.value * 2 })', input: { value: 21 } },
    answer: ok({ result: 42 }),
  },
  'the TypeScript request': {
    request: {
      code: "const x: number = 42; const msg: string = 'hello'; ({ result: x, message: msg })",
      language: 'typescript',
      input: {},
    },
    answer: ok({ result: 42, message: 'hello' }),
  },
  'the full request with options': {
    request: {
      code: "var res = call_tool('github', 'get_user', {username: input.username}); return res.ok ? res.result : {error: res.error};",
      input: { username: 'octocat' },
      options: { timeout_ms: 30_000, max_tool_calls: 10, allowed_servers: ['github', 'gitlab'] },
    },
    answer: ok({ name: 'The Octocat', public_repos: 8 }),
  },
  'input is an empty object when it is left out': { request: { code: 'input' }, answer: ok({}) },
  'input has what was given': {
    request: { code: '[input.username, input.limit]', input: { username: 'octocat', limit: 10 } },
    answer: ok(['octocat', 10]),
  },
  'call_tool gives what the tool gave': {
    request: { code: getUser, input: { username: 'octocat' } },
    answer: ok({ name: 'The Octocat', repos: 8 }),
  },
  'call_tool gives the error of the tool': {
    request: { code: getUser, input: { username: 'nobody' } },
    answer: ok({ error: 'Failed to get user: no user nobody' }),
  },
  'an error is an object with ok, message and code': {
    request: { code: "call_tool('github', 'get_user', {username: 'nobody'})" },
    answer: ok({ ok: false, error: { message: 'no user nobody', code: 'UPSTREAM_ERROR' } }),
  },
  'res.ok is false for a server that there is not': {
    request: { code: "var res = call_tool('server', 'tool', {arg: 'value'}); if (!res.ok) { return res.error.code }" },
    answer: ok('SERVER_NOT_FOUND'),
  },
  'one tool call as a whole script': {
    request: { code: "var r = call_tool('github','get_user',{username:input.user}); r", input: { user: 'octocat' } },
    answer: ok({ ok: true, result: { name: 'The Octocat', public_repos: 8 } }),
  },
  'the complex script': {
    request: {
      code: `const users = ['octocat', 'torvalds'];
const names = users
  .map(username => call_tool('github', 'get_user', {username}))
  .filter(res => res.ok)
  .map(res => res.result.name);
return {names};`,
    },
    answer: ok({ names: ['The Octocat', 'Linus Torvalds'] }),
  },
  'a simple calculation': {
    request: { code: '({sum: input.a + input.b})', input: { a: 5, b: 10 } },
    answer: ok({ sum: 15 }),
  },
  'a thrown error': {
    request: { code: "throw new Error('Test error')" },
    answer: failed('RUNTIME_ERROR', 'Error: Test error', { stack: 'Error: Test error\n    at <eval>:1:7' }),
  },
  SYNTAX_ERROR: {
    request: { code: 'var x = { missing bracket' },
    answer: failed('SYNTAX_ERROR', "SyntaxError: Unexpected identifier 'bracket'", { details: '<eval>:1:19' }),
  },
  RUNTIME_ERROR: {
    request: { code: 'var x = null; x.property' },
    answer: failed('RUNTIME_ERROR', "TypeError: Cannot read properties of null (reading 'property')", {
      stack: "TypeError: Cannot read properties of null (reading 'property')\n    at <eval>:1:17",
    }),
  },
  TIMEOUT: {
    request: { code: 'while(true) {}', options: { timeout_ms: 1000 } },
    answer: failed('TIMEOUT', 'JavaScript execution timed out'),
  },
  MAX_TOOL_CALLS_EXCEEDED: {
    request: { code: "for(var i=0;i<10;i++){call_tool('api','ping',{})}", options: { max_tool_calls: 5 } },
    answer: failed('MAX_TOOL_CALLS_EXCEEDED', 'Exceeded maximum tool calls limit (5)', { calls: 5 }),
  },
  SERVER_NOT_ALLOWED: {
    request: {
      code: "call_tool('gitlab', 'get_user', {username: 'test'})",
      options: { allowed_servers: ['github'] },
    },
    answer: failed('SERVER_NOT_ALLOWED', "Server 'gitlab' is not in the allowed servers list"),
  },
  SERIALIZATION_ERROR: {
    request: { code: '({fn: function() { return 42; }})' },
    answer: failed('SERIALIZATION_ERROR', notSerializable, { details: 'value.fn is a function: return its result' }),
  },
};

/** Rows that need no tool, by what the code gives. */
export const expressions: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  false: false,
  '42': 42,
  "'text'": 'text',
  '[1, 2, 3]': [1, 2, 3],
  '["a", "b"]': ['a', 'b'],
  '({key: "value"})': { key: 'value' },
  '({nested: {object: true}})': { nested: { object: true } },
  'Object.keys({a: 1, b: 2})': ['a', 'b'],
  'Object.create({a: 1}).a': 1,
  "var o = {}; Object.defineProperty(o, 'x', {value: 5}); o.x": 5,
  'Array.isArray([])': true,
  '[1, 2, 3].map(x => x * 2).filter(x => x > 2).reduce((a, b) => a + b)': 10,
  'var n = 0; [1, 2].forEach(x => { n += x }); n': 3,
  "' a-b '.trim().split('-')": ['a', 'b'],
  "'text'.indexOf('x')": 2,
  "'text'.substring(1, 3)": 'ex',
  '[Math.round(1.5), Math.floor(1.9), Math.max(1, 2)]': [2, 1, 2],
  'Math.random() < 1': true,
  'new Date(0).getTime()': 0,
  'Date.now() > 1.6e12': true,
  'new Date(0).toISOString()': '1970-01-01T00:00:00.000Z',
  'JSON.parse(JSON.stringify({a: [1]}))': { a: [1] },
  "console.log('for debugging'); 1": 1,
  "parseInt('42', 10)": 42,
  "parseFloat('3.14')": 3.14,
  '(42).toString()': '42',
  '(3.14159).toFixed(2)': '3.14',
  "[Boolean(''), !!'x']": [false, true],
  "var value = []; typeof value === 'object' && value !== null": true,
  'const {a, ...rest} = {a: 1, b: 2, c: 3}; [a ?? 0, rest?.b]': [1, 2],
  'await Promise.resolve(7)': 7,
};

/** What `typeof` says `undefined` to. */
export const absent: readonly string[] = [
  'require',
  'module',
  'exports',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'queueMicrotask',
  'fetch',
  'Headers',
  'Response',
  'XMLHttpRequest',
  'WebSocket',
  'http',
  'https',
  'fs',
  'process',
  'Buffer',
  'ReadableStream',
  'Stream',
  'URL',
  'AbortSignal',
  'structuredClone',
  'performance',
  'crypto',
  'WebAssembly',
];
