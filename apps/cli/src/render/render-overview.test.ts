import { expect, it } from 'vitest';
import { withoutColour } from '../terminal/style.ts';
import { renderOverview } from './render-overview.ts';

const NOW = new Date('2026-11-23T09:10:00.000Z');
const AT = '2026-11-23T09:00:00.000Z';

const idle = {
  version: '1.2.3',
  commit: null,
  queue: { waiting_for_slot: 0, waiting_for_repo: 0, oldest_queued_at: null },
  slots: [{ number: 1, retired: false, holder: null }],
  workers: [],
  readiness: {
    status: 'up',
    checks: {
      database: { status: 'up', latency_ms: 1 },
      cache: { status: 'up', latency_ms: 0 },
      vector_store: { status: 'up', latency_ms: 3 },
    },
  },
  configuration: [],
} satisfies Parameters<typeof renderOverview>[0];

const worker = {
  id: 'one',
  host: 'host-1',
  pid: 7,
  role: 'worker',
  version: '1.2.3',
  concurrency: 10,
  started_at: AT,
  seen_at: AT,
  state: 'running',
  sandbox: null,
} as const;

const busy = {
  ...idle,
  commit: '4f0c1a7be2d95836a1b7c0de4f9a83125d6e7b90',
  queue: { waiting_for_slot: 2, waiting_for_repo: 1, oldest_queued_at: AT },
  slots: [
    ...idle.slots,
    {
      number: 2,
      retired: false,
      holder: {
        issue_id: '0199aaaa-0000-7000-8000-00000c2d3e4f',
        title: 'A title\u001b[31m of\nmany lines',
        owner: { id: '0199aaaa-0000-7000-8000-000000000002', email: 'ann@example.com', codehost_login: null },
        status: 'running',
        stage: 'implement',
        since: AT,
        worker_id: 'one',
      },
    },
  ],
  workers: [
    { ...worker, sandbox: { kind: 'bwrap', usable: true, problem: null, gaps: ['no limit on memory'] } },
    { ...worker, host: 'host-2', sandbox: { kind: 'none', usable: true, problem: null, gaps: [] } },
    {
      ...worker,
      host: 'host-3',
      state: 'gone',
      sandbox: { kind: 'bwrap', usable: false, problem: 'no namespaces', gaps: [] },
    },
    { ...worker, host: 'host-4' },
  ],
  configuration: [
    { name: 'PORT', value: '3000', source: 'environment', path: null },
    { name: 'SESSION_SECRET', value: null, source: '.env', path: '/srv/.env' },
  ],
} satisfies Parameters<typeof renderOverview>[0];

const lines = (overview: Parameters<typeof renderOverview>[0], isTerminal: boolean) =>
  renderOverview(overview, { style: withoutColour, page: { isTerminal, width: 120 } }, NOW).split('\n');

it('says of an idle server that nothing waits, and that nothing runs without a worker', () => {
  expect(lines(idle, true)).toEqual([
    'Version',
    '1.2.3',
    '',
    'Readiness',
    'database up (1 ms), cache up (0 ms), vector store up (3 ms)',
    '',
    'Queue',
    '0 issues wait for a slot; 0 issues wait for another issue on the repository',
    '',
    'Slots: 0 of 1 held',
    '',
    'Workers',
    'none: nothing runs',
    '',
    'Configuration',
    'all defaults',
  ]);
});

it('names who holds the slots, the state of each worker and its sandbox, and what is set', () => {
  const text = lines(busy, true).join('\n');
  expect(text).toContain('1.2.3 (4f0c1a7be2d9)');
  expect(text).toContain('2 issues wait for a slot, the first queued 10 min ago; 1 issue waits for another issue');
  expect(text).toContain('Slots: 1 of 2 held');
  expect(text).toMatch(/0c2d3e4f +running +implement +A title.* of many lines +ann@example\.com +10 min ago/);
  expect(text).toMatch(/host-1 .* running +10 min ago +bwrap; no limit on memory/);
  expect(text).toMatch(/host-2 .* running +10 min ago +off/);
  expect(text).toMatch(/host-3 .* gone +10 min ago +bwrap cannot run commands: no namespaces/);
  expect(text).toMatch(/host-4 .* not tried yet/);
  expect(text).toMatch(/PORT +3000 +environment/);
  expect(text).toMatch(/SESSION_SECRET +set \(not shown\) +\.env \/srv\/\.env/);
  expect(text).not.toContain('\u001b');
});

it('gives a program whole ids and instants', () => {
  const text = lines(busy, false).join('\n');
  expect(text).toContain(`0199aaaa-0000-7000-8000-00000c2d3e4f\trunning\timplement\t`);
  expect(text).toContain(`\tann@example.com\t${AT}`);
});
