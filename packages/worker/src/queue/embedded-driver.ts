import type { RunStore } from '@sluice/core/agent';
import { MAX_TIMER_MS, type Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { JobDriver, JobSink } from '@sluice/core/issue';

const DUE_BATCH = 100;
const EARLY_MS = 20; // the database's clock may lag behind the timer; reading again at once would spin
const HANDED_OVER_MS = 1_000;

/**
 * The driver of a single process. After each commit the stores report which issues became runnable; the driver hands them to
 * the worker in that order, each one once at a time. It does not poll: an issue released for later has a timer, and the
 * lease sweep adds those of a dead process.
 *
 * An issue that becomes runnable during its execution is handed over again afterwards: a plan can be approved between the
 * write that opens the gate and the release of the lease.
 *
 * @param runs called after `start` only: the stores are opened with the driver as their listener
 */
export function createEmbeddedDriver(
  runs: () => Pick<RunStore, 'nextDueInMs' | 'claimable'>,
  timers: Timers,
): JobDriver & JobSink {
  const queue = new Set<IssueId>();
  const again = new Set<IssueId>();
  const running = new Map<IssueId, Promise<void>>();
  let work: { concurrency: number; handle: (issueId: IssueId) => Promise<void> } | null = null;
  let stopped = false;
  let wakeIsDue = false;
  let cancelDue: () => void = () => undefined;

  function runnable(issueIds: readonly IssueId[]): void {
    if (stopped) return;
    for (const id of issueIds) (running.has(id) ? again : queue).add(id);
    wake();
  }

  function wake(): void {
    if (wakeIsDue || work === null) return;
    wakeIsDue = true;
    // Deferred, because the caller is inside a store's commit.
    setImmediate(() => {
      wakeIsDue = false;
      fill();
    });
  }

  function fill(): void {
    if (work === null || stopped) return;
    for (const id of queue) {
      if (running.size >= work.concurrency) return;
      queue.delete(id);
      running.set(id, handleOne(work.handle, id));
    }
  }

  async function handleOne(handle: (issueId: IssueId) => Promise<void>, id: IssueId): Promise<void> {
    try {
      await handle(id);
    } catch {
      // The handler has reported it. The lease expires, and the lease sweep finds the issue.
    }
    running.delete(id);
    if (again.delete(id) && !stopped) queue.add(id);
    wake();
    await armTimer(0);
  }

  /** Sets the timer for issues released for later. `floorMs` keeps the timer from firing again at once. */
  async function armTimer(floorMs: number): Promise<void> {
    if (stopped) return;
    const dueInMs = await runs()
      .nextDueInMs()
      .catch(() => null); // the lease sweep finds it later
    if (stopped || dueInMs === null) return;
    cancelDue();
    cancelDue = timers.after(Math.min(Math.max(dueInMs, floorMs), MAX_TIMER_MS), () => void handOverDue());
  }

  async function handOverDue(): Promise<void> {
    const due = await runs()
      .claimable(DUE_BATCH)
      .catch(() => []);
    runnable(due);
    // A handed-over issue counts as due until it is claimed; the end of its execution sets the timer again.
    await armTimer(due.length > 0 ? HANDED_OVER_MS : EARLY_MS);
  }

  return {
    runnable,
    async start(options) {
      work = options;
      wake();
      await armTimer(0);
    },
    async stop() {
      stopped = true;
      cancelDue();
      queue.clear();
      again.clear();
      await Promise.all(running.values());
    },
    silentMs: () => 0,
  };
}
