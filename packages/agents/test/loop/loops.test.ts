import type { AgentRole } from '@sluice/core/agent';
import { describe, expect, it } from 'vitest';
import { createAgentRunner } from '../../src/loop/create-agent-runner.ts';
import { aDiff, anIssue, aPlanFor, type MemoryOptions, memoryContext } from './memory-context.ts';
import { call } from './scripted-coder.ts';
import { type ScriptedTurn, scriptedChoice, scriptedModel } from './scripted-model.ts';

const MAX_TURNS = 10;
const MAX_WORKING_TURNS = 17; // of loops that change files, and of cycles, which must come round once

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of it\n`).join('');
const files: Readonly<Record<string, string>> = {
  a: 'one\n',
  b: 'two\n',
  c: 'three\n',
  d: 'four\n',
  e: 'five\n',
  long: lines(90),
};

interface Loop {
  readonly role?: Exclude<AgentRole, 'triager'>;
  /** The model edits by patches. */
  readonly isPatch?: boolean;
  /** The turns before it begins. */
  readonly before?: number;
  turn(n: number): ScriptedTurn['calls'];
  /** The output of a command; by default it is the same each time. */
  command?(command: string): string;
  readonly exitCode?: number;
  readonly commandEnd?: MemoryOptions['commandEnd'];
  readonly pattern: RegExp;
  /** How many turns it may take. */
  readonly maxTurns?: number;
}

const read = (path: string, range: object = {}) => call(path, 'read_file', { path, ...range });
const run = (command: string) => call('r', 'run_command', { command });
const edit = (old_text: string, new_text: string) => call('e', 'edit_file', { path: 'a', old_text, new_text });
const nth = (n: number, of: string) => of[n % of.length] ?? '';
const NEW = /brought nothing new/;
const SAME_FAILURE = /test runs failed in the same way/;
const OUTSIDE = /turns wrote files outside the plan/;
const RED = 'not ok 1 - adds\n  expected 3, got 4\n# fail 1';

/** Changes another line of a planned file each time. */
const editLine = (n: number) =>
  call('e', 'edit_file', { path: 'long', old_text: `line ${n} of it`, new_text: `line ${n} by another try` });
const scratch = (n: number, content = `print(${n})`) =>
  call('w', 'write_file', { path: `scratch${n}.js`, content, outside_plan_reason: 'To try it out.' });
const byTurns = (n: number, ...turns: ((nth: number) => ScriptedTurn['calls'])[]) =>
  turns[n % turns.length]?.(Math.floor(n / turns.length));

/** What work without progress has in common. */
const redWork = {
  command: () => RED,
  exitCode: 1,
  pattern: SAME_FAILURE,
  maxTurns: MAX_WORKING_TURNS,
} satisfies Partial<Loop>;
const outsideWork = { pattern: OUTSIDE, maxTurns: MAX_WORKING_TURNS } satisfies Partial<Loop>;

/** The n-th way to list the same folder. */
const listing = (n: number) =>
  `${nth(n, 'ldf').replace('l', 'ls').replace('d', 'dir').replace('f', 'find')} ${'./'.repeat(n)}`;

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
    pattern: SAME_FAILURE,
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

const workingLoops: Readonly<Record<string, Loop>> = {
  'another line each time, with the same red test': { ...redWork, turn: (n) => [editLine(n), run('node --test')] },
  'another line each time, and then the same red test': {
    ...redWork,
    turn: (n) => {
      if (n === 0) return [read('long')];
      return byTurns(
        n - 1,
        (nth) => [editLine(nth)],
        () => [run('node --test')],
      );
    },
  },
  'another line each time by a command, with the same red test': {
    ...redWork,
    turn: (n) => [editLine(n), run(`sed -i 's/line ${n} /row ${n} /' long && node --test`)],
  },
  'another line each time, with a red test in a pipe': {
    ...redWork,
    turn: (n) => [editLine(n), run('node --test | tail -5')],
    exitCode: 0,
  },
  'another line each time, with the same red test by other commands': {
    ...redWork,
    turn: (n) => [editLine(n), run(`${['npm test', 'node --test', 'npx vitest run'][n % 3]} ${'--bail '.repeat(n)}`)],
  },
  'another line each time, with a check that names no test': {
    ...redWork,
    turn: (n) => [editLine(n), run('make check')],
    command: () => 'Segmentation fault (core dumped)',
  },
  'another line each time, with a check that says nothing': {
    ...redWork,
    turn: (n) => [editLine(n), run('make check')],
    command: () => '',
  },
  'another line each time, with a test that never ends': {
    ...redWork,
    turn: (n) => [editLine(n), run('node --test')],
    command: () => 'TAP version 13',
    commandEnd: { exitCode: null, endedBy: 'timeout' },
  },
  'another line each time, with a red test whose output is never quite the same': {
    ...redWork,
    turn: (n) => [editLine(n), run('node --test')],
    command: (() => {
      let n = 10;
      return () => {
        n += 1;
        return `${RED}\n    at add (/src/long:${n}:${n})\n# duration_ms ${n}.7 at 10:00:${n}, port ${n}01, /tmp/t-${n}`;
      };
    })(),
  },
  'another line in many places, with the same red test': {
    ...redWork,
    turn: (n) => {
      const change = { old_text: `line ${n} of it`, new_text: `row ${n}` };
      return [call('r', 'replace_in_files', change), run('node --test')];
    },
  },
  'another line each time, with two red tests by turns': {
    ...redWork,
    turn: (n) => [editLine(n), run(`node --test ${nth(n, 'xy')}`)],
    command: (command) => `not ok 1 - test ${command.at(-1)}`,
  },
  'flips with other words each time, with the same red test': {
    ...redWork,
    turn: (n) => {
      const words = (nth: number) => `${nth % 2 === 0 ? 'one' : 'uno'} // try ${nth}`;
      return [edit(n === 0 ? 'one' : words(n), words(n + 1)), run('node --test')];
    },
    pattern: /same way|the same lines/,
  },
  'flips with other words each time': {
    turn: (n) => {
      const words = (nth: number) => `${nth % 2 === 0 ? 'one' : 'uno'} // try ${nth}`;
      return byTurns(
        n,
        (nth) => [edit(nth === 0 ? 'one' : words(nth), words(nth + 1))],
        () => [run('node --test')],
      );
    },
    command: () => 'ok 1 - adds',
    pattern: /the same lines/,
    maxTurns: MAX_WORKING_TURNS,
  },
  'scratch files without end': { ...outsideWork, turn: (n) => [scratch(n)] },
  'scratch files that are run in the same turn': {
    ...outsideWork,
    turn: (n) => [scratch(n), run(`node scratch${n}.js`)],
    command: (command) => `${command} has printed this`,
  },
  'scratch files that are then run': {
    ...outsideWork,
    turn: (n) =>
      byTurns(
        n,
        (nth) => [scratch(nth)],
        (nth) => [run(`node scratch${nth}.js`)],
      ),
    command: (command) => `value ${command.length} of ${command}`,
  },
  'scratch files that are then read': {
    ...outsideWork,
    turn: (n) =>
      byTurns(
        n,
        (nth) => [scratch(nth)],
        (nth) => [read(`scratch${nth}.js`)],
      ),
  },
  'a scratch file that grows': { ...outsideWork, turn: (n) => [scratch(0, 'print(1)\n'.repeat(n + 1))] },
  'a scratch file that is written again, and fails in other ways': {
    ...outsideWork,
    turn: (n) =>
      byTurns(
        n,
        (nth) => [scratch(0, `print(${'1 + '.repeat(nth)}1)`)],
        () => [run('node scratch0.js')],
      ),
    command: (() => {
      let n = 0;
      return () => {
        n += 1;
        return `Error: ${n} is not ${n * 7}`;
      };
    })(),
    exitCode: 1,
  },
  'scratch files by patches': {
    ...outsideWork,
    isPatch: true,
    turn: (n) => {
      const patch = `*** Begin Patch\n*** Add File: scratch${n}.js\n+print(${n})\n*** End Patch`;
      return [call('p', 'apply_patch', { patch, outside_plan_reason: 'To try it out.' })];
    },
  },
  'files outside the plan that are edited one after the other': {
    ...outsideWork,
    turn: (n) =>
      byTurns(
        n,
        (nth) => [scratch(nth), scratch(nth + 100)],
        (nth) => [call('d', 'delete_file', { path: `scratch${nth}.js`, outside_plan_reason: 'It was a trial.' })],
      ),
  },
  'five reads in a circle': { turn: (n) => [read(nth(n, 'abcde'))], pattern: NEW, maxTurns: MAX_WORKING_TURNS },
  'five reads in a circle, by a planner': {
    role: 'planner',
    turn: (n) => [read(nth(n, 'abcde'))],
    pattern: NEW,
    maxTurns: MAX_WORKING_TURNS,
  },
  'five reads in a circle, by a reviewer': {
    role: 'reviewer',
    turn: (n) => [read(nth(n, 'abcde'))],
    pattern: NEW,
    maxTurns: MAX_WORKING_TURNS,
  },
  'listings in many spellings': {
    turn: (n) => [run(listing(n))],
    command: () => Object.keys(files).join('\n'),
    pattern: NEW,
    maxTurns: MAX_WORKING_TURNS,
  },
  'listings in many spellings, by a planner': {
    role: 'planner',
    turn: (n) => [call('l', 'list_files', { folder: ['', '.', './', '/', './/', '././'][n % 6] })],
    pattern: /same call 5 times/,
    maxTurns: MAX_WORKING_TURNS,
  },
  'a file by many commands': {
    turn: (n) => [run(`${['cat', 'nl', 'head -90', 'tail -n 90', "sed -n '1,90p'"][n % 5]} ${'./'.repeat(n)}long`)],
    command: () => files.long ?? '',
    pattern: NEW,
    maxTurns: MAX_WORKING_TURNS,
  },
};

/** Plays a loop, and tells how it ended and how many turns it took. */
async function play({ role = 'coder', isPatch = false, before = 0, turn, command, exitCode = 0, commandEnd }: Loop) {
  const memory = memoryContext({
    files,
    exitCode,
    ...(commandEnd !== undefined && { commandEnd }),
    command: async (said) => command?.(said) ?? '',
  });
  const { model, requests } = scriptedModel((answered) => ({ calls: turn(answered) ?? [] }));
  const { issue, repo } = anIssue();
  const runner = createAgentRunner({
    models: () => [scriptedChoice(model, { editFormat: isPatch ? 'patch' : 'replace' })],
    clock: { now: () => new Date() },
    maxRetries: 0,
  });
  const plan = aPlanFor(['a', 'long']);
  const inputs = {
    coder: { issue, repo, plan, round: 1, feedback: null },
    planner: { issue, repo, triage: null, lastPlan: null, guidance: null, baseMoved: null },
    reviewer: { issue, plan, diff: aDiff('', ['a']), tests: null, outsidePlan: [], findings: [] },
  };
  const running = runner.run(role, inputs[role], memory.context);
  const error: unknown = await running.catch((thrown: unknown) => thrown);
  const told = memory.journal.filter(({ kind }) => kind === 'told').length;
  return { error, told, turns: requests.length - before };
}

describe('an agent that goes round in circles', () => {
  it.each(Object.entries({ ...loops, ...workingLoops }))(
    'by %s is warned once, and then stopped',
    async (_name, loop) => {
      const { error, told, turns } = await play(loop);
      expect(error).toMatchObject({ code: 'agent_stuck', message: expect.stringMatching(loop.pattern) });
      expect(turns).toBeLessThanOrEqual(loop.maxTurns ?? MAX_TURNS);
      expect(told).toBe(1);
    },
  );
});
