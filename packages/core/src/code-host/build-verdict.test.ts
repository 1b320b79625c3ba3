import { describe, expect, it } from 'vitest';
import { buildVerdict } from './build-verdict.ts';
import { type BuildCheck, buildCheckStates, type HostedBuild } from './hosted-build.ts';

const HEAD = 'a'.repeat(40);

function check(name: string, state: BuildCheck['state'], more: Partial<BuildCheck> = {}): BuildCheck {
  const times = { summary: null, startedAt: null, completedAt: null };
  return {
    id: `check-${name}`,
    name,
    source: 'check',
    state,
    required: false,
    partOf: null,
    url: null,
    ...times,
    ...more,
  };
}

function build(checks: readonly BuildCheck[], more: Partial<HostedBuild> = {}): HostedBuild {
  const required = checks.filter((one) => one.required).map(({ name }) => name);
  return { commit: HEAD, checks, required, complete: true, ...more };
}

const stateOf = (of: HostedBuild, head = HEAD) => buildVerdict(of, head).state;
const needed = { required: true };

describe('the verdict on a build', () => {
  it('is none when nothing is reported and nothing is required', () => {
    expect(buildVerdict(build([]), HEAD)).toEqual({ state: 'none', failed: [], optionalFailed: [], missing: [] });
    expect(stateOf(build([], { required: null }))).toBe('none');
  });

  it.each([
    ['pending', 'pending'],
    ['success', 'success'],
    ['neutral', 'success'],
    ['skipped', 'success'],
    ['failure', 'failure'],
    ['cancelled', 'cancelled'],
    ['stale', 'cancelled'],
  ] as const)('of one check that is %s is %s, required or not', (state, verdict) => {
    expect(stateOf(build([check('test', state)]))).toBe(verdict);
    expect(stateOf(build([check('test', state, needed)]))).toBe(verdict);
    expect(stateOf(build([check('test', state)], { required: null }))).toBe(verdict);
  });

  it('waits for all checks that count, and names the failed ones at once', () => {
    const failed = check('lint', 'failure');
    const waiting = build([failed, check('test', 'pending')]);
    expect(buildVerdict(waiting, HEAD)).toMatchObject({ state: 'pending', failed: [failed] });
    expect(stateOf(build([failed, check('test', 'success')]))).toBe('failure');
  });

  it('is failure when checks were cancelled because another one failed', () => {
    const failed = check('test (1)', 'failure');
    const verdict = buildVerdict(build([failed, check('test (2)', 'cancelled'), check('lint', 'success')]), HEAD);
    expect(verdict).toMatchObject({ state: 'failure', failed: [failed] });
  });

  it('counts only required checks where some are required', () => {
    const optional = check('nightly', 'failure');
    const passed = build([check('test', 'success', needed), optional, check('slow', 'pending')]);
    expect(buildVerdict(passed, HEAD)).toEqual({
      state: 'success',
      failed: [],
      optionalFailed: [optional],
      missing: [],
    });
    const failed = check('test', 'failure', needed);
    expect(buildVerdict(build([failed, check('lint', 'success')]), HEAD)).toMatchObject({
      state: 'failure',
      failed: [failed],
      optionalFailed: [],
    });
  });

  it('counts all checks where it is not known which are required', () => {
    const failed = check('nightly', 'failure');
    const verdict = buildVerdict(build([check('test', 'success'), failed], { required: null }), HEAD);
    expect(verdict).toMatchObject({ state: 'failure', failed: [failed] });
  });

  it('is pending while a required check is not reported, whatever the others are', () => {
    const some = build([check('test', 'success', needed), check('lint', 'failure')], { required: ['test', 'deploy'] });
    expect(buildVerdict(some, HEAD)).toMatchObject({ state: 'pending', missing: ['deploy'], failed: [] });
    expect(stateOf(build([], { required: ['test'] }))).toBe('pending');
    // A check of that name which does not come from the required app.
    expect(stateOf(build([check('test', 'success')], { required: ['test'] }))).toBe('pending');
  });

  it('is pending when there are more checks than were read', () => {
    expect(stateOf(build([check('test', 'success')], { complete: false }))).toBe('pending');
  });

  it('takes a required name from every source, and all of them count', () => {
    const both = [
      check('test', 'success', needed),
      check('test', 'failure', { ...needed, id: 'status-1', source: 'status' }),
    ];
    expect(buildVerdict(build(both), HEAD).failed.map(({ id }) => id)).toEqual(['status-1']);
  });

  it('names a failed run of a workflow only when none of its jobs failed', () => {
    const run = check('CI', 'failure', { id: 'workflow-5', source: 'workflow' });
    const job = check('test', 'failure', { partOf: 'workflow-5' });
    const passed = check('lint', 'success', { partOf: 'workflow-5' });
    expect(buildVerdict(build([run, job, passed]), HEAD).failed).toEqual([job]);
    expect(buildVerdict(build([run, passed]), HEAD).failed).toEqual([run]);
    const required = { ...job, required: true };
    expect(buildVerdict(build([run, required]), HEAD)).toMatchObject({ failed: [required], optionalFailed: [] });
  });

  it('waits for a run whose next job is not reported yet', () => {
    const run = check('CI', 'pending', { id: 'workflow-5', source: 'workflow' });
    expect(stateOf(build([run, check('compile', 'success', { partOf: run.id })]))).toBe('pending');
  });

  it('is stale for any commit but the head, whatever its checks are', () => {
    for (const state of buildCheckStates) expect(stateOf(build([check('test', state)]), 'b'.repeat(40))).toBe('stale');
    expect(stateOf(build([]), 'b'.repeat(40))).toBe('stale');
  });
});
