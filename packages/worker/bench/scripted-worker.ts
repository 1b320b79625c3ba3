import { callerOf } from '@sluice/core/access';
import { systemTimers } from '@sluice/core/async';
import type { RepoId } from '@sluice/core/id';
import { authorizeIssue, decideGate, type Issue, type IssueStore } from '@sluice/core/issue';
import type { RepoStore } from '@sluice/core/repo';
import { openPostgres } from '@sluice/db';
import { byUser } from '@sluice/testing';
import { createGraphileDriver } from '../src/queue/graphile-driver.ts';
import { openWorld } from '../test/world.ts';

// A worker process of the benchmark: agents, tests and trees are of no cost, stores and queue are the real ones. Every
// plan is approved as soon as it waits. It says "ready", begins at "go", counts from "measure" on, and at "stop" says how long
// each stage's end took to lead to the next one's beginning.

/** What the process prints when it is stopped, in milliseconds. */
export interface StageGaps {
  /** From before the write that ends a stage to where the next one begins. */
  readonly whole: number[];
  /** From after that write. */
  readonly afterWrite: number[];
  /** CPU time of the process since `measure`. */
  cpuMs: number;
}

const [, , url = '', cap = '', owner = ''] = process.argv;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const driver = createGraphileDriver({ url, applicationName: owner, timers: systemTimers, log: quiet });
const world = await openWorld({
  cap: Number(cap),
  open: ({ signals, cap }) =>
    openPostgres({
      url,
      applicationName: owner,
      clock: { now: () => new Date() },
      maxActivePipelines: cap,
      queue: driver.queue,
      onEvents: (hint) => signals.eventsWritten(hint),
    }),
});
const gaps: StageGaps = { whole: [], afterWrite: [], cpuMs: 0 };
let atMeasure = process.cpuUsage();
const ended = new Map<RepoId, { called: number; written: number }>();

const issues: IssueStore = {
  ...world.issues,
  apply: async (change) => {
    const called = performance.now();
    const outcome = await world.issues.apply(change);
    if (outcome.kind !== 'applied') return outcome;
    if (outcome.issue.gate !== null) approve(outcome.issue);
    else if (outcome.attempt !== undefined) ended.set(outcome.issue.repoId, { called, written: performance.now() });
    return outcome;
  },
};
/** The first thing that a stage asks for is its repository, of which each issue here has its own. */
const repos: RepoStore = {
  ...world.repos,
  get: (id) => {
    const before = ended.get(id);
    const now = performance.now();
    if (before !== undefined) {
      gaps.whole.push(now - before.called);
      gaps.afterWrite.push(now - before.written);
    }
    ended.delete(id);
    return world.repos.get(id);
  },
};

function approve({ id, userId, gate }: Issue): void {
  if (gate === null) return;
  const { signal } = new AbortController();
  const cipher = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' };
  const clock = { now: () => new Date() };
  const there = { bases: world.host.bases, cipher, clock, codehost: null, codehostTokens: null };
  authorizeIssue({ ...world, caller: callerOf(userId) }, id, 'decide')
    .then((issue) =>
      decideGate({ ...world, ...there, caller: callerOf(userId) }, issue, {
        decision: { action: 'approve' },
        by: byUser(userId),
        signal,
      }),
    )
    .catch(() => undefined); // the review is not open yet: its own write approves
}

const { worker } = world.makeWorker({ driver, deps: { issues, repos }, options: { owner } });
process.on('message', async (told) => {
  if (told === 'go') await worker.start();
  if (told === 'measure') {
    atMeasure = process.cpuUsage();
    gaps.whole.length = 0;
    gaps.afterWrite.length = 0;
  }
  if (told !== 'stop') return;
  const { user, system } = process.cpuUsage(atMeasure);
  gaps.cpuMs = (user + system) / 1_000;
  await worker.stop({ graceMs: 5_000 });
  await driver.close();
  await world.close();
  process.send?.(gaps, () => process.disconnect());
});
process.send?.('ready');
