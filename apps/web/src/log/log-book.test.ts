import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createCommandRuns } from './command-runs.ts';
import { createLogBook, type LogPiece } from './log-book.ts';

const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();
const piece = (seq: number, command: string, second: number): LogPiece => ({
  seq,
  command,
  run_seq: null,
  stream: 'stdout',
  text: `${command} ${seq}\n`,
  left_out: null,
  at: time(second),
});
/** A piece of a log, with the run that it belongs to. */
const pieceOf = (run_seq: number, seq: number): LogPiece => ({ ...piece(seq, 'a', 1), run_seq });

function setUp(...events: readonly ['started' | 'finished', string, number][]) {
  const runs = createCommandRuns();
  events.forEach(([what, command, second], index) => {
    const data = what === 'started' ? { command } : { command, exit_code: 2, duration_ms: 1_000, text: '' };
    runs.take({ seq: index + 1, issue_id: 'i', at: time(second), type: `command.${what}`, data } as IssueEvent);
  });
  return runs;
}

it('has a section for each run, also for one without output', () => {
  const runs = setUp(['started', 'a', 1], ['finished', 'a', 3], ['started', 'b', 4], ['started', 'a', 6]);
  const book = createLogBook();
  book.takeRuns(runs);
  book.take([piece(1, 'a', 2), piece(2, 'a', 7), piece(3, 'a', 8)], runs);
  expect(book.sections.map(({ command, lines }) => [command, lines.count])).toEqual([
    ['a', 1],
    ['b', 0],
    ['a', 2],
  ]);
  expect(book.sections[0]?.run?.end?.exitCode).toBe(2);
});

it('adds output to the run that it names, also where the same command runs twice at once', () => {
  const runs = setUp(['started', 'a', 1], ['started', 'a', 1]);
  const book = createLogBook();
  book.takeRuns(runs);
  book.take([pieceOf(1, 1), pieceOf(2, 2), pieceOf(1, 3)], runs);
  expect(book.sections.map(({ id, lines }) => [id, lines.count])).toEqual([
    [1, 2],
    [2, 1],
  ]);
});

it('adds output that comes before the event of its run to the section that the event completes', () => {
  const book = createLogBook();
  book.take([pieceOf(1, 1)], setUp());
  expect(book.sections[0]?.run).toBeNull();
  book.takeRuns(setUp(['started', 'a', 1]));
  expect(book.sections.map(({ run, lines }) => [run?.seq, lines.count])).toEqual([[1, 1]]);
});

it('tells runs apart whose events are gone, by the numbers that their output names', () => {
  const book = createLogBook();
  book.take([pieceOf(4, 1), pieceOf(9, 2)], setUp());
  expect(book.sections.map(({ id, run }) => [id, run])).toEqual([
    [4, null],
    [9, null],
  ]);
});

it('takes what says that output is missing for a gap, not for output', () => {
  const book = createLogBook();
  const gap = {
    ...pieceOf(1, 2),
    text: '\n[90 characters in 9 lines left out]\n',
    left_out: { characters: 90, lines: 9 },
  };
  book.take([pieceOf(1, 1), gap, pieceOf(1, 3)], setUp());
  const lines = book.sections[0]?.lines;
  expect([0, 1, 2].map((row) => lines?.line(row))).toEqual(['a 1', '', 'a 3']);
  expect(lines?.gaps.number(2)).toBe(11);
});

it('learns the end of a run that had begun before', () => {
  const runs = setUp(['started', 'a', 1]);
  const book = createLogBook();
  book.takeRuns(runs);
  expect(book.sections[0]?.run?.end).toBeNull();
  const data = { command: 'a', exit_code: 0, duration_ms: 5, text: '' };
  runs.take({ seq: 2, issue_id: 'i', at: time(3), type: 'command.finished', data });
  book.takeRuns(runs);
  expect(book.sections).toHaveLength(1);
  expect(book.sections[0]?.run?.end?.durationMs).toBe(5);
});

it('still shows output whose events are gone', () => {
  const runs = setUp();
  const book = createLogBook();
  book.take([piece(1, 'a', 2), piece(2, 'a', 3), piece(3, 'b', 4)], runs);
  expect(book.sections.map(({ command, run, lines }) => [command, run, lines.count])).toEqual([
    ['a', null, 2],
    ['b', null, 1],
  ]);
});
