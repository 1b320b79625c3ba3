import { QUEUE_SILENT_MS } from '@sluice/core/issue';
import { WORKER_REFRESH_MS, type WorkerProcess } from '@sluice/core/operation';
import type { SandboxProbe } from '@sluice/core/workspace';
import { settableClock } from '@sluice/testing';
import { beforeEach, expect, it } from 'vitest';
import { createPresence } from './presence.ts';

const host = { hostName: 'host-1', pid: 4711, role: 'all', version: '1.2.3' } as const;
const probe: SandboxProbe = { kind: 'bwrap', usable: true, problem: null, gaps: [], readPaths: ['/usr', '/opt/node'] };
const untried: WorkerProcess = { ...host, id: 'worker-1', concurrency: 3, sandbox: null };

let clock: ReturnType<typeof settableClock>;
let rows: WorkerProcess[];
let tried: SandboxProbe | null;
let isAway: boolean;
let silentMs: number;
beforeEach(() => {
  clock = settableClock();
  rows = [];
  tried = null;
  isAway = false;
  silentMs = 0;
});

function aPresence() {
  const workers = {
    put: async (worker: WorkerProcess) => {
      if (isAway) throw new Error('the database is away');
      rows.push(worker);
    },
    remove: async (id: string) => {
      rows = rows.filter((row) => row.id !== id);
    },
  };
  const driver = { silentMs: () => silentMs };
  return createPresence(
    { workers, clock, triedSandbox: () => tried, driver },
    { owner: 'worker-1', concurrency: 3, host },
  );
}

it('is written at once, and again only when it is due', async () => {
  const presence = aPresence();
  await presence.run();
  clock.advance(WORKER_REFRESH_MS - 1);
  await presence.run();
  expect(rows).toEqual([untried]);
  clock.advance(1);
  await presence.run();
  expect(rows).toEqual([untried, untried]);
});

it('tells what the sandbox was found to be as soon as it was tried, without the folders of the machine', async () => {
  const presence = aPresence();
  await presence.run();
  tried = probe;
  await presence.run();
  await presence.run();
  expect(rows).toEqual([untried, { ...untried, sandbox: { kind: 'bwrap', usable: true, problem: null, gaps: [] } }]);
});

it('is written at the next run when the database was away', async () => {
  const presence = aPresence();
  isAway = true;
  await expect(presence.run()).rejects.toThrow('away');
  isAway = false;
  await presence.run();
  expect(rows).toEqual([untried]);
});

it('ends with the worker', async () => {
  const presence = aPresence();
  await presence.run();
  await presence.leave();
  expect(rows).toEqual([]);
});

it('is not written while the queue is silent, so that the worker is shown as gone', async () => {
  const presence = aPresence();
  silentMs = QUEUE_SILENT_MS;
  await presence.run();
  expect(rows).toEqual([]);
  silentMs = QUEUE_SILENT_MS - 1;
  await presence.run();
  expect(rows).toEqual([untried]);
});
