import { describe, expect, it } from 'vitest';
import { openBuildBench } from '../../test/build-bench.ts';

const REPO = 'ada/engine';
const ACTIONS = { id: 15368, slug: 'github-actions' };
const scanner = { id: 7, slug: 'scanner' };

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

  it('fails as a whole while the host is unavailable, so that nothing is taken for green', async () => {
    await using bench = await openBuildBench();
    bench.there.arm({ on: /\/status$/, fault: { kind: 'status', status: 502 }, times: 10 });
    await expect(bench.read()).rejects.toMatchObject({ code: 'codehost_unavailable' });
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
