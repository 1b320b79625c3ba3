import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createCommandRuns } from './command-runs.ts';
import { createLogBook, type LogPiece } from './log-book.ts';

const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();
const piece = (seq: number, command: string, second: number): LogPiece => ({
  seq,
  command,
  stream: 'stdout',
  text: `${command} ${seq}\n`,
  at: time(second),
});

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
