import type { AgentRole } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { anIssue, aPlanFor, memoryContext } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import { type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const MAX_TURNS = 10;

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of it\n`).join('');
const files: Readonly<Record<string, string>> = { a: 'one\n', b: 'two\n', c: 'three\n', d: 'four\n', long: lines(40) };

interface Loop {
  readonly role?: Extract<AgentRole, 'planner' | 'coder'>;
  /** The model edits by patches. */
  readonly isPatch?: boolean;
  /** The turns before it begins. */
  readonly before?: number;
  turn(n: number): ScriptedTurn['calls'];
  /** The output of a command; by default it is the same each time. */
  command?(command: string): string;
  readonly exitCode?: number;
  readonly pattern: RegExp;
}

const read = (path: string, range: object = {}) => call(path, 'read_file', { path, ...range });
const run = (command: string) => call('r', 'run_command', { command });
const edit = (old_text: string, new_text: string) => call('e', 'edit_file', { path: 'a', old_text, new_text });
const nth = (n: number, of: string) => of[n % of.length] ?? '';
const NEW = /brought nothing new/;

const loops: Readonly<Record<string, Loop>> = {
  'the same call': { turn: () => [read('a')], pattern: /same call 5 times.*read_file \{"path":"a"\}/ },
  'two calls by turns': { turn: (n) => [read(nth(n, 'ab'))], pattern: NEW },
  'three reads in a circle': { turn: (n) => [read(nth(n, 'abc'))], pattern: NEW },
  'four reads in a circle': { turn: (n) => [read(nth(n, 'abcd'))], pattern: NEW },
  'three commands in a circle': {
    turn: (n) => [run(`make ${nth(n, 'abc')}`)],
    command: (command) => `output of ${command.toUpperCase()}`,
    pattern: NEW,
  },
  'the same three parallel calls': { turn: () => [read('a'), read('b'), read('c')], pattern: /same calls 5 times/ },
  'the same three parallel calls of a planner': {
    role: 'planner',
    turn: (n) => (n % 2 === 0 ? [read('a'), read('b'), read('c')] : [read('c'), read('a'), read('b')]),
    pattern: /same calls 5 times/,
  },
  'other ranges of the same file': {
    before: 1,
    turn: (n) => [read('long', n === 0 ? {} : { start_line: n, end_line: n + 12 })],
    pattern: NEW,
  },
  'a window that slides over a file': {
    turn: (n) => [read('long', { start_line: n + 1, end_line: n + 10 })],
    pattern: NEW,
  },
  'two edits that undo each other': {
    turn: (n) => [n % 2 === 0 ? edit('one', 'uno') : edit('uno', 'one')],
    pattern: /back to an earlier state/,
  },
  'commands that undo each other': {
    turn: (n) => [call('w', 'write_file', { path: 'a', content: nth(n, 'xy') }), run('test')],
    command: () => 'not ok 1\nexpected 3, got 4',
    exitCode: 1,
    pattern: /back to an earlier state/,
  },
  'the same error: input that is no JSON': {
    turn: (n) => [call('1', 'read_file', `{"path": "a${n}`)],
    pattern: /same (?:error|call)|nothing new/,
  },
  'the same error: tools that are not there': {
    turn: (n) => [call('1', `launch_${nth(n, 'pqrst')}`, { now: true })],
    pattern: /same error/,
  },
  'files that are not there': {
    turn: (n) => [n % 2 === 0 ? read(`src/no${n}.js`) : call('o', 'outline', { path: `src/no${n}.js` })],
    pattern: /found nothing/,
  },
  'the same error: commands on a test that is not there': {
    turn: (n) => [run(`node --test test/${nth(n, 'pqrst')}.test.js`)],
    command: (command) => `Could not find '/workspace/${command.split(' ').at(-1)}'\n`,
    exitCode: 1,
    pattern: /same error/,
  },
  'an edit whose text is not there, by other words': {
    turn: (n) => [edit(`three ${nth(n, 'pqrst').repeat(9)}`, 'four')],
    pattern: /same error|nothing new/,
  },
  'searches that find nothing': {
    turn: (n) => [call('s', 'search_text', { pattern: `absent ${nth(n, 'pqrst')}` })],
    pattern: /same error|nothing new/,
  },
  'ever other searches that find nothing': {
    turn: (n) => [call('s', 'search_text', { pattern: 'absent'.slice(0, n % 6) + 'x'.repeat(n + 1), literal: true })],
    pattern: /found nothing/,
  },
  'an edit whose text is not there, and the file again': {
    turn: (n) => [n % 2 === 0 ? edit(`three ${nth(n, 'pqrst').repeat(9)}`, 'four') : read('a')],
    pattern: NEW,
  },
  'a comment that is written over and over': {
    turn: (n) => [edit(n === 0 ? 'one' : `// remark ${n - 1}`, `// remark ${n}`)],
    pattern: /the same lines 8 times over/,
  },
  'a comment that is patched over and over': {
    isPatch: true,
    turn: (n) => {
      const lines = `-${n === 0 ? 'one' : `// remark ${n - 1}`}\n+// remark ${n}`;
      const patch = `*** Begin Patch\n*** Update File: a\n@@\n${lines}\n*** End Patch`;
      return [call('p', 'apply_patch', { patch }), run('test')];
    },
    command: () => 'not ok 1\nexpected 3, got 4',
    exitCode: 1,
    pattern: /the same lines 8 times over/,
  },
  'a comment that is replaced over and over': {
    turn: (n) => {
      const old_text = n === 0 ? 'one' : `// remark ${n - 1}`;
      return [call('r', 'replace_in_files', { old_text, new_text: `// remark ${n}` })];
    },
    pattern: /the same lines 8 times over/,
  },
  'a file that is written over and over': {
    turn: (n) => [call('w', 'write_file', { path: 'a', content: `version ${n}` })],
    pattern: /the same lines 8 times over/,
  },
  'commands that only print themselves': {
    turn: (n) => [run(n % 2 === 0 ? `echo step ${n}` : 'true')],
    command: (command) => command.replace(/^echo |^true$/, ''),
    pattern: NEW,
  },
};

/** Plays a loop, and tells how it ended and how many turns it took. */
async function play({ role = 'coder', isPatch = false, before = 0, turn, command, exitCode = 0 }: Loop) {
  const memory = memoryContext({ files, exitCode, command: async (said) => command?.(said) ?? '' });
  const { model, requests } = scriptedModel((answered) => ({ calls: turn(answered) ?? [] }));
  const { issue, repo } = anIssue();
  const runner = createAgentRunner({
    models: () => [scriptedChoice(model, { editFormat: isPatch ? 'patch' : 'replace' })],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const running =
    role === 'coder'
      ? runner.run(role, { issue, repo, plan: aPlanFor(['a']), round: 1, feedback: null }, memory.context)
      : runner.run(
          role,
          { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null },
          memory.context,
        );
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  const told = memory.journal.filter(({ kind }) => kind === 'told').length;
  return { error, told, turns: requests.length - before };
}

describe('an agent that goes round in circles', () => {
  it.each(Object.entries(loops))('by %s is told once, and then stopped', async (_name, loop) => {
    const { error, told, turns } = await play(loop);
    expect(error).toMatchObject({ code: 'agent_stuck', message: expect.stringMatching(loop.pattern) });
    expect(turns).toBeLessThanOrEqual(MAX_TURNS);
    expect(told).toBe(1);
  });
});
