import { backoffMs, type Timers } from '@sluice/core/async';
import type { ChangedSubject, ClaimedSubject } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { RepoId } from '@sluice/core/id';
import type { RepoStore } from '@sluice/core/repo';
import { toHostError } from './host-error.ts';
import { pollRepos } from './poll-repos.ts';
import { type SyncPorts, subjectKey } from './sync-context.ts';
import { syncSubject } from './sync-subject.ts';

const AT_ONCE = 5; // a sync takes the host's time, not ours; more would only hit its limits
const SUBJECT_MS = 60_000; // a sync is a few requests, each answered within a second or two
const CLAIM_MS = SUBJECT_MS + 15_000; // longer than a sync can take; the subjects of a dead process wait this long
const TICK_MS = 1_000; // one indexed query
const BETWEEN_SYNCS_MS = 2_000; // too short to notice; a burst of one minute costs thirty syncs, whatever its size
const AFTER_FAULT_MS = 10_000;
const POLL_TICK_MS = 10_000;

/** How often members are read again: changes of teams and organizations come without a delivery. One request that costs no quota. */
const MEMBERS_MS = 300_000;

/** How soon a free repository is noticed: from the database, or else by asking the host. */
const BLOCKED_MS = { here: 15_000, there: 60_000 };

export interface CodeHostSync {
  start(): void;
  /** Stops the running syncs. The next worker starts them again. */
  stop(): Promise<void>;
}

/**
 * Keeps up with changes at the code host. Webhook deliveries and polls only mark a subject as changed. The sync takes the
 * marks, a few at a time, and acts on the *current* state of each subject. So duplicate, late, reordered or ten thousand
 * deliveries lead to the same result, and a process that dies leaves only a mark behind.
 */
export function createCodeHostSync(
  work: SyncPorts,
  options: {
    readonly owner: string;
    /** How often a repository is polled; 0: never, because webhook deliveries arrive. */
    readonly pollMs: number;
  },
): CodeHostSync {
  const { codehostInbox: inbox, log, repos, timers } = work.deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const blocked = createBlockedSubjects(repos);
  const recent = createRecentSyncs(timers, BETWEEN_SYNCS_MS);
  let running: Promise<unknown> = Promise.resolve();

  async function syncMarked(): Promise<void> {
    while (!signal.aborted) {
      const claimed = await inbox.claim(options.owner, { limit: AT_ONCE, ttlMs: CLAIM_MS });
      if (claimed.length === 0) return;
      const ends = await Promise.allSettled(claimed.map(syncOne));
      for (const end of ends) if ('reason' in end) throw end.reason;
      // Marked again right after its sync. Other due subjects have their turn at the next tick.
      if (ends.some((end) => 'value' in end && end.value === 'too_soon')) return;
    }
  }

  async function syncOne(subject: ClaimedSubject): Promise<'synced' | 'too_soon'> {
    const leftMs = recent.leftMs(subject);
    if (leftMs === 0) {
      await syncNow(subject);
      return 'synced';
    }
    await inbox.defer(options.owner, subject, { retryInMs: leftMs, failed: false });
    return 'too_soon';
  }

  async function syncNow(subject: ClaimedSubject): Promise<void> {
    const defer = (retry: { retryInMs: number; failed: boolean }) => inbox.defer(options.owner, subject, retry);
    try {
      if (await blocked.isStillBlocked(subject)) return await defer({ retryInMs: BLOCKED_MS.here, failed: false });
      const confirmClaim = () => confirm(subject);
      const outcome = await syncSubject(
        { ...work, confirmClaim },
        subject,
        AbortSignal.any([signal, timers.timeout(SUBJECT_MS)]),
      );
      if (outcome.kind === 'failed') throw outcome.error;
      recent.note(subject);
      if (outcome.kind === 'done') {
        blocked.forget(subject);
        return await inbox.settle(options.owner, subject);
      }
      blocked.remember(subject, outcome.repoIds);
      const isBlockedHere = await blocked.isStillBlocked(subject);
      return await defer({ retryInMs: isBlockedHere ? BLOCKED_MS.here : BLOCKED_MS.there, failed: false });
    } catch (thrown) {
      if (signal.aborted) return await defer({ retryInMs: 0, failed: false });
      const error = toHostError(thrown);
      const { kind, number, failures } = subject;
      const retry = syncBackoff(error, failures);
      const level = retry.failed && failures + 1 >= ERROR_AFTER_FAILURES ? 'error' : 'warn';
      const fields = { kind, number, failures: failures + 1, retryInMs: retry.retryInMs, err: error };
      log[level](fields, 'could not sync a change at the code host');
      await defer(retry);
    }
  }

  /** A process that stood still may have lost the subject to another one, which writes the same. */
  async function confirm(subject: ClaimedSubject): Promise<void> {
    signal.throwIfAborted();
    if (!(await inbox.isHeld(options.owner, subject))) throw new AppError('codehost_busy', { retryAfterMs: 0 });
  }

  async function repeat(part: string, everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await work().then(
        () => everyMs,
        (error: unknown) => {
          log.error({ err: error, part }, 'the sync with the code host failed');
          return Math.max(everyMs, AFTER_FAULT_MS);
        },
      );
      await timers.sleep(pauseMs, signal).catch(() => undefined); // stopping
    }
  }

  return {
    start() {
      const { owner, pollMs } = options;
      const membersMs = pollMs === 0 ? MEMBERS_MS : Math.min(pollMs, MEMBERS_MS);
      const poll = () => pollRepos(work, { owner, everyMs: pollMs }, signal);
      running = Promise.all([
        repeat('marked subjects', TICK_MS, syncMarked),
        repeat('members', Math.min(membersMs, POLL_TICK_MS), () => inbox.markMembers(membersMs)),
        pollMs === 0 ? undefined : repeat('polls', Math.min(pollMs, POLL_TICK_MS), poll),
      ]);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Keeps a pause between two syncs of the same subject by this process. In a burst of deliveries a subject is marked again
 * right after its sync, and the host would be asked as fast as it answers.
 */
function createRecentSyncs(timers: Timers, pauseMs: number) {
  const syncedAt = new Map<string, number>(); // the oldest first
  return {
    note(subject: ChangedSubject): void {
      const now = timers.now();
      for (const [key, at] of syncedAt) {
        if (now - at < pauseMs) break;
        syncedAt.delete(key);
      }
      syncedAt.delete(subjectKey(subject));
      syncedAt.set(subjectKey(subject), now);
    },
    /** The rest of the pause; 0 when it is over. */
    leftMs(subject: ChangedSubject): number {
      const at = syncedAt.get(subjectKey(subject));
      return at === undefined ? 0 : Math.max(0, Math.ceil(pauseMs - (timers.now() - at)));
    },
  };
}

const BACKOFF = { firstMs: 10_000, longestMs: 3_600_000 }; // an outage of a day costs 24 requests, and its end is noticed within the hour
const BUSY_MS = 60_000; // what the host's documentation asks for when it names no time

/** From here on each failure is logged as an error: after an hour and a half of retries. */
export const ERROR_AFTER_FAILURES = 10;

/**
 * When a failed sync is retried. There is no last retry: a mark stays until its subject was synced. A rate limit of the host
 * is not a failure.
 *
 * @param failures failed syncs before this one
 */
function syncBackoff(error: AppError, failures: number): { readonly retryInMs: number; readonly failed: boolean } {
  if (error.code === 'codehost_busy') {
    return { retryInMs: Math.min(error.details.retryAfterMs ?? BUSY_MS, BACKOFF.longestMs), failed: false };
  }
  return {
    retryInMs: Math.min(Math.max(backoffMs(failures + 1, BACKOFF), error.details.retryAfterMs ?? 0), BACKOFF.longestMs),
    failed: true,
  };
}

const REMEMBERED = 1_000; // more hardly wait at once; a forgotten one costs a request to the host

interface Blocked {
  readonly mark: number;
  readonly repoIds: readonly RepoId[];
}

/**
 * Remembers for which busy repositories a subject waits, so that the host is not asked again until one is free or something
 * has changed there: a pipeline may wait a week for a person. Only in this process; another one asks once and then knows.
 */
function createBlockedSubjects(repos: Pick<RepoStore, 'get'>) {
  const blocked = new Map<string, Blocked>();

  return {
    remember(subject: ClaimedSubject, repoIds: readonly RepoId[]): void {
      blocked.delete(subjectKey(subject));
      blocked.set(subjectKey(subject), { mark: subject.mark, repoIds });
      const oldest = blocked.keys().next().value;
      if (blocked.size > REMEMBERED && oldest !== undefined) blocked.delete(oldest);
    },
    forget(subject: ClaimedSubject): void {
      blocked.delete(subjectKey(subject));
    },
    /** Whether every repository that the subject waits for is still busy, and the subject was not marked since. */
    async isStillBlocked(subject: ClaimedSubject): Promise<boolean> {
      const known = blocked.get(subjectKey(subject));
      if (known === undefined || known.mark !== subject.mark) return false;
      for (const repoId of known.repoIds) {
        // Another user's pipeline may hold it, which does not show here; then only the attempt tells.
        if (((await repos.get(repoId))?.activeIssueId ?? null) === null) return false;
      }
      return true;
    },
  };
}
