import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimedSubject } from '@sluice/core';
import { createBlockedSubjects } from './blocked-subjects.ts';
import { toHostError } from './host-error.ts';
import { pollRepos } from './poll-repos.ts';
import { createRecentSyncs } from './recent-syncs.ts';
import { LOUD_AFTER, syncBackoff } from './sync-backoff.ts';
import type { SyncContext } from './sync-context.ts';
import { syncSubject } from './sync-subject.ts';

const AT_ONCE = 5; // looks are the host's time, not ours; more would only meet its limits
const SUBJECT_MS = 60_000; // a look is a few requests of the host's, each answered within a second or two
const CLAIM_MS = SUBJECT_MS + 15_000; // longer than a look can take; what a dead process held waits so long
const TICK_MS = 1_000; // one indexed question to the database
const BETWEEN_SYNCS_MS = 2_000; // a person does not notice; a burst of a minute is thirty looks, whatever its size
const AFTER_FAULT_MS = 10_000;
const POLL_TICK_MS = 10_000;
/** How soon it is noticed that a repository is free: seen in the database, and where it is not, at the host. */
const BLOCKED_MS = { here: 15_000, there: 60_000 };

export interface CodeHostSync {
  start(): void;
  /** Lets go of what is being looked at: whoever comes next begins it anew. */
  stop(): Promise<void>;
}

/**
 * Follows what changes at the code host. Deliveries and polls only mark a subject as changed; here the marks are taken,
 * a few at a time, and what each subject is *now* decides what is done. So deliveries that come twice, late, in another
 * order or ten thousand at a time lead to the same end, and a process that dies leaves only a mark behind.
 */
export function createCodeHostSync(
  work: SyncContext,
  options: {
    readonly owner: string;
    /** How often a repository is asked about; 0: never, because deliveries come. */
    readonly pollMs: number;
  },
): CodeHostSync {
  const { codehostInbox: inbox, log, repos } = work.deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const held = createBlockedSubjects(repos);
  const recent = createRecentSyncs(BETWEEN_SYNCS_MS);
  let running: Promise<unknown> = Promise.resolve();

  async function syncMarked(): Promise<void> {
    while (!signal.aborted) {
      const claimed = await inbox.claim(options.owner, { limit: AT_ONCE, ttlMs: CLAIM_MS });
      if (claimed.length === 0) return;
      const ends = await Promise.allSettled(claimed.map(look));
      for (const end of ends) if ('reason' in end) throw end.reason;
      // Marked again as soon as it was seen: what else is due is behind it, and has its turn at the next tick.
      if (ends.some((end) => 'value' in end && end.value === 'too_soon')) return;
    }
  }

  async function look(subject: ClaimedSubject): Promise<'looked' | 'too_soon'> {
    const leftMs = recent.leftMs(subject);
    if (leftMs === 0) {
      await syncNow(subject);
      return 'looked';
    }
    await inbox.defer(options.owner, subject, { retryInMs: leftMs, failed: false });
    return 'too_soon';
  }

  async function syncNow(subject: ClaimedSubject): Promise<void> {
    const later = (retry: { retryInMs: number; failed: boolean }) => inbox.defer(options.owner, subject, retry);
    try {
      if (await held.isStillBlocked(subject)) return await later({ retryInMs: BLOCKED_MS.here, failed: false });
      const seen = await syncSubject(work, subject, AbortSignal.any([signal, AbortSignal.timeout(SUBJECT_MS)]));
      if (seen.kind === 'failed') throw seen.error;
      recent.note(subject);
      if (seen.kind === 'seen') {
        held.forget(subject);
        return await inbox.settle(options.owner, subject);
      }
      held.remember(subject, seen.repoIds);
      const isSeenHere = await held.isStillBlocked(subject);
      return await later({ retryInMs: isSeenHere ? BLOCKED_MS.here : BLOCKED_MS.there, failed: false });
    } catch (thrown) {
      if (signal.aborted) return await later({ retryInMs: 0, failed: false });
      const error = toHostError(thrown);
      const { kind, number, failures } = subject;
      const retry = syncBackoff(error, failures);
      const level = retry.failed && failures + 1 >= LOUD_AFTER ? 'error' : 'warn';
      const fields = { kind, number, failures: failures + 1, retryInMs: retry.retryInMs, err: error };
      log[level](fields, 'a change at the code host could not be looked at');
      await later(retry);
    }
  }

  async function repeat(part: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await work().then(
        () => everyMs,
        (error: unknown) => {
          log.error({ err: error, part }, 'following the code host failed');
          return Math.max(everyMs, AFTER_FAULT_MS);
        },
      );
      await pause(pauseMs, undefined, { signal }).catch(() => undefined); // told to stop
    }
  }

  return {
    start() {
      const { owner, pollMs } = options;
      const poll = () => pollRepos(work, { owner, everyMs: pollMs }, signal);
      running = Promise.all([
        repeat('marked subjects', TICK_MS, syncMarked),
        pollMs === 0 ? undefined : repeat('polls', Math.min(pollMs, POLL_TICK_MS), poll),
      ]);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
