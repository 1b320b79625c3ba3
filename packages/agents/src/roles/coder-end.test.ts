import type { AgentOutput } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { RUNS_NO_COMMANDS } from './coder-answer.ts';
import { coderObjections, trueEnd } from './coder-end.ts';
import type { AnsweredCall } from './role-definition.ts';

const done = (summary: string, other: Partial<AgentOutput['coder']> = {}): AgentOutput['coder'] => ({
  outcome: 'done',
  summary,
  ran: [],
  outsidePlan: [],
  ...other,
});
const edit: AnsweredCall = { tool: 'edit_file', input: { path: 'a.js' }, outcome: 'done', text: 'Edited a.js.' };
const ran = (command: string, text = 'Exit code 0, after 5 ms.\nok'): AnsweredCall => ({
  tool: 'run_command',
  input: { command },
  outcome: 'done',
  text,
});

describe('what an end lacks', () => {
  const openings = async (
    output: AgentOutput['coder'],
    {
      calls = [edit, ran('npm test')],
      changed = true,
      round = 1,
      testCommand = 'npm test' as string | null,
      isRetry = false,
    } = {},
  ) => {
    const work = { calls, round, testCommand, isRetry, hasChange: async () => changed };
    return (await coderObjections(output, work)).map(({ opening, rest }) => `${opening}${rest}`);
  };

  it('is nothing when a change was made and something was run after it', async () => {
    expect(await openings(done('Fixed.'))).toEqual([]);
    expect(await openings(done('Fixed.'), { calls: [ran('npm test'), edit, ran('node --test a.test.js')] })).toEqual(
      [],
    );
  });

  const readOnly = [{ ...edit, outcome: 'refused' as const }];

  it('is a change, where the tree is as at the base, or nothing was done in a later round', async () => {
    expect(await openings(done('Fixed.'), { changed: false })).toEqual([expect.stringContaining('changed no file')]);
    expect(await openings(done('Fixed.'), { calls: readOnly, round: 2 })).toEqual([
      expect.stringContaining('changed nothing since your change was returned'),
    ]);
  });

  it('is no change where a retry finds what the last attempt did, or where it was asked for the reason of a test', async () => {
    const retried = { calls: [ran('npm test')], round: 2, isRetry: true };
    expect(await openings(done('Fixed.'), retried)).toEqual([]);
    const why = done('Fixed the race.\n**Reproduction:** none can fail here, because the race needs two cores.');
    expect(await openings(why, { calls: [ran('npm test')], round: 2 })).toEqual([]);
  });

  it('is a check after the last change, by the name of the test command', async () => {
    for (const calls of [[edit], [ran('npm test'), edit], [edit, { ...ran('npm test'), outcome: 'refused' as const }]])
      expect(await openings(done('Fixed.'), { calls })).toEqual([expect.stringContaining('run with: npm test.')]);
  });

  it('is no check where there is no test command, or a reason is given', async () => {
    expect(await openings(done('Fixed.'), { calls: [edit], testCommand: null })).toEqual([]);
    const reason = { notRunReason: 'Only a comment changed.' };
    expect(await openings(done('Fixed.', reason), { calls: [edit] })).toEqual([]);
  });

  it('is a summary that agrees with the outcome', async () => {
    expect(await openings(done('I could not implement the plan.'))).toEqual([
      expect.stringMatching(/^Your summary says that the work is not done: "I could not implement the plan\."/),
    ]);
    expect(await openings({ ...done('I could not implement the plan.'), outcome: 'blocked' })).toEqual([]);
  });

  it('is a summary without all the sentences that contradict, which are told at once', async () => {
    const summary =
      'It is fixed. My first attempt to lock it failed. I suggest adding a note. Please confirm the default.';
    const [told] = await openings(done(summary));
    expect(told).toMatch(/failed\." .*"Please confirm the default\." Go on/);
    expect(told).toContain('those sentences are about something else, finish again without them.');
  });

  it('is nothing in a line that says why no test can fail without the fix', async () => {
    expect(await openings(done('Fixed.\nReproduction: I cannot write one, because it needs two machines.'))).toEqual(
      [],
    );
  });
});

describe('an end as it counts', () => {
  const counted = (output: AgentOutput['coder'], calls: readonly AnsweredCall[], testCommand: string | null = null) =>
    trueEnd(output, { calls, testCommand });

  it('holds the commands that ran, each with its last ending, and marks those that were only claimed', () => {
    const calls = [
      edit,
      ran('npm test', 'Exit code 1, after 9 ms.\nnot ok'),
      ran('npm test -- a', 'Ended: it ran out of time, after 120000 ms.'),
      { ...ran('make'), outcome: 'unknown' as const },
      ran('npm test'),
    ];
    const claims = [
      { command: 'npm test', result: 'passes' },
      { command: 'tsc --noEmit', result: 'passes' },
    ];
    expect(counted(done('Fixed.', { ran: claims }), calls)).toEqual({
      outcome: 'done',
      summary: 'Fixed.\nClaimed, but not run: tsc --noEmit.',
      ran: [
        { command: 'npm test -- a', result: 'ended: it ran out of time' },
        { command: 'make', result: 'interrupted' },
        { command: 'npm test', result: 'exit code 0' },
        { command: 'tsc --noEmit', result: 'claimed, not run' },
      ],
      outsidePlan: [],
    });
  });

  it('names only ten of many invented commands', () => {
    const claims = Array.from({ length: 500 }, (_, n) => ({ command: `check ${n}.`, result: 'passes' }));
    const end = counted(done('Fixed.', { ran: claims }), [ran('make')]);
    expect(end.summary).toMatch(/^Fixed\.\nClaimed, but not run: check 0\.; .*check 9\. and 490 more\.$/);
    expect(end.ran).toHaveLength(11);
  });

  it('says that nothing was run after the last change, and the reason given for it', () => {
    expect(counted(done('Fixed.'), [edit], 'npm test').summary).toBe('Fixed.\nNothing was run after the last change.');
    const reason = { notRunReason: 'only a comment changed' };
    expect(counted(done('Fixed.', reason), [edit], 'npm test').summary).toBe(
      'Fixed.\nNothing was run after the last change: only a comment changed.',
    );
    expect(counted(done('Fixed.', reason), [edit, ran('npm test')], 'npm test').summary).toBe('Fixed.');
    const builtin = { notRunReason: RUNS_NO_COMMANDS };
    expect(counted(done('Fixed.', builtin), [edit], 'npm test').summary).toBe('Fixed.');
  });

  it('is blocked when its words say so, and names a refusal', () => {
    expect(counted(done('I was not able to make the change.'), [])).toMatchObject({ outcome: 'blocked' });
    expect(counted(done("Sorry. I can't help with that."), [])).toMatchObject({
      outcome: 'blocked',
      summary: 'The model refused: "I can\'t help with that."',
    });
  });
});
