import { expect, it } from 'vitest';
import { operatorHints, type ServerTraits } from './operator-hints.ts';
import type { Overview, Slot, Worker } from './overview-query.ts';

const AT = '2026-11-20T09:15:00.000Z';
const up = { status: 'up', latency_ms: 1 } as const;

const worker: Worker = {
  id: 'b1f6c2f0-5a3e-4a8e-9c55-6a0f4a1d7e22',
  host: 'worker-1',
  pid: 4711,
  role: 'worker',
  version: '1.0.0',
  concurrency: 10,
  started_at: AT,
  seen_at: AT,
  state: 'running',
  sandbox: { kind: 'bwrap', usable: true, problem: null, gaps: [] },
};

const healthy: Overview = {
  version: '1.0.0',
  commit: null,
  queue: { waiting_for_slot: 0, waiting_for_repo: 0, oldest_queued_at: null },
  slots: [{ number: 1, retired: false, holder: null }],
  workers: [worker],
  readiness: { status: 'up', checks: { database: up, cache: up, vector_store: up } },
  configuration: [],
};
const sound: ServerTraits = { sandbox: 'bwrap', isBuiltin: false };

const textsOf = (overview: Partial<Overview>, traits: Partial<ServerTraits> = {}) =>
  operatorHints({ ...healthy, ...overview }, { ...sound, ...traits }).map(({ text }) => text);

it('has nothing to say about a server that is well', () => {
  expect(textsOf({})).toEqual([]);
});

const cases: readonly [string, Partial<Overview>, Partial<ServerTraits>, RegExp][] = [
  ['a sandbox that is off', {}, { sandbox: 'none' }, /SANDBOX=none/],
  ['a missing model', {}, { isBuiltin: true }, /MODEL=provider\/name/],
  ['missing workers', { workers: [] }, {}, /ROLE=worker/],
  [
    'a worker that is gone',
    { workers: [worker, { ...worker, host: 'old', state: 'gone' }] },
    {},
    /worker on old .*killed/,
  ],
  ['a worker of another version', { workers: [{ ...worker, version: '0.9.0' }] }, {}, /0\.9\.0.*1\.0\.0/],
  [
    'a sandbox that cannot run commands',
    { workers: [{ ...worker, sandbox: { kind: 'bwrap', usable: false, problem: 'Install bubblewrap.', gaps: [] } }] },
    {},
    /worker-1 cannot run commands: Install bubblewrap/,
  ],
  [
    'a service that is down',
    {
      readiness: { status: 'down', checks: { ...healthy.readiness.checks, cache: { status: 'down', latency_ms: 9 } } },
    },
    {},
    /cannot reach the cache/,
  ],
];

it.each(cases)('says what to do about %s', (...[, overview, traits, text]) => {
  expect(textsOf(overview, traits)).toEqual([expect.stringMatching(text)]);
});

it('speaks of the slots only when issues wait and none is free', () => {
  const holder: Slot['holder'] = {
    issue_id: worker.id,
    title: 'x',
    owner: { id: worker.id, email: null, codehost_login: null },
    status: 'running',
    stage: null,
    since: AT,
    worker_id: null,
  };
  const queue = { ...healthy.queue, waiting_for_slot: 2 };
  const taken = { number: 1, retired: false, holder };
  expect(textsOf({ queue, slots: [taken] })).toEqual([expect.stringMatching(/2 issues wait.*MAX_ACTIVE_PIPELINES/)]);
  expect(textsOf({ queue, slots: [taken, { number: 2, retired: false, holder: null }] })).toEqual([]);
  expect(textsOf({ slots: [taken] })).toEqual([]);
});

it('tells the worst first', () => {
  const tones = operatorHints({ ...healthy, workers: [] }, { sandbox: 'none', isBuiltin: true }).map(
    ({ tone }) => tone,
  );
  expect(tones).toEqual(['bad', 'bad', 'warn']);
});
