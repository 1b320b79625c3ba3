import type { ToolResultPart } from 'ai';
import { describe, expect, it } from 'vitest';
import { standstill } from './standstill.ts';
import { type TranscriptMessage, transcriptMessage } from './transcript.ts';

interface Made {
  readonly tool: string;
  readonly input: object;
  readonly told: string;
  readonly isRefused?: boolean;
}

let trees = 0;

/** A turn with these calls. One that writes leaves a tree that was not there before. */
function turn(...calls: readonly Made[]): TranscriptMessage[] {
  const content = calls.map(({ tool, input }, index) => {
    return { type: 'tool-call' as const, toolCallId: `${index}`, toolName: tool, input };
  });
  const results = calls.map(({ tool, told, isRefused = false }, index): ToolResultPart => {
    const output = { type: isRefused ? 'error-text' : 'text', value: told } as const;
    return { type: 'tool-result', toolCallId: `${index}`, toolName: tool, output };
  });
  trees += 1;
  const answer = transcriptMessage('answer', { role: 'assistant', content });
  return [
    calls.some(({ tool }) => !tool.startsWith('read')) ? { ...answer, tree: `tree ${trees}` } : answer,
    transcriptMessage('result', { role: 'tool', content: results }),
  ];
}

const write = (path: string): Made => ({ tool: 'write_file', input: { path, content: 'x' }, told: `Wrote ${path}.` });
const read = (path: string, text = path): Made => {
  return { tool: 'read_file', input: { path }, told: `${path}: lines 1-1 of 9\n${text}` };
};
const run = (command: string, output: string, exitCode = 1): Made => {
  return { tool: 'run_command', input: { command }, told: `Exit code ${exitCode}, after 1.0 s.\n${output}` };
};
const red = (name = 'adds', says = 'got 4') => run('npm test', `not ok 1 - ${name}\n${says}`);
const each = (count: number, made: (n: number) => TranscriptMessage[]) =>
  Array.from({ length: count }, (_, n) => made(n)).flat();
const PLAN = ['a.js', './lib/b.js', 'c.js'];

/** How many runs with the same failures, and how many turns of writes outside the plan, there are since the last progress. */
function counts(transcript: readonly TranscriptMessage[], plan: readonly string[] | null = PLAN): [number, number] {
  const { sameFailures, outsideWrites } = standstill(transcript, plan);
  return [sameFailures.at.length, outsideWrites.at.length];
}

describe('runs with the same failures', () => {
  const before = [...turn(write('a.js')), ...each(5, () => turn(red()))];

  it.each<[string, TranscriptMessage[], number]>([
    ['the same again', turn(red()), 6],
    ['an edit of the same file', turn(write('a.js')), 5],
    ['the same in a turn with an edit', turn(write('a.js'), red()), 6],
    ['two runs in one turn', turn(red(), red()), 6],
    ['a file of the plan for the first time', turn(write('lib/b.js')), 0],
    ['a file of the plan for the first time, by a command', turn(run('sed -i s/1/2/ c.js', '(no output)', 0)), 0],
    ['another test that fails', turn(red('halves')), 1],
    ['a test that fails besides', turn(run('npm test', 'not ok 1 - adds\nnot ok 2 - halves\ngot 4')), 1],
    ['another outcome of the same test', turn(red('adds', 'got 5')), 1],
    ['the same test that passes', turn(run('npm test', 'ok 1 - adds', 0)), 0],
    ['another command that passes', turn(run('npm run build', 'built', 0)), 5],
    ['a file that was not shown before', turn(read('d.js')), 0],
    ['a file that was not shown before, by a command', turn(run("sed -n '1,9p' d.js", 'text of d', 0)), 0],
    ['a file that the agent wrote itself', turn(read('a.js')), 5],
    [
      'a look that finds nothing',
      turn({ tool: 'search_text', input: { pattern: 'x' }, told: 'No line in it matches.' }),
      5,
    ],
  ])('after %s', (_what, next, count) => {
    expect(counts([...before, ...next])[0]).toBe(count);
  });

  it('are counted across runs in which another set fails that had failed before', () => {
    const back = [...turn(red('halves')), ...turn(red())];
    expect(counts([...before, ...back])[0]).toBe(1);
    expect(counts([...before, ...back, ...each(4, () => [...turn(red('halves')), ...turn(red())])])[0]).toBe(5);
  });

  it('are counted from zero after ten files or ranges in a row that were not shown before, and no more after that', () => {
    const looks = (count: number) => each(count, (n) => [...turn(read(`d${n}.js`)), ...turn(red())]);
    expect(counts([...before, ...looks(10)])[0]).toBe(1);
    expect(counts([...before, ...looks(16)])[0]).toBe(7);
    const later = each(3, (n) => [...turn(read(`e${n}.js`)), ...turn(red())]);
    expect(counts([...before, ...looks(16), ...later])[0]).toBe(10);
    expect(counts([...before, ...looks(16), ...turn(write('c.js')), ...later])[0]).toBe(1);
  });

  it('are counted from zero for twenty other outcomes of the same tests, and no more after that', () => {
    const outcomes = (count: number) => each(count, (n) => turn(red('adds', `got ${n + 10}`)));
    expect(counts([...before, ...outcomes(20)])[0]).toBe(1);
    expect(counts([...before, ...outcomes(26)])[0]).toBe(7);
  });

  it('are counted from zero for another outcome of a trial outside the plan', () => {
    const tries = (says: (n: number) => string) =>
      each(7, (n) => [...turn(write('a.js')), ...turn(run('node trial.js', says(n)))]);
    const trial = turn(write('trial.js'));
    expect(counts([...trial, ...tries((n) => `Error: got ${n}`)])[0]).toBe(1);
    expect(counts([...trial, ...tries(() => 'Error: off')])[0]).toBe(7);
  });

  it('are those of the same command where no test is named', () => {
    const crash = () => turn(run('make check', 'Segmentation fault'));
    expect(counts(each(6, crash))[0]).toBe(6);
    expect(counts([...each(6, crash), ...turn(run('make check', 'Bus error'))])[0]).toBe(1);
    expect(counts(each(6, (n) => turn(run(`cat conf/${n}.json`, 'cat: No such file or directory'))))[0]).toBe(1);
  });

  it('are counted without a plan too', () => {
    expect(counts(before, null)[0]).toBe(5);
    expect(counts(before, [])[0]).toBe(5);
  });

  it.each(['note', 'correction', 'opening'] as const)('are counted from zero after a message: %s', (kind) => {
    const message = transcriptMessage(kind, { role: 'user', content: 'Look at b.' });
    expect(counts([...before, message])).toEqual([0, 0]);
    expect(counts([...before, message, ...turn(red())])[0]).toBe(1);
  });
});

describe('turns of writes outside the plan', () => {
  const before = each(5, (n) => turn(write(`scratch${n}.js`)));

  it.each<[string, TranscriptMessage[], number]>([
    ['another one', turn(write('scratch.js')), 6],
    ['another one and its run', [...turn(write('s.js')), ...turn(run('node s.js', '5', 0))], 6],
    ['two in one turn', turn(write('s.js'), write('t.js')), 6],
    ['one by a command', turn(run('cat > s.js <<EOF\nx\nEOF', '(no output)', 0)), 6],
    ['one that is read back', turn(read('scratch1.js')), 5],
    ['one beside a file of the plan', turn(write('s.js'), write('./a.js')), 0],
    ['a file of the plan', turn(write('lib/b.js')), 0],
    ['a file that was not shown before', turn(read('d.js')), 0],
    ['a run in which a test fails that did not fail before', turn(red()), 0],
    ['a run of one that fails in its own way', turn(run('node scratch2.js', 'Error: off')), 5],
    ['a command that prints something', turn(run('node scratch1.js', '5', 0)), 5],
    [
      'a write that was refused',
      turn({ ...write('s.js'), told: 's.js is not in the approved plan.', isRefused: true }),
      5,
    ],
  ])('are counted after %s', (_what, next, count) => {
    expect(counts([...before, ...next])[1]).toBe(count);
  });

  it('are counted across runs in which only more tests fail, and from zero when one no longer does', () => {
    const fails = (...names: string[]) => turn(run('npm test', names.map((name) => `not ok 1 - ${name}`).join('\n')));
    const grown = each(4, (n) => [
      ...turn(write(`scratch${n}.test.js`)),
      ...fails(...Array.from({ length: n + 1 }, (_, index) => `scratch ${index}`)),
    ]);
    expect(counts(grown)[1]).toBe(3);
    expect(counts([...grown, ...fails('scratch 1')])[1]).toBe(0);
  });

  it.each([null, []])('are none where there is no plan to be outside of: %j', (plan) => {
    expect(counts(before, plan)[1]).toBe(0);
  });
});
