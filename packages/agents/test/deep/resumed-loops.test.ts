import type { JournalEntry } from '@sluice/core/agent';
import { isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { answersIn, aPlanFor } from '../loop/memory-context.ts';
import { call, scriptedCoder } from '../loop/scripted-coder.ts';
import { finished, type ScriptedTurn } from '../loop/scripted-model.ts';

// Usual way: packages/agents/test/loop/loops.test.ts

/*
 * Progress is counted from the journal: a run that is killed and goes on is warned and stopped after the same turns as
 * one that is not, and an honest run is neither.
 */

const lines = Array.from({ length: 40 }, (_, index) => `line ${index} of it\n`).join('');
const files = { 'a.txt': lines, ...Object.fromEntries([1, 2, 3].map((n) => [`f${n}.txt`, `text ${n}\n`])) };

type Calls = NonNullable<ScriptedTurn['calls']>;
type Script = (turn: number) => Calls | null;

const edit = (n: number) =>
  call('e', 'edit_file', { path: 'a.txt', old_text: `line ${n} of it`, new_text: `row ${n}` });
const test = (command = 'node --test') => call('t', 'run_command', { command });
const scratch = (n: number) =>
  call('s', 'write_file', { path: `s${n}.js`, content: `${n}`, outside_plan_reason: 'To try it out.' });

const loops: Readonly<Record<string, Script>> = {
  'the same red test after each edit': (turn) => (turn % 2 === 0 ? [edit(turn / 2)] : [test()]),
  'the same red test in the turn of each edit': (turn) => [edit(turn), test()],
  'a red test of which it has read on between': (turn) =>
    turn < 6 && turn % 2 === 1 ? [call('r', 'read_file', { path: `f${turn % 3}.txt` })] : [edit(turn), test()],
  'scratch files without end': (turn) => [scratch(turn)],
  'scratch files that it runs': (turn) => (turn % 2 === 0 ? [scratch(turn)] : [test(`node s${turn - 1}.js | cat`)]),
};

const honest: Readonly<Record<string, Script>> = {
  'five red runs of one test, then of another': (turn) =>
    turn < 20 ? [edit(turn), test(`node --test ${turn < 10 ? 'sum' : 'mean'}${Math.floor(turn / 5)}.test.js`)] : null,
  'seven writes outside the plan, then of it': (turn) => {
    if (turn < 24) return turn % 8 === 7 ? [edit(turn)] : [scratch(turn)];
    return null;
  },
};

/** Plays a script from a journal, in files as they were left. */
function coderOf(script: Script, left?: State) {
  const states: State[] = [];
  const coder = scriptedCoder(
    (_request, prompt) => {
      const calls = script(prompt.filter(({ role }) => role === 'assistant').length);
      return calls === null ? finished('Done.') : { calls };
    },
    {
      files: left?.files ?? files,
      journal: left?.journal ?? [],
      plan: aPlanFor(['a.txt']),
      command: async (command) => `not ok 1 - ${command}`,
      exitCode: 1,
      onAppended: ({ entries }) => {
        // A command that had begun is not run again, so its outcome is lost: that is another run.
        if (entries.at(-1)?.kind !== 'begin')
          states.push({ journal: [...coder.journal], files: coder.files.snapshot() });
      },
    },
  );
  return { coder, states };
}

interface State {
  readonly journal: readonly JournalEntry[];
  readonly files: Readonly<Record<string, string>>;
}

const sampled = <Item>(items: readonly Item[]) => items.filter((_, index) => isSoakRun || index % 7 === 0);
const isTold = ({ kind }: JournalEntry) => kind === 'told';

describe('a run that was killed', () => {
  it.each(Object.entries(loops))(
    'is stopped after the same turns, at whichever write that was: %s',
    async (_name, script) => {
      const { coder: whole, states } = coderOf(script);
      const stuck = await whole.run().catch((error: unknown) => error);
      expect(stuck).toMatchObject({ code: 'agent_stuck' });
      expect(states.length).toBeGreaterThan(whole.requests.length);
      for (const state of sampled(states)) {
        const { coder: next } = coderOf(script, state);
        await expect(next.run()).rejects.toMatchObject({ code: 'agent_stuck', message: String(Object(stuck).message) });
        expect(next.requests).toEqual(whole.requests.slice(answersIn(state.journal)));
        expect(next.journal.findIndex(isTold)).toBe(whole.journal.findIndex(isTold));
        expect(next.journal.filter(isTold)).toHaveLength(1);
      }
    },
  );

  it.each(Object.entries(honest))(
    'is not stopped when it is no loop, at whichever write that was: %s',
    async (_name, script) => {
      const { coder: whole, states } = coderOf(script);
      const { output } = await whole.run();
      for (const state of sampled(states)) {
        const { coder: next } = coderOf(script, state);
        expect((await next.run()).output).toEqual(output);
        expect(next.journal.filter(isTold)).toEqual([]);
      }
    },
  );
});
