import type { IssueId, UserId } from '@sluice/core/id';
import { type Issue, isTerminal, type Lease } from '@sluice/core/issue';
import type { NewRepo, Repo } from '@sluice/core/repo';
import { aNewIssue, aNewRepo, aNewUser, type SettableClock } from '@sluice/testing';
import type { Stores } from '../../src/index.ts';

/** The stores of a database, and somebody whose history the calls are about. */
export interface World {
  readonly stores: Stores;
  /** The one that the stores were opened with. */
  readonly clock: SettableClock;
  readonly userId: UserId;
  /** A registration of that user. In a filled database it has the most issues. */
  readonly repoId: Repo['id'];
  /** An ended issue on it, with events. */
  readonly endedId: IssueId;
  /** Notes an issue that a call makes. */
  willMake(id: IssueId): void;
  /** Ends the issues that were made, so that the next call finds free slots. */
  endAll(): Promise<void>;
  registered(overrides?: Partial<NewRepo>): Promise<Repo>;
  created(options: { queue: boolean }): Promise<Issue>;
  /** A running issue under a lease. */
  claimed(): Promise<{ issue: Issue; lease: Lease }>;
}

/** Over a database whose rows `of` names, or over an empty one, which gets a user, a registration and an ended issue. */
export async function createWorld(
  { stores, clock }: Pick<World, 'stores' | 'clock'>,
  of?: Pick<World, 'userId' | 'repoId' | 'endedId'>,
): Promise<World> {
  const open = new Set<IssueId>();
  const { userId, repoId, endedId } = of ?? (await firstRows(stores));
  const registered = async (overrides: Partial<NewRepo> = {}) => {
    const outcome = await stores.repos.create(aNewRepo({ ...overrides, userId }));
    if (outcome.kind !== 'created') throw new Error(`the repository was not registered: ${outcome.kind}`);
    return outcome.repo;
  };
  const created = async (options: { queue: boolean }) => {
    const issue = aNewIssue({ userId, repoId: (await registered()).id });
    const outcome = await stores.issues.create(issue, options);
    if (outcome.kind !== 'applied') throw new Error(`the issue was not created: ${outcome.kind}`);
    open.add(issue.id);
    return outcome.issue;
  };
  return {
    stores,
    clock,
    userId,
    repoId,
    endedId,
    registered,
    created,
    claimed: async () => {
      const { id } = await created({ queue: true });
      const claim = await stores.runs.claim(id, { owner: 'worker-1', ttlMs: 600_000 });
      if (claim === null) throw new Error('the issue could not be claimed');
      return claim;
    },
    willMake: (id) => void open.add(id),
    endAll: async () => {
      for (const id of open) {
        const issue = await stores.issues.get(id);
        if (issue === null || isTerminal(issue.status)) continue;
        await stores.issues.apply({ issueId: id, from: { status: issue.status }, trigger: 'cancelled', events: [] });
      }
      open.clear();
    },
  };
}

async function firstRows({ users, repos, issues }: Stores) {
  const user = aNewUser();
  await users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await repos.create(repo);
  const issue = aNewIssue({ userId: user.id, repoId: repo.id });
  await issues.create(issue, { queue: false });
  await issues.apply({ issueId: issue.id, from: { status: 'pending' }, trigger: 'cancelled', events: [] });
  return { userId: user.id, repoId: repo.id, endedId: issue.id };
}
