import type { Session, User } from '@sluice/core/account';
import type { IssueId } from '@sluice/core/id';
import type { EventsWritten, NewIssue } from '@sluice/core/issue';
import type { ApprovalPolicy } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import type { Stores } from '@sluice/core/stores';
import { aNewRepo } from '../builder/a-repo.ts';
import { aNewUser } from '../builder/a-user.ts';
import { aNewIssue } from '../builder/an-issue.ts';
import { newId } from '../builder/ids.ts';
import type { SettableClock } from '../builder/settable-clock.ts';

/** An empty database under test, with all its stores. */
export interface StoreHarness extends Stores, AsyncDisposable {
  /** The clock that the stores were opened with. */
  readonly clock: SettableClock;
  /** What the stores signalled after their commits, in order. */
  readonly heard: { readonly events: EventsWritten[]; readonly runnable: IssueId[] };
}

export interface OpenStoresOptions {
  /** 5 unless given. */
  readonly maxActivePipelines?: number;
  readonly maxActivePipelinesPerUser?: number;
  readonly gateKeepsSlot?: boolean;
  readonly leastApproval?: ApprovalPolicy;
}

/** Opens an empty database. */
export type OpenStores = (options?: OpenStoresOptions) => Promise<StoreHarness>;

/** A user who has registered. */
export async function registeredUser({ users }: Pick<StoreHarness, 'users'>): Promise<User> {
  const outcome = await users.create(aNewUser());
  if (outcome.kind !== 'created') throw new Error(`the user was not created: ${outcome.kind}`);
  return outcome.user;
}

const HOUR_MS = 3_600_000;

/** A session of that user for an hour; it must be given. */
export async function startedSession(
  { sessions, clock }: Pick<StoreHarness, 'sessions' | 'clock'>,
  userId: User['id'],
): Promise<Session> {
  const expiresAt = new Date(clock.now().getTime() + HOUR_MS);
  const session = await sessions.create({ id: newId(), userId, expiresAt });
  if (session === null) throw new Error('the session was not given');
  return session;
}

/** A registered repository; its user is registered too unless `overrides` name one. */
export async function registeredRepo(
  stores: Pick<StoreHarness, 'users' | 'repos'>,
  overrides: Parameters<typeof aNewRepo>[0] = {},
): Promise<Repo> {
  const userId = overrides.userId ?? (await registeredUser(stores)).id;
  const outcome = await stores.repos.create(aNewRepo({ ...overrides, userId }));
  if (outcome.kind !== 'created') throw new Error(`the repository was not created: ${outcome.kind}`);
  return outcome.repo;
}

/** A new issue on that repository. */
export function newIssueOn(repo: Repo, overrides: Partial<NewIssue> = {}): NewIssue {
  return aNewIssue({ userId: repo.userId, repoId: repo.id, ...overrides });
}

/** Runs `act` that many times at once. */
export async function atOnce<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

const MAX_LATE_WRITES = 100; // one that was under way may end after the rival; more were begun after it
const TURN_AFTER = 100; // where every await is a microtask neither the rival nor the time-out of a test would come

/**
 * Writes once, and then again and again while `rival` is under way, until the store refuses: which of them comes first
 * is the engine's choice.
 *
 * @returns how often it was written, and what the rival came to
 */
export async function writtenAgainst<T>(write: () => Promise<boolean>, rival: () => Promise<T>): Promise<[number, T]> {
  if (!(await write())) throw new Error('the very first write was refused: there is nothing to race for');
  let written = 1;
  let writtenLate = 0;
  let hasEnded = false;
  const writing = async () => {
    while (await write()) {
      written += 1;
      if (hasEnded) writtenLate += 1;
      if (writtenLate > MAX_LATE_WRITES) throw new Error('the store goes on writing after the rival has ended');
      if (written % TURN_AFTER === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const racing = async () => {
    try {
      return await rival();
    } finally {
      hasEnded = true;
    }
  };
  const [outcome] = await Promise.all([racing(), writing()]);
  return [written, outcome];
}

/** How many of the outcomes were of each kind. */
export function tally(outcomes: readonly { kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
