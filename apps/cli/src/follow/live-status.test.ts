import type { EventData, EventType, IssueEvent, LiveEvent } from '@sluice/core/issue';
import { beforeEach, expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { createLiveStatus, type LiveStatus } from './live-status.ts';

const START = Date.parse('2026-11-20T09:15:00.000Z');
const run = { stage: 'test', agent: 'service', attempt: 1 } as const;
const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };

let now: number;
let width: number;
let shown: readonly string[];
let printed: string[];
let status: LiveStatus;

function open({ atTerminal }: { atTerminal: boolean }): LiveStatus {
  const show = (lines: (columns: number) => readonly string[]) => {
    shown = lines(width);
  };
  const live = { show, print: (text: string) => printed.push(text), clear: () => (shown = []) };
  const message = (line: string) => void printed.push(line);
  return createLiveStatus({ live: atTerminal ? live : null, message, messageStyle: withoutColour }, () => now);
}

function happens<T extends EventType>(type: T, data: EventData<T>): void {
  status.follow({ type, data, seq: 1, issue_id: 'x', at: new Date(now).toISOString() } as IssueEvent);
}

function writes(text: string): void {
  const data = { command: 'npm test', stream: 'stdout', text } as const;
  status.follow({ type: 'command.output', data, issue_id: 'x', at: new Date(now).toISOString() } as LiveEvent);
}

/** The lines after `seconds`, without the sign that moves. */
function after(seconds: number): string[] {
  now += seconds * 1_000;
  status.tick();
  return shown.map((line) => line.replace(/^[⠀-⣿] /, ''));
}

beforeEach(() => {
  now = START;
  width = 79;
  shown = [];
  printed = [];
  status = open({ atTerminal: true });
});

it('shows the stage, how long it takes, and how long all stages have taken', () => {
  expect(after(1)).toEqual([]);
  happens('stage.started', { ...run, stage: 'implement' });
  expect(after(5)).toEqual(['implement, 5 s']);
  happens('stage.completed', { ...run, stage: 'implement', duration_ms: 60_000, usage, detail: null });
  happens('stage.started', { ...run, attempt: 2 });
  expect(after(65)).toEqual(['test (attempt 2), 1 min 5 s, 2 min 5 s in all']);
  happens('issue.status', { from: 'running', to: 'completed', stage: null, queue_position: null });
  expect(after(1)).toEqual([]);
});

it('moves while nothing else changes', () => {
  happens('stage.started', run);
  const frames = [0, 0.25, 0.5].map((seconds) => {
    after(seconds);
    return shown[0]?.[0];
  });
  expect(new Set(frames).size).toBe(3);
});

it('counts down to the next attempt', () => {
  happens('stage.started', { ...run, attempt: 3 });
  const retry = { at: new Date(now + 20_000).toISOString(), failures: 3, max_failures: 10 };
  happens('stage.failed', { ...run, duration_ms: 1, detail: 'x', will_retry: true, retry });
  expect(after(0)).toEqual(['test: attempt 3 of 10 failed, next in 20 s']);
  expect(after(19.5)).toEqual(['test: attempt 3 of 10 failed, next in 1 s']);
  expect(after(5)).toEqual(['test: attempt 3 of 10 failed, next one now']);
});

it('shows what it waits for: its repository, a slot, a decision', () => {
  const detail = 'The issue waits for another issue on its repository.';
  happens('issue.status', { from: 'pending', to: 'pending', stage: null, queue_position: null, detail });
  expect(after(5)).toEqual(['waiting for another issue on the repository, 5 s']);
  now = START;
  happens('issue.status', { from: 'pending', to: 'pending', stage: null, queue_position: 2 });
  expect(after(60)).toEqual(['waiting for a free slot, position 2, 1 min']);
  happens('issue.status', { from: 'pending', to: 'pending', stage: null, queue_position: 1 });
  expect(after(60)).toEqual(['waiting for a free slot, position 1, 2 min']);
  happens('issue.status', { from: 'running', to: 'awaiting_approval', stage: 'human_review', queue_position: null });
  expect(after(7_200)).toEqual(['waiting for a decision, 2 h']);
});

it('folds what a command writes to its last lines, and removes them at its end', () => {
  happens('stage.started', run);
  happens('command.started', { command: 'npm test' });
  writes('one\ntwo\nthree\n\nfour\nfi');
  writes('ve');
  expect(after(2)).toEqual(['test, 2 s · $ npm test', '  │ two', '  │ three', '  │ four', '  │ five']);
  writes('\n10 %\r20 %\r');
  expect(after(0).at(-1)).toBe('  │ 20 %');
  happens('command.finished', { command: 'npm test', exit_code: 0, duration_ms: 1, text: '' });
  expect(after(0)).toEqual(['test, 2 s']);
});

it('folds the words of a model, broken between words', () => {
  width = 30;
  happens('stage.started', { ...run, stage: 'plan' });
  const text = 'The discount is subtracted as an amount, but it is a percentage.';
  const delta = {
    type: 'agent.delta',
    data: { agent: 'planner', text },
    issue_id: 'x',
    at: new Date(now).toISOString(),
  };
  status.follow(delta as LiveEvent);
  expect(after(1)).toEqual([
    'plan, 1 s',
    '  │ The discount is subtracted',
    '  │ as an amount, but it is a',
    '  │ percentage.',
  ]);
});

it.each([20, 59, 119])('shows no line wider than %d columns, and no control characters', (columns) => {
  width = columns;
  happens('stage.started', run);
  happens('command.started', { command: `printf '\x1b[2J' && ${'long '.repeat(50)}` });
  writes(`\x1b[2J\x1b]8;;http://evil\x07${'価格'.repeat(100)}\tend\n${'word '.repeat(60)}`);
  const lines = after(1);
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    expect([...line].reduce((sum, sign) => sum + (/[価格]/.test(sign) ? 2 : 1), 0)).toBeLessThanOrEqual(columns);
    expect(line).not.toMatch(/\p{Cc}/u);
  }
});

it('breaks the silence without a terminal after a minute, and then less often', () => {
  status = open({ atTerminal: false });
  status.print('▸ test');
  happens('stage.started', run);
  const told = Array.from({ length: 20 * 60 }, (_, second) => {
    const before = printed.length;
    after(1);
    return printed.length > before ? second + 1 : null;
  }).filter((second) => second !== null);
  expect(told).toEqual([60, 180, 420, 720, 1020]);
  expect(printed.slice(0, 3)).toEqual(['▸ test', '… still running: test, 1 min', '… still running: test, 3 min']);
  status.print('  exit 0');
  after(60);
  expect(printed.at(-1)).toBe('… still running: test, 21 min');
});
