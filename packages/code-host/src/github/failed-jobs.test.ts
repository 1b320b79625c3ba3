import type { BuildCheck, FailedJob } from '@sluice/core/code-host';
import { isSoakRun, localHosts, scriptedHosts } from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';
import { quickPace, startScriptedHost } from '../../test/scripted-host.ts';
import { readLogTail } from '../client/log-tail.ts';
import { createCodeHost } from './create-code-host.ts';

const REPO = 'ada/engine';
const scanner = { id: 7, slug: 'scanner' };

async function openJobBench() {
  const bench = await openHostBench();
  const { there, host, ada } = bench;
  const { builders } = there;
  const commit = await there.push(REPO, { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  const built = { commit, branch: 'sluice/1' };
  const run = builders.startWorkflow(REPO, { ...built, name: 'CI' });
  const failed = async (): Promise<readonly BuildCheck[]> => {
    const { checks } = await host.build(ada, REPO, { commit, baseBranch: 'main' });
    return checks.filter(({ state, source }) => state === 'failure' && source !== 'workflow');
  };
  const read = async () => host.failedJobs(ada, REPO, await failed());
  return Object.assign(bench, {
    built,
    failed,
    read,
    job: (name: string, end: Partial<Parameters<typeof builders.endCheck>[2]> = {}) => {
      const id = builders.startJob(REPO, { run, name });
      builders.endCheck(REPO, id, { conclusion: 'failure', ...end });
      return id;
    },
    only: async (): Promise<FailedJob> => {
      const [first, ...more] = await read();
      if (first === undefined || more.length > 0) throw new Error('There is more than one failed job, or none.');
      return first;
    },
  });
}

describe('a failed job', () => {
  it('is described by its report, its annotations and the end of its log, as text alone', async () => {
    await using bench = await openJobBench();
    const annotations = [
      { path: 'src/sum.ts', line: 3, level: 'failure', message: 'expected \u001b[31m6\u001b[0m, got 3' },
      { path: 'src/sum.ts', line: 9, level: 'warning', message: 'unused' },
    ] as const;
    const text = 'ok 1\r\n\u001b[31mnot ok 2\u001b[0m\u0000\u0007\nkey AKIAABCDEFGHIJKLMNOP\n\u001b]0;title\u0007end\n';
    bench.job('test', { summary: '1 of 2 \u001b[1mfailed\u001b[0m.', annotations, log: { text } });
    const told = await bench.only();
    expect(told).toMatchObject({
      check: { name: 'test' },
      report: '1 of 2 failed.',
      annotations: [
        { path: 'src/sum.ts', startLine: 3, endLine: 3, level: 'failure', message: 'expected 6, got 3', title: null },
        { path: 'src/sum.ts', startLine: 9, level: 'warning' },
      ],
      log: { tail: 'ok 1\nnot ok 2\nkey [an AWS access key]\nend', truncated: false },
    });
  });

  it('has its log read at the other host once, without the token', async () => {
    await using bench = await openJobBench();
    const { there } = bench;
    bench.job('test', { log: { text: 'end\n' } });
    expect((await bench.only()).log?.tail).toBe('end');
    expect(there.logs.requests).toHaveLength(1);
    const sent = JSON.stringify(there.logs.requests);
    for (const secret of there.secrets()) expect(sent).not.toContain(secret);
    expect(Object.keys(there.logs.requests[0]?.headers ?? {}).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it('has only the end of a long log, from the beginning of a line', async () => {
    await using bench = await openJobBench();
    bench.job('test', { log: { text: 'the failure\n', bytes: 8_000_000 } });
    const { log } = await bench.only();
    expect(log?.truncated).toBe(true);
    expect(log?.tail.length).toBeLessThanOrEqual(200 * 1024);
    expect(log?.tail.length).toBeGreaterThan(190 * 1024);
    expect(log?.tail.startsWith('2026-11-27T08:00:00')).toBe(true);
    expect(log?.tail.endsWith('the failure')).toBe(true);
  });

  it('has no log where it has expired, is gone, or stalls', async () => {
    await using bench = await openJobBench();
    const { there, clock, ada } = bench;
    const id = bench.job('test', { log: { text: 'end\n' } });
    const checks = await bench.failed();
    const patient = { requestMs: 20_000, callMs: 20_000, logMs: 100 };
    const options = {
      webUrl: new URL(there.url),
      apiUrl: new URL(there.apiUrl),
      clock,
      hosts: localHosts,
      userAgent: 'sluice-test',
    };
    const host = createCodeHost({ ...options, pace: quickPace, timeouts: patient });
    there.logs.stall(true);
    expect((await host.failedJobs(ada, REPO, checks))[0]?.log).toBeNull();
    there.logs.stall(false);
    there.logs.moveTo(`${there.logs.url}/logs/none`);
    expect((await bench.only()).log).toBeNull();
    there.builders.expireLog(REPO, id);
    expect(await bench.only()).toMatchObject({ check: { name: 'test' }, log: null });
  });

  it('has a log at the API itself read without the token too', async () => {
    await using bench = await openJobBench();
    const { there } = bench;
    bench.job('test', { log: { text: 'end\n' } });
    there.logs.moveTo(`${there.apiUrl}/user`);
    expect((await bench.only()).log).toBeNull();
    expect(there.requests.at(-1)).toMatchObject({ path: '/user', tokenOwner: null, status: 403 });
  });

  it('has no log read by plain HTTP when the API has HTTPS', async () => {
    await using bench = await openJobBench();
    bench.job('test', { log: { text: 'end\n' } });
    await bench.only();
    const url = new URL(`${bench.there.logs.url}${bench.there.logs.requests[0]?.path}`);
    const read = (api: string) =>
      readLogTail({
        url,
        host: { web: 'http://127.0.0.1', api: new URL(api) },
        hosts: localHosts,
        signal: AbortSignal.timeout(10_000),
      });
    expect(await read('http://127.0.0.1')).not.toBeNull();
    expect(await read('https://127.0.0.1')).toBeNull();
  });

  it('has no log read at another host whose name leads into our own network, or nowhere', async () => {
    await using inside = await startScriptedHost((_, response) => response.end('secret'));
    const url = new URL(`http://logs.example:${inside.url.port}/log`);
    const host = { web: 'http://127.0.0.1', api: new URL('http://127.0.0.1') };
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '::1'], []]) {
      const hosts = scriptedHosts(() => addresses);
      expect(await readLogTail({ url, host, hosts, signal: AbortSignal.timeout(10_000) })).toBeNull();
    }
    expect(inside.seen).toEqual([]);
  });
});

describe('a failed job', () => {
  let bench: Awaited<ReturnType<typeof openJobBench>>;
  let id: number;
  beforeAll(async () => {
    bench = await openJobBench();
    id = bench.job('test', { log: { text: 'end\n' } });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it.each([
    'http://localhost:PORT/logs/ID',
    'http://[::1]:PORT/logs/ID',
    'http://10.0.0.1/logs/ID',
    'http://169.254.169.254/latest/meta-data',
    'https://192.168.1.1/logs/ID',
    'http://ada:secret@127.0.0.1:PORT/logs/ID',
    'ftp://127.0.0.1:PORT/logs/ID',
    'file:///etc/passwd',
  ])('has no log read at %s', async (address) => {
    const { there } = bench;
    const { port } = new URL(there.logs.url);
    there.logs.moveTo(address.replace('PORT', port).replace('ID', String(id)));
    expect((await bench.only()).log).toBeNull();
    expect(there.logs.requests).toEqual([]);
  });
});

it('reads the report and annotations of another app, and asks for no log of it', async () => {
  await using bench = await openJobBench();
  const { there, built } = bench;
  const scan = there.builders.startCheck(REPO, { ...built, name: 'scan', app: scanner });
  there.builders.endCheck(REPO, scan, { conclusion: 'failure', summary: 'A secret was found.' });
  there.builders.setStatus(REPO, { ...built, context: 'cover', state: 'failure', description: '−2 %', by: 'ada' });
  const told = await bench.read();
  expect(told.map(({ check, report, log }) => [check.name, check.summary, report, log])).toEqual([
    ['scan', null, 'A secret was found.', null],
    ['cover', '−2 %', '−2 %', null],
  ]);
  expect(bench.asked().filter((asked) => asked.includes('/logs'))).toEqual([]);
});

it('reads ten jobs, and five logs, at most', async () => {
  await using bench = await openJobBench();
  for (let index = 0; index < 12; index += 1) bench.job(`test ${index}`, { log: { text: `end ${index}\n` } });
  const told = await bench.read();
  expect(told.map(({ log }) => log?.tail ?? null)).toEqual([
    ...['end 0', 'end 1', 'end 2', 'end 3', 'end 4'],
    ...Array.from({ length: 5 }, () => null),
  ]);
});

it.skipIf(!isSoakRun)('holds only the ends of five logs of 100 MB in memory', async () => {
  await using bench = await openJobBench();
  for (let index = 0; index < 5; index += 1) bench.job(`test ${index}`, { log: { text: 'end\n', bytes: 100_000_000 } });
  const checks = await bench.failed();
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  }, 2);
  const told = await bench.host.failedJobs(bench.ada, REPO, checks);
  clearInterval(sampling);
  expect(told.every(({ log }) => log?.tail.endsWith('\nend'))).toBe(true);
  // The logs have 500 MB; what was read and is not collected yet counts too.
  expect(peak).toBeLessThan(250_000_000);
});

it('fails when the host is unavailable, so that a job is not taken for one without a log', async () => {
  await using bench = await openJobBench();
  bench.job('test', { log: { text: 'end\n' } });
  const checks = await bench.failed();
  bench.there.arm({ on: /\/logs$/, fault: { kind: 'status', status: 502 }, times: 10 });
  await expect(bench.host.failedJobs(bench.ada, REPO, checks)).rejects.toMatchObject({ code: 'codehost_unavailable' });
});
