import type { IssueId } from '@sluice/core/id';
import type { JobDriver, JobSink } from '@sluice/core/issue';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { SimProcess } from './sim-process.ts';

/** Chances of faults of jobs; all are 0 once faults have stopped. */
export interface JobFaults {
  lostJob: number;
  doubledJob: number;
}

/** A queue that all processes share. Jobs arrive in any order, late, twice or not at all. */
export interface JobNet extends JobSink {
  driverOf(process: SimProcess): JobDriver & JobSink;
}

interface Consumer {
  readonly process: SimProcess;
  readonly concurrency: number;
  readonly handle: (issueId: IssueId) => Promise<void>;
  readonly running: Set<Promise<void>>;
  isStopped: boolean;
}

export function createJobNet({
  schedule,
  random,
  faults,
}: {
  schedule: Schedule;
  random: Random;
  faults: JobFaults;
}): JobNet {
  const consumers = new Set<Consumer>();
  const free = () =>
    [...consumers].filter(
      ({ process, running, concurrency, isStopped }) => !isStopped && process.isRunning() && running.size < concurrency,
    );

  function add(issueId: IssueId): void {
    schedule.park({
      label: `job ${issueId.slice(-4)}`,
      owner: null,
      isReady: () => free().length > 0,
      go() {
        const consumer = random.pick(free());
        const running = consumer.handle(issueId).catch(() => undefined);
        consumer.running.add(running);
        void running.then(() => consumer.running.delete(running));
      },
    });
  }

  function runnable(issueIds: readonly IssueId[]): void {
    for (const id of issueIds) {
      if (random.chance(faults.lostJob)) continue;
      add(id);
      if (random.chance(faults.doubledJob)) add(id);
    }
  }

  return {
    runnable,
    driverOf(process) {
      let consumer: Consumer | null = null;
      return {
        runnable,
        async start(work) {
          consumer = { ...work, process, running: new Set(), isStopped: false };
          consumers.add(consumer);
        },
        async stop() {
          if (consumer === null) return;
          consumer.isStopped = true;
          await Promise.all(consumer.running);
        },
        silentMs: () => 0,
      };
    },
  };
}
