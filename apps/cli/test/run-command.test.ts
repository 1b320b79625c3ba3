import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleIssue } from '../src/local/sample-repo.ts';
import { type ContractProxy, startContractProxy } from './contract-proxy.ts';
import { itConformsToOpenApi } from './it-conforms-to-openapi.ts';
import { openLocalRuns } from './local-runs.ts';

let proxy: ContractProxy;

beforeAll(async () => {
  proxy = await startContractProxy();
});

afterAll(() => proxy?.[Symbol.asyncDispose]());

it('takes the sample issue to a tested branch, with JSON on stdout and progress on stderr', async () => {
  using runs = openLocalRuns(proxy);
  const { code, stdout, stderr } = await runs.sluice('demo', '--yes', '--json');
  expect(code, stderr).toBe(0);
  const issue = JSON.parse(stdout) as { status: string; result: { branch: string; tests: object } };
  expect(issue).toMatchObject({ status: 'completed', result: { tests: { base_exit_code: 1, verdict: 'green' } } });
  expect(stderr).toContain('not ok 2 - a discount takes its percentage off the line');
  expect(stderr).toContain('+  return Math.round(full * (1 - discountPercent / 100));');
  expect(stderr).not.toContain('\x1b');
  const [, look = ''] = /^See the result: {2}(.*)$/m.exec(stderr) ?? [];
  expect(execFileSync('sh', ['-c', look], { encoding: 'utf8' })).toContain(sampleIssue.title);
});

itConformsToOpenApi(() => proxy);
