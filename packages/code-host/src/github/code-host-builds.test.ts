import { buildVerdict } from '@sluice/core';
import { describe, expect, it } from 'vitest';
import { openHostBench } from '../../test/host-bench.ts';

const REPO = 'ada/engine';
const ACTIONS = { id: 15368, slug: 'github-actions' };
const scanner = { id: 7, slug: 'scanner' };

async function openBuildBench() {
  const bench = await openHostBench();
  const { there, host, ada, clock } = bench;
  const { builders } = there;
  const commit = await there.push(REPO, { by: 'ada', branch: 'sluice/1', files: { 'a.txt': 'a' } });
  const built = { commit, branch: 'sluice/1' };
  const read = () => host.build(ada, REPO, { commit, baseBranch: 'main' });
  return Object.assign(bench, {
    built,
    read,
    verdict: async () => buildVerdict(await read(), commit),
    /** States by source and name. */
    states: async () =>
      Object.fromEntries((await read()).checks.map((one) => [`${one.source} ${one.name}`, one.state])),
    start: (name: string, event = 'pull_request') => builders.startWorkflow(REPO, { ...built, name, event }),
    job: (run: number, name: string, conclusion: 'success' | 'failure' | 'cancelled' | null = null) => {
      clock.advance(1_000);
      const id = builders.startJob(REPO, { run, name });
      clock.advance(1_000);
      if (conclusion !== null) builders.endCheck(REPO, id, { conclusion });
      return id;
    },
    end: (run: number, conclusion: 'success' | 'failure' | 'cancelled' | 'startup_failure') =>
      builders.endWorkflow(REPO, run, conclusion),
  });
}

describe('the build of a commit', () => {
  it('consists of checks, statuses and runs of workflows, with what the base requires', async () => {
    await using bench = await openBuildBench();
    const { there, built, clock } = bench;
    const { builders } = there;
    builders.require(REPO, { branch: 'main', context: 'test', app: ACTIONS, by: 'rules' });
    builders.require(REPO, { branch: 'main', context: 'coverage', by: 'protection' });
    builders.require(REPO, { branch: 'main', context: 'never reported', by: 'protection' });
    builders.require(REPO, { branch: 'develop', context: 'lint', by: 'rules' });
    const run = bench.start('CI');
    const startedAt = new Date(clock.now().getTime() + 1_000);
    const job = bench.job(run, 'test', 'failure');
    const scan = builders.startCheck(REPO, { ...built, name: 'scan', app: scanner });
    builders.setStatus(REPO, { ...built, context: 'coverage', state: 'pending', by: 'ada' });
    const last = builders.setStatus(REPO, { ...built, context: 'coverage', state: 'success', by: 'ada' });
    bench.end(run, 'failure');
    const build = await bench.read();
    expect(build).toMatchObject({ ...{ commit: built.commit, complete: true } });
    expect(build.required).toEqual(['test', 'coverage', 'never reported']);
    expect(build.checks).toHaveLength(4);
    const page = `${there.url}/${REPO}/runs/${job}`;
    const test = { id: `check-${job}`, source: 'check', state: 'failure', required: true, partOf: `workflow-${run}` };
    expect(build.checks).toContainEqual(
      expect.objectContaining({ ...test, url: page, startedAt, completedAt: new Date(startedAt.getTime() + 1_000) }),
    );
    for (const part of [
      { id: `check-${scan}`, name: 'scan', state: 'pending', required: false, partOf: null, completedAt: null },
      { id: `status-${last}`, name: 'coverage', source: 'status', state: 'success', required: true, url: null },
      { id: `workflow-${run}`, name: 'CI', source: 'workflow', state: 'failure', required: false },
    ]) {
      expect(build.checks).toContainEqual(expect.objectContaining(part));
    }
  });

  it('has the newest attempt of each job, and waits for one that has begun', async () => {
    await using bench = await openBuildBench();
    const { there, verdict } = bench;
    const run = bench.start('CI');
    bench.job(run, 'lint', 'success');
    bench.job(run, 'test', 'failure');
    bench.end(run, 'failure');
    expect((await verdict()).state).toBe('failure');
    there.builders.rerun(REPO, run);
    expect(await bench.states()).toEqual({
      'check lint': 'success',
      'check test': 'pending',
      'workflow CI': 'pending',
    });
    bench.job(run, 'test', 'success');
    bench.end(run, 'success');
    expect((await verdict()).state).toBe('success');
  });

  it('is pending while a required job that failed is being repeated', async () => {
    await using bench = await openBuildBench();
    const { there, verdict } = bench;
    there.builders.require(REPO, { branch: 'main', context: 'test', by: 'rules' });
    const run = bench.start('CI');
    bench.job(run, 'test', 'failure');
    bench.end(run, 'failure');
    expect((await verdict()).state).toBe('failure');
    there.builders.rerun(REPO, run);
    expect((await verdict()).state).toBe('pending');
  });

  it('ignores a run that another one superseded, with its jobs, but not one for another event', async () => {
    await using bench = await openBuildBench();
    const first = bench.start('CI');
    bench.job(first, 'test', 'failure');
    bench.job(first, 'only here', 'cancelled');
    bench.end(first, 'cancelled');
    const second = bench.start('CI');
    bench.job(second, 'test', 'success');
    bench.end(second, 'success');
    expect(await bench.states()).toEqual({ 'check test': 'success', 'workflow CI': 'success' });
    const onPush = bench.start('CI', 'push');
    bench.job(onPush, 'test', 'failure');
    bench.end(onPush, 'failure');
    expect(await bench.verdict()).toMatchObject({
      state: 'failure',
      failed: [{ name: 'test', partOf: `workflow-${onPush}` }],
    });
  });

  it('names a run that could not start', async () => {
    await using bench = await openBuildBench();
    const run = bench.start('CI');
    bench.end(run, 'startup_failure');
    expect(await bench.verdict()).toMatchObject({ state: 'failure', failed: [{ id: `workflow-${run}` }] });
  });

  it('takes a check for the required one only from the required app', async () => {
    await using bench = await openBuildBench();
    const { there, built, verdict } = bench;
    there.builders.require(REPO, { branch: 'main', context: 'test', app: ACTIONS, by: 'protection' });
    const forged = there.builders.startCheck(REPO, { ...built, name: 'test', app: scanner });
    there.builders.endCheck(REPO, forged, { conclusion: 'success' });
    expect(await verdict()).toMatchObject({ state: 'pending', missing: ['test'] });
    bench.job(bench.start('CI'), 'test', 'failure');
    expect((await verdict()).state).toBe('failure');
  });

  it('requires a workflow by its path, with its jobs, also before it has run', async () => {
    await using bench = await openBuildBench();
    const { there, verdict } = bench;
    there.builders.require(REPO, { branch: 'main', context: '.github/workflows/ci.yml', by: 'workflow' });
    expect(await verdict()).toMatchObject({ state: 'pending', missing: ['.github/workflows/ci.yml'] });
    const run = bench.start('CI');
    bench.job(run, 'test', 'failure');
    expect(await verdict()).toMatchObject({ state: 'pending', missing: [], failed: [{ name: 'test' }] });
    bench.end(run, 'failure');
    expect(await verdict()).toMatchObject({ state: 'failure', failed: [{ name: 'test' }] });
  });

  it('says that it is unknown what is required when the host does not tell', async () => {
    await using bench = await openBuildBench();
    const { there, read } = bench;
    there.builders.require(REPO, { branch: 'main', context: 'test', by: 'protection' });
    const untold = { fault: { kind: 'status', status: 403 }, times: Number.POSITIVE_INFINITY } as const;
    const rules = there.arm({ on: 'GET /repos/:owner/:repo/rules/branches/:branch', ...untold });
    expect((await read()).required).toEqual(['test']);
    there.arm({ on: 'GET /repos/:owner/:repo/branches/:branch', ...untold });
    expect((await read()).required).toBeNull();
    rules.lift();
    expect((await read()).required).toEqual([]);
  });

  it('does without runs of workflows where the host has none', async () => {
    await using bench = await openBuildBench();
    const { there, built } = bench;
    there.arm({ on: 'GET /repos/:owner/:repo/actions/runs', fault: { kind: 'status', status: 404 } });
    there.builders.setStatus(REPO, { ...built, context: 'ci', state: 'error' as const, by: 'ada' });
    expect(await bench.states()).toEqual({ 'status ci': 'failure' });
  });

  it('fails as a whole while the host is unavailable, so that nothing is taken for green', async () => {
    await using bench = await openBuildBench();
    bench.there.arm({ on: /\/status$/, fault: { kind: 'status', status: 502 }, times: 10 });
    await expect(bench.read()).rejects.toMatchObject({ code: 'codehost_unavailable' });
  });

  it('is read from several pages, and tells when there are more checks than it has read', async () => {
    await using bench = await openBuildBench();
    const { there, built, read } = bench;
    const add = (count: number) => {
      for (let index = 0; index < count; index += 1) {
        there.builders.startCheck(REPO, { ...built, name: `scan ${there.requests.length} ${index}`, app: scanner });
      }
    };
    add(230);
    expect(await read()).toMatchObject({ complete: true, checks: { length: 230 } });
    add(800);
    expect(await read()).toMatchObject({ complete: false, checks: { length: 1_000 } });
  });

  it('costs no quota to read again while nothing has changed', async () => {
    await using bench = await openBuildBench();
    const run = bench.start('CI');
    const first = await bench.read();
    bench.asked();
    expect(await bench.read()).toEqual(first);
    expect(bench.asked().map((asked) => asked.slice(-3))).toEqual(['304', '304', '304', '304', '304']);
    bench.job(run, 'test', 'failure');
    expect((await bench.read()).checks).toHaveLength(2);
  });
});

it('reads the tip of a branch, and null where there is none', async () => {
  await using bench = await openBuildBench();
  const { host, ada, built } = bench;
  expect(await host.branchHead(ada, REPO, built.branch)).toBe(built.commit);
  expect(await host.branchHead(ada, REPO, 'sluice/2')).toBeNull();
});
