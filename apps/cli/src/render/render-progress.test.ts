import type { EventData, EventType, IssueEvent } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { withColour, withoutColour } from '../terminal/style.ts';
import { type ProgressView, renderProgress } from './render-progress.ts';

const run = { stage: 'test', agent: 'service', attempt: 1 } as const;
const usage = { input_tokens: 0, output_tokens: 0, cost_usd: 0 };
const ended = { command: 'npm test', duration_ms: 1_250 };
const call = { agent: 'coder', call_id: '1', tool: 'edit' };
const statusChange = { from: 'pending', to: 'pending', stage: null, queue_position: 2 } as const;

const AT = '2026-11-20T09:15:00.000Z';
const usual = { style: withoutColour, width: Number.POSITIVE_INFINITY, excerpt: 'failure' } as const;

function shown<T extends EventType>(type: T, data: EventData<T>, view: Partial<ProgressView> = {}): string | null {
  const event = { type, data, seq: 1, issue_id: 'x', at: AT };
  return renderProgress(event as IssueEvent, { ...usual, ...view });
}

it('shows stages as they begin and end', () => {
  expect(shown('stage.started', run)).toBe('▸ test');
  expect(shown('stage.started', { ...run, attempt: 2 })).toBe('▸ test (attempt 2)');
  expect(shown('stage.completed', { ...run, duration_ms: 1_250, usage, detail: null })).toBe('✓ test  1.3 s');
  expect(shown('stage.completed', { ...run, duration_ms: 40, usage, detail: 'green' })).toBe('✓ test  green  0.0 s');
  expect(shown('stage.failed', { ...run, duration_ms: 1, detail: 'red:\nnot ok 1', will_retry: true })).toBe(
    '✗ test: red: (will be retried)\n  not ok 1',
  );
});

it('says which attempt failed, what failed, and when the next one starts', () => {
  const failure = {
    ...run,
    stage: 'plan',
    duration_ms: 1,
    detail: 'The model does not answer.',
    will_retry: true,
  } as const;
  const retry = { at: '2026-11-20T09:15:15.980Z', failures: 3, max_failures: 10 };
  expect(shown('stage.failed', { ...failure, retry })).toBe(
    '✗ plan: The model does not answer. (attempt 3 of 10; next in 16 s)',
  );
  expect(shown('stage.failed', { ...failure, retry: { ...retry, at: AT } })).toContain('next at once');
});

it('breaks lines between words at the width of the terminal, and indents the rest', () => {
  const narrow = { width: 30 };
  const text = 'Tests fail in two files\nagainst the base branch, as they did before.';
  expect(shown('agent.message', { agent: 'planner', text }, narrow)).toBe(
    '  planner: Tests fail in two\n  files\n  against the base branch, as\n  they did before.',
  );
  expect(shown('command.started', { command: 'npm run test -- --reporter dot' }, narrow)).toBe(
    '  $ npm run test -- --reporter\n    dot',
  );
  const detail = 'red as before: two tests of twelve';
  expect(shown('stage.completed', { ...run, duration_ms: 40, usage, detail }, narrow)).toBe(
    '✓ test  red as before: two\n  tests of twelve  0.0 s',
  );
});

it('shows no output that was shown live, and all that is known of it on request', () => {
  const text = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  expect(shown('command.finished', { ...ended, exit_code: 1, text }, { excerpt: 'none' })).toBe('  exit 1 after 1.3 s');
  expect(shown('command.finished', { ...ended, exit_code: 0, text }, { excerpt: 'all' })?.split('\n')).toHaveLength(41);
});

it('shows a reminder of a pending decision', () => {
  const reminder = { kind: 'plan', requested_at: '2026-11-20T09:15:00.000Z', expires_at: null } as const;
  expect(shown('gate.reminder', reminder)).toMatch(
    /^! waiting for a decision since 2026-11-\d\d \d\d:15, and holding a slot$/,
  );
});

it('shows a command, and the end of its output when it failed', () => {
  expect(shown('command.started', { command: 'npm test' })).toBe('  $ npm test');
  expect(shown('command.finished', { ...ended, exit_code: 0, text: 'ok' })).toBe('  exit 0 after 1.3 s');
  expect(shown('command.finished', { ...ended, exit_code: 1, text: 'a\n\nb\n' })).toBe(
    '  exit 1 after 1.3 s\n  a\n\n  b',
  );
  expect(shown('command.finished', { ...ended, exit_code: null, text: '' })).toBe('  stopped after 1.3 s');
  const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n');
  expect(
    shown('command.finished', { ...ended, exit_code: 1, text: long })
      ?.split('\n')
      .slice(1),
  ).toEqual(
    long
      .split('\n')
      .slice(-12)
      .map((line) => `  ${line}`),
  );
});

it.each([
  'not ok 2 - adds',
  '    not ok 1 - adds',
  '✖ adds',
  ' FAIL  a.test.ts',
  '--- FAIL: TestAdd',
  'E   assert 1 == 2',
])('shows a long output from where it says "%s"', (failure) => {
  const noise = Array.from({ length: 40 }, (_, line) => `line ${line}`);
  const text = [...noise, failure, 'expected 2', ...noise].join('\n');
  const lines = shown('command.finished', { ...ended, exit_code: 1, text })
    ?.split('\n')
    .slice(1);
  expect(lines).toHaveLength(12);
  expect(lines?.slice(0, 2)).toEqual([`  ${failure}`, '  expected 2']);
});

it('shows messages of agents, and one line for each tool call', () => {
  expect(shown('agent.message', { agent: 'coder', text: 'Done.\nReally.' })).toBe('  coder: Done.\n  Really.');
  expect(shown('agent.message', { agent: 'coder', text: ' \n' })).toBeNull();
  expect(shown('agent.tool_call', { ...call, input: { path: 'a.js', text: 'x' } })).toBe('  coder: edit a.js');
  expect(shown('agent.tool_call', { ...call, input: { command: 'one\ntwo' } })).toBe('  coder: edit one');
  expect(shown('agent.tool_call', { ...call, input: { path: 7 } })).toBe('  coder: edit');
  expect(shown('agent.tool_call', { ...call, input: { path: 'src', pattern: 'sum\\(' } })).toBe('  coder: edit sum\\(');
  const patch = '*** Begin Patch\n*** Update File: src/a.js\n';
  expect(shown('agent.tool_call', { ...call, input: { patch } })).toBe('  coder: edit src/a.js');
  expect(shown('agent.tool_call', { ...call, input: { outcome: 'done' } })).toBe('  coder: edit done');
  expect(shown('agent.tool_result', { ...call, ok: true, summary: 'fine' })).toBeNull();
  expect(shown('agent.tool_result', { ...call, ok: false, summary: 'no such file' })).toBe('  edit: no such file');
});

it('shows a change of status only where it adds to the stages', () => {
  expect(shown('issue.status', statusChange)).toBe('▸ waiting for a free slot (position 2)');
  expect(shown('issue.status', { ...statusChange, queue_position: null })).toBe('▸ waiting for a free slot');
  expect(shown('issue.status', { ...statusChange, to: 'running' })).toBeNull();
  expect(shown('issue.status', { ...statusChange, to: 'cancelled', detail: 'No decision was made in 7 days.' })).toBe(
    '! No decision was made in 7 days.',
  );
});

it('shows notes of users between the messages of agents', () => {
  expect(shown('user.message', { text: 'Mind the zero.\nAnd the sign.' })).toBe(
    '  note: Mind the zero.\n  And the sign.',
  );
  expect(shown('note.read', { agent: 'coder', seq: 7 })).toBe('  the coder has read your note');
});

it('shows no live text, because a later event has all of it', () => {
  const live = { issue_id: 'x', at: '2026-11-20T09:15:00.000Z' };
  expect(renderProgress({ type: 'agent.delta', data: { agent: 'coder', text: 'x' }, ...live }, usual)).toBeNull();
});

it('lets no hostile text act on the terminal, with colour or without', () => {
  const evil = '\x1b[2J\x1b]8;;http://evil\x07x\r✓ test';
  for (const style of [withoutColour, withColour]) {
    const lines = [
      shown('stage.completed', { ...run, duration_ms: 1, usage, detail: evil }, { style }),
      shown('stage.failed', { ...run, duration_ms: 1, detail: evil, will_retry: false }, { style }),
      shown('command.started', { command: `${evil}\n✓ test` }, { style }),
      shown('command.finished', { ...ended, exit_code: 1, text: evil }, { style }),
      shown('agent.message', { agent: evil, text: evil }, { style }),
      shown('agent.tool_call', { ...call, tool: evil, input: { path: evil } }, { style }),
      shown('agent.tool_result', { ...call, tool: evil, ok: false, summary: evil }, { style }),
      shown('issue.status', { ...statusChange, detail: evil }, { style }),
      shown('user.message', { text: evil }, { style }),
    ];
    for (const line of lines) {
      expect(line?.replaceAll(/\x1b\[[0-9;]*m/g, '')).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(line).not.toMatch(/^✓ test$/m);
    }
  }
});
