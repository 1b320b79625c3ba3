import type { IssueEvent } from '@sluice/client';
import { expect, it } from 'vitest';
import { createTimelineFold } from './fold-events.ts';
import type { StageRun } from './timeline-item.ts';

const START = Date.parse('2026-11-20T09:00:00.000Z');

/** Folds events that are written a second apart, unless they say when: `[type, data, second]`. */
function fold(...events: readonly [IssueEvent['type'], object, number?][]) {
  const timeline = createTimelineFold();
  let second = 0;
  events.forEach(([type, data, at = second + 1], index) => {
    second = at;
    const time = new Date(START + at * 1_000).toISOString();
    timeline.take({ seq: index + 1, issue_id: 'i', at: time, type, data } as IssueEvent);
  });
  return timeline;
}

const usage = { input_tokens: 1, output_tokens: 2, cost_usd: 0.5 };
const run = { stage: 'implement', agent: 'coder', attempt: 1 };
const call = (id: string) => ({ agent: 'coder', call_id: id, tool: 'read_file', input: { path: 'a' } });
const result = (id: string, ok = true) => ({ agent: 'coder', call_id: id, tool: 'read_file', ok, summary: 'text' });
const say = (text: string, agent = 'coder') => ({ agent, text });
const stages = (timeline: ReturnType<typeof fold>) =>
  timeline.items.filter((item): item is StageRun => item.kind === 'stage');

it('makes one row of a stage, with what it took and how it ended', () => {
  const [stage] = stages(
    fold(
      ['stage.started', run],
      ['agent.message', say('Reading.')],
      ['stage.completed', { ...run, duration_ms: 2_000, usage, detail: 'done' }],
    ),
  );
  expect(stage).toMatchObject({
    stage: 'implement',
    agent: 'coder',
    outcome: 'completed',
    durationMs: 2_000,
    detail: 'done',
  });
  expect(stage?.usage).toEqual(usage);
  expect(stage?.entries).toHaveLength(1);
});

it('joins a call with its result, and a command with its end', () => {
  const timeline = fold(
    ['stage.started', run],
    ['agent.tool_call', call('a')],
    ['agent.tool_call', call('b')],
    ['agent.tool_result', result('b', false)],
    ['agent.tool_result', result('a')],
    ['command.started', { command: 'npm test' }],
    ['command.finished', { command: 'npm test', exit_code: 1, duration_ms: 9, text: 'red' }],
  );
  const [stage] = stages(timeline);
  expect(stage?.entries).toMatchObject([
    { seq: 2, kind: 'tool', result: { ok: true, ms: 3_000 } },
    { seq: 3, kind: 'tool', result: { ok: false } },
    { seq: 6, kind: 'command', end: { exit_code: 1, text: 'red' } },
  ]);
  expect(stage?.counts).toMatchObject({ tools: 2, commands: 1, failures: 2 });
  expect(timeline.locate(5)).toEqual({ item: 0, entry: 2 });
});

it('tells a decision on the plan from one on the publication', () => {
  const requested = { revision: 1 };
  const decided = { action: 'approve', revision: 1, guidance: null, user_id: 'u' };
  const { items } = fold(
    ['review.requested', requested],
    ['review.decided', decided],
    ['stage.started', { ...run, stage: 'publish' }],
    ['stage.completed', { ...run, stage: 'publish', duration_ms: 1, usage, detail: null }],
    ['review.requested', requested],
    ['review.decided', decided],
  );
  const gates = items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
  expect(gates.map((entry) => 'on' in entry && [entry.kind, entry.on])).toEqual([
    ['gate', 'plan'],
    ['decision', 'plan'],
    ['gate', 'publish'],
    ['decision', 'publish'],
  ]);
});

it('joins the same command run twice with the right ends', () => {
  const [stage] = stages(
    fold(
      ['stage.started', run],
      ['command.started', { command: 'npm test' }],
      ['command.finished', { command: 'npm test', exit_code: 1, duration_ms: 1, text: '' }],
      ['command.started', { command: 'npm test' }],
      ['command.finished', { command: 'npm test', exit_code: 0, duration_ms: 1, text: '' }],
    ),
  );
  expect(stage?.entries).toMatchObject([{ end: { exit_code: 1 } }, { end: { exit_code: 0 } }]);
});

it('counts a message and its calls as one turn, and says at which turn a note was read', () => {
  const [stage] = stages(
    fold(
      ['stage.started', run, 1],
      ['agent.message', say('Two files.'), 2],
      ['agent.tool_call', call('a'), 2],
      ['agent.tool_call', call('b'), 2],
      ['user.message', { text: 'Mind the tests.' }, 3],
      ['agent.tool_result', result('a'), 3],
      ['note.read', { agent: 'coder', seq: 5 }, 4],
      ['agent.tool_call', call('c'), 5],
    ),
  );
  expect(stage?.counts.turns).toBe(2);
  expect(stage?.entries[3]).toMatchObject({ kind: 'note', read: { agent: 'coder', turn: 2 } });
});

it('tells a retry, an interruption and a new round apart', () => {
  const failed = { ...run, duration_ms: 5, detail: 'timeout', will_retry: true };
  const timeline = fold(
    ['stage.started', run],
    ['stage.failed', failed],
    ['stage.started', { ...run, attempt: 2 }, 60],
    ['stage.started', { ...run, attempt: 3 }, 70],
    ['stage.completed', { ...run, attempt: 3, duration_ms: 1, usage, detail: null }],
    ['stage.started', run],
  );
  expect(stages(timeline).map(({ outcome, attempt, round }) => [outcome, attempt, round])).toEqual([
    ['failed', 1, 1],
    ['interrupted', 2, 1],
    ['completed', 3, 1],
    ['running', 1, 2],
  ]);
  expect(timeline.items[1]).toMatchObject({
    kind: 'pause',
    why: 'retry',
    until: new Date(START + 60_000).toISOString(),
  });
});

it('shows what was cut off with its stage as ended', () => {
  const timeline = fold(
    ['stage.started', run],
    ['agent.tool_call', call('a')],
    ['command.started', { command: 'npm test' }],
    ['stage.started', { ...run, attempt: 2 }, 60],
    ['agent.tool_result', result('a')],
    ['command.started', { command: 'npm test' }],
    ['command.finished', { command: 'npm test', exit_code: 0, duration_ms: 1, text: '' }],
  );
  const [first, second] = stages(timeline);
  expect(first?.entries).toMatchObject([{ result: { ok: true } }, { end: { exit_code: null, duration_ms: 57_000 } }]);
  expect(second?.entries).toMatchObject([{ end: { exit_code: 0 } }]);
});

it('shows the time at the gate as one pause that the decision ends', () => {
  const timeline = fold(
    ['plan.created', { plan: { revision: 1 } }, 1],
    ['issue.status', { from: 'human_review', to: 'awaiting_approval', stage: 'human_review', queue_position: null }, 2],
    ['review.decided', { revision: 1, action: 'approve', guidance: null, user_id: 'u' }, 10_802],
    ['issue.status', { from: 'awaiting_approval', to: 'running', stage: 'implement', queue_position: null }, 10_802],
  );
  expect(timeline.items.map(({ kind }) => kind)).toEqual(['entry', 'pause', 'entry']);
  expect(timeline.items[1]).toMatchObject({ why: 'decision', until: new Date(START + 10_802_000).toISOString() });
});

it('leaves out a pause that is too short to notice', () => {
  const timeline = fold(
    ['issue.status', { from: 'pending', to: 'pending', stage: null, queue_position: 1 }, 1],
    ['issue.status', { from: 'pending', to: 'running', stage: 'prepare', queue_position: null }, 1],
    ['stage.started', { ...run, stage: 'prepare', agent: 'service' }, 1],
  );
  expect(timeline.items.map(({ kind }) => kind)).toEqual(['stage']);
});

it('ends a running stage with the issue, without calling it a failure', () => {
  const timeline = fold(
    ['stage.started', run],
    ['issue.status', { from: 'running', to: 'cancelled', stage: 'implement', queue_position: null, detail: 'by ada' }],
  );
  expect(stages(timeline)[0]?.outcome).toBe('interrupted');
  expect(timeline.items[1]).toMatchObject({ entry: { kind: 'status', to: 'cancelled', detail: 'by ada' } });
});

it('finds the row of every event', () => {
  const timeline = fold(
    ['stage.started', run],
    ['agent.message', say('Reading.')],
    ['stage.completed', { ...run, duration_ms: 2_000, usage, detail: 'done' }],
    ['plan.created', { plan: { revision: 1 } }],
  );
  expect([1, 2, 3, 4].map((seq) => timeline.locate(seq))).toEqual([
    { item: 0, entry: null },
    { item: 0, entry: 2 },
    { item: 0, entry: null },
    { item: 1, entry: null },
  ]);
});

it('replaces an entry that changes by a new object and leaves the others', () => {
  const timeline = fold(['stage.started', run], ['agent.tool_call', call('a')], ['agent.message', say('b')]);
  const [before] = stages(timeline);
  const [tool, message] = before?.entries ?? [];
  timeline.take({
    seq: 4,
    issue_id: 'i',
    at: new Date(START).toISOString(),
    type: 'agent.tool_result',
    data: result('a'),
  });
  const [after] = stages(timeline);
  expect(after).not.toBe(before);
  expect(after?.entries[0]).not.toBe(tool);
  expect(after?.entries[1]).toBe(message);
});
