import type { IssueId, JobDriver, JobSink, RunStore } from '@sluice/core';

const DUE_BATCH = 100;
const LONGEST_TIMER_MS = 2 ** 31 - 1; // above it Node fires at once
const EARLY_MS = 20; // the database's clock may be a little behind the timer; asking again at once would spin
const HANDED_OVER_MS = 1_000;

/**
 * The driver of a single process: the stores tell it after each commit which issues have become runnable, and it
 * hands them to the worker in that order, no issue twice at a time. Nothing polls: what was released for later has
 * a timer of its own. What nobody told it of (a dead process's issues) the worker's sweep hands in.
 *
 * An issue that becomes runnable while it is being driven is handed over again afterwards: a plan can be approved
 * in the moment between the write that opens the review and the end of the lease.
 */
export function createEmbeddedDriver(runs: Pick<RunStore, 'nextDueInMs' | 'claimable'>): JobDriver & JobSink {
  const queue = new Set<IssueId>();
  const again = new Set<IssueId>();
  const running = new Map<IssueId, Promise<void>>();
  let work: { concurrency: number; handle: (issueId: IssueId) => Promise<void> } | null = null;
  let stopped = false;
  let wakeIsDue = false;
  let dueTimer: NodeJS.Timeout | undefined;

  function runnable(issueIds: readonly IssueId[]): void {
    if (stopped) return;
    for (const id of issueIds) (running.has(id) ? again : queue).add(id);
    wake();
  }

  function wake(): void {
    if (wakeIsDue || work === null) return;
    wakeIsDue = true;
    // Not at once: the caller is inside a store's commit.
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
      running.set(id, drive(work.handle, id));
    }
  }

  async function drive(handle: (issueId: IssueId) => Promise<void>, id: IssueId): Promise<void> {
    try {
      await handle(id);
    } catch {
      // The handler has reported it, and the issue's lease runs out: the sweep brings it again.
    }
    running.delete(id);
    if (again.delete(id) && !stopped) queue.add(id);
    wake();
    await armTimer(0);
  }

  /** Sets the timer for what was released for later. `floorMs` keeps the timer's own call from calling itself at once. */
  async function armTimer(floorMs: number): Promise<void> {
    if (stopped) return;
    const dueInMs = await runs.nextDueInMs().catch(() => null); // the sweep finds it too, only later
    if (stopped || dueInMs === null) return;
    clearTimeout(dueTimer);
    dueTimer = setTimeout(() => void handOverDue(), Math.min(Math.max(dueInMs, floorMs), LONGEST_TIMER_MS));
  }

  async function handOverDue(): Promise<void> {
    const due = await runs.claimable(DUE_BATCH).catch(() => []);
    runnable(due);
    // What was handed over counts as due until it is claimed, and the end of its drive sets the timer again.
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
      clearTimeout(dueTimer);
      queue.clear();
      again.clear();
      await Promise.all(running.values());
    },
  };
}
