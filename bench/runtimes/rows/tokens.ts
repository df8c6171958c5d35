import { countTokens } from 'gpt-tokenizer';
import { httpClient } from '../../orchestration/shop-clients.ts';
import type { ServerBench } from '../../server/bench.ts';
import type { ServerSection } from '../../server/table.ts';
import { makeRepository, repoId } from '../repository.ts';
import { failingTests, testCount, writeTests } from '../test-run.ts';

const minimalShare = 0.05;
const execute = 'sdl_runtime_execute';
const run = { repoId, runtime: 'node', args: ['--test', '--test-reporter=spec'] };
const queryTerms = ['✖', 'failing tests'];
const mostExcerpts = 20;

/** What a model writes and reads for a run of tests, some of which fail, in each of the output modes. */
export async function tokens(bench: ServerBench): Promise<ServerSection> {
  const { folder, repository } = makeRepository(bench);
  writeTests(repository);
  const { served } = await bench.server([], folder);
  const client = await httpClient(served.url);

  async function call(name: string, given: Readonly<Record<string, unknown>>): Promise<Call> {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    if (isError === true) throw new Error(text);
    const written = countTokens(JSON.stringify({ name, arguments: given }));
    return { written, read: countTokens(text), text, answer: Object(structuredContent) };
  }

  const whole = await call(execute, { ...run, outputMode: 'summary', maxResponseLines: 1000 });
  const minimal = await call(execute, run);
  const query = await call('sdl_runtime_queryOutput', {
    artifactHandle: minimal.answer.artifactHandle,
    queryTerms,
    maxExcerpts: mostExcerpts,
  });
  const summary = await call(execute, { ...run, outputMode: 'summary' });
  const intent = await call(execute, { ...run, outputMode: 'intent', queryTerms });
  await client.close();
  for (const one of [whole, minimal, summary, intent]) checkRun(one);

  const output = countTokens(String(whole.answer.stdoutSummary) + String(whole.answer.stderrSummary));
  const row = (label: string, ...calls: readonly Call[]) => {
    const written = calls.reduce((sum, one) => sum + one.written, 0);
    const read = calls.reduce((sum, one) => sum + one.read, 0);
    const named = failingTests.filter((name) => calls.some(({ text }) => text.includes(name))).length;
    return { label, values: [written, read, (read / output) * 100, named] };
  };
  const share = minimal.read / output;
  return {
    title: `a run of ${testCount} tests of which ${failingTests.length} fail: tokens of a model`,
    columns: ['written', 'read', '% of output', 'failures'],
    rows: [
      { label: 'its output, pasted', values: [null, output, 100, failingTests.length] },
      row('minimal', minimal),
      row('minimal, then queryOutput', minimal, query),
      row('intent', intent),
      row('summary of 100 lines', summary),
    ],
    targets: [
      {
        label: 'minimal, to the output',
        measured: `${minimal.read} / ${output} = ${(share * 100).toFixed(1)} %`,
        limit: `at most ${minimalShare * 100} %`,
        met: share <= minimalShare,
      },
    ],
    notes: [`failures: how many of the failing tests the model has read the names of; terms: ${queryTerms.join(', ')}`],
  };
}

interface Call {
  readonly written: number;
  readonly read: number;
  readonly text: string;
  readonly answer: Readonly<Record<string, unknown>>;
}

function checkRun({ answer: { status, exitCode }, text }: Call): void {
  if (status !== 'failure' || exitCode !== 1) throw new Error(`Expected a run of tests with failures, got ${text}`);
}
