import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createCommandRuns } from './command-runs.ts';

const time = (second: number) => new Date(Date.UTC(2026, 10, 20, 9, 0, second)).toISOString();

function runsOf(...events: readonly ['started' | 'finished', string, number][]) {
  const runs = createCommandRuns();
  events.forEach(([what, command, second], index) => {
    const data = what === 'started' ? { command } : { command, exit_code: 0, duration_ms: 1_000, text: '' };
    runs.take({ seq: index + 1, issue_id: 'i', at: time(second), type: `command.${what}`, data } as IssueEvent);
  });
  return runs;
}

it('tells the runs of the same command apart by their times', () => {
  const runs = runsOf(
    ['started', 'npm test', 1],
    ['finished', 'npm test', 3],
    ['started', 'npm test', 5],
    ['finished', 'npm test', 7],
  );
  const at = (second: number) => runs.find({ command: 'npm test', at: time(second) })?.seq ?? null;
  expect([2, 3, 4, 6, 8].map(at)).toEqual([1, 1, null, 3, null]);
});

it('gives output to the command that wrote it, where two run at once', () => {
  const runs = runsOf(['started', 'server', 1], ['started', 'npm test', 2]);
  expect(runs.find({ command: 'server', at: time(3) })?.seq).toBe(1);
  expect(runs.find({ command: 'npm test', at: time(3) })?.seq).toBe(2);
});

it('finds no run for output of a command that it does not know', () => {
  expect(runsOf(['started', 'npm test', 1]).find({ command: 'make', at: time(2) })).toBeNull();
});

it('ends a run that was cut off with its stage', () => {
  const runs = runsOf(['started', 'npm test', 1]);
  const data = { stage: 'test', agent: 'service', attempt: 2 } as const;
  runs.take({ seq: 2, issue_id: 'i', at: time(9), type: 'stage.started', data });
  expect(runs.runs[0]?.end).toEqual({ at: time(9), exitCode: null, durationMs: 8_000 });
});
