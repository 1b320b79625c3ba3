import { BUILTIN_LABEL } from '@sluice/core/pipeline';
import { repoSettingsSchema } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeps } from '../src/execution/worker-deps.ts';
import { fakeHost } from './fake-host.ts';
import { type FakeCommand, testOutput } from './fake-sandbox.ts';
import { PLAN, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, tapCommands, type WorkerParts, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** TAP of the tests that fail, in a run that knows how often the command ran before and what is in the tree. */
function failingTests(failing: (run: { files: ReadonlyMap<string, string>; at: number }) => string[]): FakeCommand {
  let runs = 0;
  return ({ files }) => {
    runs += 1;
    const names = failing({ files, at: runs });
    return { exitCode: names.length > 0 ? 1 : 0, output: names.map((name) => `not ok 1 - ${name}\n`).join('') };
  };
}

const isFixed = (files: ReadonlyMap<string, string>) => files.get('src/sum.js') === 'fixed';

const unnamed: Script['planner'] = () => PLAN;

async function ended(
  parts: WorkerParts & { readonly title?: string },
  status: 'completed' | 'failed',
  allow_red_base = false,
) {
  const { agents, sandbox } = await world.startWorker({ ...parts, script: { planner: unnamed, ...parts.script } });
  const { id } = await world.newIssue({ settings: repoSettingsSchema.parse({ allow_red_base }) }, parts.title);
  const { gate } = await world.untilStatus(id, 'awaiting_approval');
  await world.decide(id, { action: 'approve' });
  const issue = await world.untilStatus(id, status);
  const tests = issue.pipeline.implementation?.tests;
  return { agents, sandbox, issue, tests, reasons: gate?.reasons ?? [], said: (await world.said(id)).join('\n') };
}

const old: WorkerParts = { commands: { 'npm test': failingTests(() => ['an old failure']) } };

describe('a test that failed at the base already', () => {
  it('does not fail the change of a model that has nothing to do with it', async () => {
    const { agents, sandbox, tests, reasons, said } = await ended(old, 'completed');
    expect(reasons).toContain(
      'The tests fail at the base already, before any change: an old failure. A change passes if no other test fails with it, unless the issue, the plan or a review names one of them as what is to be fixed: then that one must pass.',
    );
    expect(tests).toMatchObject({ verdict: 'red_as_before', new_failures: [], failed_before: ['an old failure'] });
    expect(agents.inputs.coder).toHaveLength(1);
    expect(sandbox.runs).toHaveLength(3); // the base, the head, and the base again
    expect(said).toContain('The tests at the base are run again, because only tests that always fail there excuse');
  });

  it('must pass where the plan names it', async () => {
    const planner: Script['planner'] = () => ({ ...PLAN, test_strategy: 'The test "adds" passes.' });
    const { agents, reasons, issue } = await ended(
      { commands: { 'npm test': failingTests(() => ['adds', 'an old failure']) }, script: { planner } },
      'failed',
    );
    expect(reasons.join('\n')).toContain('Named so far: adds.');
    expect(agents.inputs.coder).toHaveLength(4);
    expect(agents.inputs.coder[1]?.feedback).toContain(
      'Failing: adds. To be fixed, as the issue, its plan or a review says. Failing before the change as well: an old failure.',
    );
    expect(issue.error?.detail).toContain('To be fixed');
  });

  it('must pass where the issue asks for all tests, though nobody names it', async () => {
    const { agents, reasons } = await ended({ ...old, title: 'Make CI green again' }, 'failed');
    expect(reasons.join('\n')).toContain('Named so far: an old failure.');
    expect(agents.inputs.coder[1]?.feedback).toContain('To be fixed, as the issue, its plan or a review says.');
  });

  it('must pass where a review names it', async () => {
    let reviews = 0;
    const { agents, tests } = await ended(
      {
        commands: {
          'npm test': failingTests(({ files }) => (files.get('src/sum.js') === 'round 3' ? [] : ['sums up all'])),
        },
        script: {
          coder: async ({ round }, context) => {
            await writeByTool(context, { path: 'src/sum.js', text: `round ${round}` });
            return { outcome: 'done', summary: 'done', outsidePlan: [] };
          },
          reviewer: () => {
            reviews += 1;
            return reviews === 1
              ? { decision: 'request_changes', summary: 'Not yet.', findings: ['The test "sums up all" must pass.'] }
              : { decision: 'approve', summary: 'Fine.', findings: [] };
          },
        },
      },
      'completed',
    );
    expect(agents.inputs.coder.map(({ feedback }) => feedback?.slice(0, 17) ?? null)).toEqual([
      null,
      'The review asks f',
      'The tests (`npm t',
    ]);
    expect(tests).toMatchObject({ verdict: 'green' });
  });

  it.each([true, false])(
    'fails what the built-in model wrote unless the repository allows it (%s)',
    async (allowed) => {
      const { tests, issue, reasons } = await ended(
        { ...old, label: BUILTIN_LABEL },
        allowed ? 'completed' : 'failed',
        allowed,
      );
      expect(tests?.verdict).toBe(allowed ? 'red_as_before' : 'red');
      if (allowed) return;
      expect(reasons.join('\n')).toContain('(`settings.allow_red_base` is off)');
      expect(issue.error?.detail).toContain('`settings.allow_red_base` lets such a change pass');
    },
  );

  it('excuses nothing where it is no test but a file that could not be loaded', async () => {
    const name = 'test/old.test.js';
    const commands: WorkerDeps['commands'] = {
      ...tapCommands,
      readTests: async () => ({ ...testOutput([name]), broken: [name] }),
    };
    const { tests, issue, reasons, agents } = await ended(
      { commands: { 'npm test': failingTests(() => [name]) }, deps: { commands } },
      'failed',
    );
    const hides = `These could not be loaded, built or run to the end, so the results of their tests are unknown: ${name}.`;
    expect(reasons.join('\n')).toContain(`${hides} No change passes until that is fixed.`);
    expect(tests).toMatchObject({ verdict: 'red', new_failures: [], red_because: hides });
    expect(issue.error?.detail).toContain(`Failing before the change as well: ${name}. ${hides}`);
    expect(issue.error?.detail).not.toContain('allow_red_base');
    expect(issue.error?.detail).toContain('Fix what fails at the base first, or set a test command that leaves it out');
    // The coder is told before it begins, and once more afterwards: to try again would find out nothing.
    expect(agents.inputs.coder.map(({ round }) => round)).toEqual([1, 2]);
    expect(agents.inputs.coder[0]?.environment).toContain('No change passes until that is fixed.');
  });

  it('excuses nothing where it passes when the base is run again', async () => {
    const { tests, issue } = await ended(
      { commands: { 'npm test': failingTests(({ files, at }) => (isFixed(files) || at === 1 ? ['waits'] : [])) } },
      'failed',
    );
    expect(tests).toMatchObject({ verdict: 'red', new_failures: ['waits'], failed_before: [] });
    expect(issue.pipeline.prepared?.base_test?.flaky).toEqual(['waits']);
  });
});

describe('a new failure', () => {
  it('that passes in the next run is flaky, and an approver decides about the change', async () => {
    const { agents, sandbox } = await world.startWorker({
      commands: { 'npm test': failingTests(({ at }) => (at === 2 ? ['waits'] : [])) },
      script: { planner: unnamed },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await until('the publish gate is open', async () => (await world.get(id)).gate?.kind === 'publish');
    const { gate } = await world.untilStatus(id, 'awaiting_approval');
    const flaky = 'Flaky, failing in some runs of the same commit only: waits (failed in 1 of 2 runs).';
    expect(gate?.reasons.slice(0, 2)).toEqual([flaky, 'The tests passed only when they were run again.']);
    expect(gate?.reasons.filter((reason) => reason.includes('waits'))).toHaveLength(1);
    expect(await world.said(id)).toContain(flaky);
    await world.decide(id, { action: 'approve', headCommit: gate?.head_commit ?? '' });
    const { result } = await world.untilStatus(id, 'completed');
    expect(result?.tests).toMatchObject({ verdict: 'green', flaky: [{ name: 'waits', failed: 1, runs: 2 }] });
    expect(agents.inputs.coder).toHaveLength(1);
    expect(sandbox.runs).toHaveLength(3);
  });

  it('that stays is sent back after three runs', async () => {
    const { agents, sandbox } = await ended(
      { commands: { 'npm test': failingTests(({ at }) => (at >= 2 && at <= 4 ? ['breaks'] : [])) } },
      'completed',
    );
    expect(agents.inputs.coder[1]?.feedback).toContain('Failing: breaks.');
    expect(sandbox.runs).toHaveLength(5);
  });

  it.each([
    ['stage', {}],
    ['issue', { stageTimeoutMs: 3_600_000, budget: { tokens: null, cost_usd: null, active_ms: 60_000 } }],
  ])('is not run again where the last run took too much of the time that is left for the %s', async (_of, options) => {
    const slow: FakeCommand = ({ files }) => ({
      ...(isFixed(files) ? { exitCode: 1, output: 'not ok 1 - breaks\n' } : { exitCode: 0 }),
      durationMs: 20_000,
    });
    const { sandbox, said } = await ended(
      { commands: { 'npm test': slow }, options: { ...options, bounds: { testSendBacks: 0, reviewSendBacks: 0 } } },
      'failed',
    );
    expect(sandbox.runs).toHaveLength(2);
    expect(said).toContain('This is left out: the last run took too much of the time that is left.');
  });
});

describe('the changed tests', () => {
  /** Changes a test beside the code; the test has content that the fake runner reads. */
  const withTest =
    (test: string, summary = 'done'): Script['coder'] =>
    async (_, context) => {
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      await writeByTool(context, { path: 'test/sum.test.js', text: test });
      return { outcome: 'done', summary, outsidePlan: [] };
    };
  const runner = failingTests(({ files }) =>
    files.get('test/sum.test.js') === 'proves' && !isFixed(files) ? ['adds'] : [],
  );
  const kind =
    (triaged: 'bug' | 'feature'): Script['triager'] =>
    () => ({
      kind: triaged,
      summary: '',
      acceptance_criteria: [],
      risk: 'low',
      open_questions: [],
    });

  it('of a bug fail without the fix, which is shown', async () => {
    const { tests, agents, sandbox } = await ended(
      { commands: { 'npm test': runner }, script: { coder: withTest('proves') } },
      'completed',
    );
    expect(tests?.reproduction).toEqual({ outcome: 'reproduced', detail: 'Fail without the change: adds.' });
    expect(agents.inputs.coder).toHaveLength(1);
    expect(sandbox.runs).toHaveLength(3);
    expect(world.host.remote.size).toBe(1);
  });

  it('of a bug that pass without the fix are sent back once, and the coder’s reason is shown', async () => {
    const coder: Script['coder'] = async (input, context) =>
      withTest(
        `proves nothing ${input.round}`,
        input.round === 1 ? 'done' : 'Done.\nReproduction: it needs a slow network.',
      )(input, context);
    const { tests, agents } = await ended({ commands: { 'npm test': runner }, script: { coder } }, 'completed');
    expect(agents.inputs.coder.map(({ feedback }) => feedback)).toEqual([
      null,
      expect.stringContaining(
        'The changed tests pass without the change too. A test of a bug must fail without the fix',
      ),
    ]);
    expect(tests?.reproduction).toEqual({
      outcome: 'not_reproduced',
      detail: 'The coder says: it needs a slow network.',
    });
  });

  it('are not asked for twice', async () => {
    const coder: Script['coder'] = (input, context) => withTest(`proves nothing ${input.round}`)(input, context);
    const { tests, agents } = await ended({ commands: { 'npm test': runner }, script: { coder } }, 'completed');
    expect(agents.inputs.coder).toHaveLength(2);
    expect(tests?.reproduction).toMatchObject({ outcome: 'not_reproduced' });
  });

  it('of anything else need not fail without it', async () => {
    const { tests, sandbox } = await ended(
      { commands: { 'npm test': runner }, script: { coder: withTest('proves nothing'), triager: kind('feature') } },
      'completed',
    );
    expect(tests?.reproduction).toBeNull();
    expect(sandbox.runs).toHaveLength(2);
  });

  it('of a bug that are missing are missed, which is shown', async () => {
    const { tests, sandbox } = await ended({ commands: { 'npm test': runner } }, 'completed');
    expect(tests?.reproduction).toEqual({ outcome: 'no_test', detail: 'No test was added or changed.' });
    expect(sandbox.runs).toHaveLength(2);
  });

  it.each([
    [
      'changed or added there',
      '#[test]\nfn is_right() { assert_eq!(sum(), 2); }\n',
      'unknown',
      'The changed tests are in the same files as the program, so they cannot be run without the change: src/sum.rs.',
    ],
    ['as it was', '', 'no_test', 'No test was added or changed.'],
  ])('of a bug are told where they are beside the code: a test %s', async (...[, test, outcome, detail]) => {
    await world[Symbol.asyncDispose]();
    world = await openWorld({
      host: fakeHost({ 'src/sum.js': 'broken', 'src/sum.rs': 'fn sum() {}\n#[test]\nfn is_there() { sum(); }\n' }),
    });
    const coder: Script['coder'] = async (_, context) => {
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      const text = `fn sum() { 2 }\n#[test]\nfn is_there() { sum(); }\n${test}`;
      await writeByTool(context, { path: 'src/sum.rs', text });
      return { outcome: 'done', summary: 'done', outsidePlan: [] };
    };
    const { tests } = await ended({ commands: { 'npm test': runner }, script: { coder } }, 'completed');
    expect(tests?.reproduction).toEqual({ outcome, detail });
  });

  it('are not asked for where a test of the base is fixed', async () => {
    const fixed = await ended({ script: { planner: unnamed } }, 'completed');
    expect(fixed.tests?.reproduction).toEqual({
      outcome: 'reproduced',
      detail: 'Failed at the base and pass now: adds.',
    });
    expect(fixed.sandbox.runs).toHaveLength(2);
  });

  it('are run without the change where a test of the base failed there by chance', async () => {
    const flaky = failingTests(({ at }) => (at === 1 ? ['waits'] : []));
    const { tests, agents } = await ended(
      { commands: { 'npm test': flaky }, script: { coder: withTest('proves nothing') } },
      'completed',
    );
    expect(agents.inputs.coder[1]?.feedback).toContain('The changed tests pass without the change too.');
    expect(tests?.reproduction).toMatchObject({ outcome: 'not_reproduced' });
  });

  describe('of which one failed at the base', () => {
    /** The test fails unless the program is fixed, or it is written as the bug gives. */
    const old: FakeCommand = ({ files }) =>
      isFixed(files) || files.get('test/sum.test.js') === 'as the bug gives'
        ? { exitCode: 0, output: '' }
        : { exitCode: 1, output: 'not ok 1 - adds\n' };
    const begun = async (coder: Script['coder']) => {
      await world[Symbol.asyncDispose]();
      world = await openWorld({ host: fakeHost({ 'src/sum.js': 'broken', 'test/sum.test.js': 'right' }) });
      return ended({ commands: { 'npm test': old }, script: { coder } }, 'completed');
    };

    it('prove nothing where that one is only rewritten: with the test of the base it still fails', async () => {
      const { tests, agents } = await begun(async ({ round }, context) => {
        await writeByTool(context, { path: 'src/sum.js', text: `broken // a comment of round ${round}` });
        await writeByTool(context, { path: 'test/sum.test.js', text: 'as the bug gives' });
        return { outcome: 'done', summary: 'done', outsidePlan: [] };
      });
      expect(tests?.base_tests).toEqual({ exit_code: 1, failed: ['adds'] });
      expect(tests?.reproduction).toMatchObject({ outcome: 'not_reproduced' });
      expect(agents.inputs.coder).toHaveLength(2);
    });

    it('prove the fix where it passes as it was at the base', async () => {
      const { tests } = await begun(withTest('right, and more'));
      expect(tests?.base_tests).toEqual({ exit_code: 0, failed: [] });
      expect(tests?.reproduction).toEqual({ outcome: 'reproduced', detail: 'Failed at the base and pass now: adds.' });
    });
  });

  it('are replaced by those of the base in a run whose result is shown and decides nothing', async () => {
    await world[Symbol.asyncDispose]();
    world = await openWorld({ host: fakeHost({ 'src/sum.js': 'broken', 'test/sum.test.js': 'wants it broken' }) });
    const command = failingTests(({ files }) =>
      files.get('test/sum.test.js') === 'wants it broken' && isFixed(files) ? ['stays broken'] : [],
    );
    const { tests, issue, sandbox } = await ended(
      { commands: { 'npm test': command }, script: { coder: withTest('proves'), triager: kind('feature') } },
      'completed',
    );
    expect(tests).toMatchObject({ verdict: 'green', base_tests: { exit_code: 1, failed: ['stays broken'] } });
    expect(sandbox.runs).toHaveLength(3);
    expect([...world.host.remote.values()][0]?.files.get('test/sum.test.js')).toBe('proves');
    expect(issue.result?.tests?.base_tests).toEqual({ exit_code: 1, failed: ['stays broken'] });
  });
});
