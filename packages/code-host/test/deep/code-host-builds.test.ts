import { describe, expect, it } from 'vitest';
import { openBuildBench } from '../build-bench.ts';

// Usual way: packages/code-host/src/github/code-host-builds.test.ts

const REPO = 'ada/engine';
const scanner = { id: 7, slug: 'scanner' };

describe('the build of a commit', () => {
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

  it('names a run that could not start', async () => {
    await using bench = await openBuildBench();
    const run = bench.start('CI');
    bench.end(run, 'startup_failure');
    expect(await bench.verdict()).toMatchObject({ state: 'failure', failed: [{ id: `workflow-${run}` }] });
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
});
