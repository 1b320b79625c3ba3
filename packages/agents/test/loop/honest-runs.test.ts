import { isSoakRun } from '@sluice/testing';
import { describe, expect, it } from 'vitest';
import { aPlanFor } from './memory-context.ts';
import { call, scriptedCoder } from './scripted-coder.ts';
import { finished, type ScriptedTurn } from './scripted-model.ts';

/*
 * Long runs of an agent that works: it explores, reads large files in parts, edits and tests, tries what fails, undoes a
 * change to see a test fail, waits for a build. Nothing of it may be taken for a loop.
 */

type Calls = NonNullable<ScriptedTurn['calls']>;

const plan = aPlanFor(['own.js']);
const FILES = 40;
const MIN_TURNS = 32;
const RUNS = isSoakRun ? 40 : 22; // each episode, and mixtures of them

/** What a run has done so far. */
interface Work {
  /** The text of its own file. */
  text: string;
  /** Counts up, so that nothing is the same twice where it would not be. */
  step: number;
  random(): number;
}

const source = (index: number) =>
  Array.from({ length: 30 }, (_, line) => `  const value${line} = compute${index % 7}(${line * index});\n`).join('');
const files: Readonly<Record<string, string>> = {
  'own.js': 'start\n',
  'large.js': Array.from({ length: 1_300 }, (_, line) => `export const row${line} = [${line}, ${line * 3}];\n`).join(
    '',
  ),
  ...Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`src/f${index}.js`, source(index)])),
};

const read = (path: string, range: object = {}) => call('r', 'read_file', { path, ...range });
const run = (command: string) => call('c', 'run_command', { command });
const test = (state: string) => run(`node --test # ${state}`);

/** Edits the run's own file: what it says so far is replaced. */
function edit(work: Work, to: string): Calls[number] {
  const from = work.text;
  work.text = to;
  return call('e', 'edit_file', { path: 'own.js', old_text: from, new_text: to });
}

const grown = (work: Work) => {
  work.step += 1;
  return `${work.text}line ${work.step} of the function\n`;
};

/** Episodes of honest work. A test's output is named after the state of the work, as a real one is. */
const episodes: Readonly<Record<string, (work: Work) => Calls[]>> = {
  'reads file after file': (work) =>
    Array.from({ length: 12 }, () => {
      work.step += 1;
      return [read(`src/f${work.step % FILES}.js`)];
    }),
  'reads a large file in parts that overlap': (work) =>
    Array.from({ length: 10 }, () => {
      work.step += 1;
      const from = (work.step % 60) * 20;
      return [read('large.js', { start_line: from + 1, end_line: from + 25 })];
    }),
  'scrolls through a large file in windows that share most of their lines': (work) =>
    Array.from({ length: 10 }, () => {
      work.step += 1;
      const from = (work.step % 30) * 40;
      return [read('large.js', { start_line: from + 1, end_line: from + 100 })];
    }),
  'explores by commands': (work) =>
    Array.from({ length: 8 }, () => {
      work.step += 1;
      return [run(`sed -n '${work.step},${work.step + 40}p' src/f${work.step % FILES}.js # words ${work.step}`)];
    }),
  'edits, and the test fails in the same way each time': (work) =>
    Array.from({ length: 7 }, () => [[edit(work, grown(work))], [test('red')]]).flat(),
  'edits and tests in one turn': (work) => Array.from({ length: 8 }, () => [edit(work, grown(work)), test('red')]),
  'lets a function grow, edit by edit': (work) => Array.from({ length: 10 }, () => [edit(work, grown(work))]),
  'undoes a change to see its test fail, and does it again': (work) => {
    const before = work.text;
    const after = grown(work);
    return [
      [edit(work, after)],
      [test(`green ${work.step}`)],
      [edit(work, before)],
      [test('red')],
      [edit(work, after)],
      [test(`green ${work.step}`)],
      [run(`git diff # ${work.step}`)],
    ];
  },
  'misses a text, reads the file and edits it': (work) => {
    work.step += 1;
    const wrong = call('e', 'edit_file', { path: 'own.js', old_text: `not there ${work.step}`, new_text: 'x' });
    return [[wrong], [read('own.js')], [edit(work, grown(work))], [test('red')]];
  },
  'guesses paths, some of which are not there': (work) => {
    work.step += 1;
    return [
      [read(`lib/g${work.step}.js`), read(`lib/h${work.step}.js`)],
      [call('l', 'list_files', { path: '.' })],
      [read(`src/f${(work.step * 7) % FILES}.js`)],
    ];
  },
  'waits for a build': (work) =>
    Array.from({ length: 8 }, () => {
      work.step += 1;
      return [run('cat build.log')];
    }),
  'runs a test twice to see whether it is stable': (work) => [
    [edit(work, grown(work))],
    [test('flaky')],
    [test('flaky')],
    [run(`git diff --stat # ${work.step}`)],
  ],
  'runs the same green checks after each edit': (work) => [
    [edit(work, grown(work))],
    ...['core', 'api', 'cli', 'web', 'db', 'worker', 'agents'].map((name) => [run(`npm test -w packages/${name}`)]),
  ],
  'looks for eight old names after a rename, of which none is left': (work) => [
    [edit(work, grown(work))],
    ...Array.from({ length: 8 }, (_, index) => [
      call('s', 'search_text', { pattern: `oldName${index}`, literal: true }),
    ]),
  ],
  'looks for eight files that a repository may have': (work) => [
    [edit(work, grown(work))],
    ...Array.from({ length: 8 }, (_, index) => [read(`conf/c${index}.json`)]),
  ],
  'looks at the tree after each edit': (work) =>
    Array.from({ length: 5 }, () => [[edit(work, grown(work))], [run('git status')], [read('own.js')]]).flat(),
};

/** The output of a command: that of a test names the state of the work, that of a build goes on, a search finds. */
function commands(): (command: string) => Promise<string> {
  let count = 0;
  return async (command) => {
    count += 1;
    if (command.startsWith('node --test')) return `not ok 1 - adds\n# state ${command.includes('green')}\n# fail 1`;
    if (command.startsWith('npm test')) return '12 passed';
    if (command === 'cat build.log') return `[${count}/900] compiled`;
    if (command === 'git status') return 'On branch sluice/x\n\tmodified:   own.js';
    return `found at step ${count}\nthe words of it are ${count * 7}`;
  };
}

function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** One episode again and again, or (from the number of episodes on) a mixture of them. */
function turnsOf(index: number): { readonly name: string; readonly turns: Calls[] } {
  const named = Object.entries(episodes);
  const work: Work = { text: files['own.js'] ?? '', step: 0, random: randomOf(index + 1) };
  const [only] = named.slice(index, index + 1);
  const turns: Calls[] = [];
  while (turns.length < MIN_TURNS) {
    const [, episode] = only ?? named[Math.floor(work.random() * named.length)] ?? [];
    turns.push(...(episode?.(work) ?? []));
  }
  return { name: only?.[0] ?? `mixes all of it (${index})`, turns };
}

describe('an agent that works for long', () => {
  it.each(Array.from({ length: RUNS }, (_, index) => turnsOf(index)))('is not stopped: it $name', async ({ turns }) => {
    const script = (_request: number, prompt: readonly { role: string }[]): ScriptedTurn => {
      const calls = turns[prompt.filter(({ role }) => role === 'assistant').length];
      return calls === undefined ? finished('Done.') : { calls };
    };
    const coder = scriptedCoder(script, { files, plan, command: commands() });
    const { output } = await coder.run();
    expect(output.outcome).toBe('done');
    expect(coder.requests.length).toBeGreaterThan(MIN_TURNS);
  });
});
