import { setImmediate as turn } from 'node:timers/promises';
import { callerOf } from '@sluice/core/access';
import { systemTimers } from '@sluice/core/async';
import type { ChangeRequest, ClaimedSubject } from '@sluice/core/code-host';
import type { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import { type Issue, isTerminal } from '@sluice/core/issue';
import { type Repo, type RepoSettings, repoSettingsSchema } from '@sluice/core/repo';
import type { BranchStanding } from '@sluice/core/workspace';
import { aNewIssue, aNewRepo, aNewUser, newId, noPictures } from '@sluice/testing';
import { type CodeHostSync, createCodeHostSync } from '../src/sync/code-host-sync.ts';
import type { SyncContext } from '../src/sync/sync-context.ts';
import { syncSubject } from '../src/sync/sync-subject.ts';
import { openStores } from './open-stores.ts';
import { aChangeRequest, rememberedHost } from './remembered-host.ts';
import { signalHub } from './signal-hub.ts';

export const HOST_REPO = '42';

export type CodeHostWorld = Awaited<ReturnType<typeof openCodeHostWorld>>;

/** Registrations of one repository at the code host, over real stores. No worker executes the issues: tests end them. */
export async function openCodeHostWorld(open: typeof openStores = openStores) {
  const stores = await open({ signals: signalHub(), sink: { runnable: () => undefined }, cap: 100 });
  const host = rememberedHost();
  const logged: { level: string; fields: Readonly<Record<string, unknown>>; message: string }[] = [];
  const logAt = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void logged.push({ level, fields, message });
  const settled: ClaimedSubject[] = [];
  /** Whether the pause after a failure is waited for, or only recorded. */
  const patience = { isKept: true };
  const deferred: { subject: ClaimedSubject; retry: { retryInMs: number; failed: boolean } }[] = [];
  const inbox: typeof stores.codehostInbox = {
    ...stores.codehostInbox,
    settle: async (owner, subject) => {
      await stores.codehostInbox.settle(owner, subject);
      settled.push(subject);
    },
    defer: async (owner, subject, retry) => {
      const retryInMs = retry.failed && !patience.isKept ? 0 : retry.retryInMs;
      await stores.codehostInbox.defer(owner, subject, { ...retry, retryInMs });
      deferred.push({ subject, retry });
      await turn(); // let others run before a subject that is due at once is claimed again
    },
  };
  /** How every pull request stands to its base; null: as if it had nothing in common with it. */
  const bases: { standing: BranchStanding | null; fault: AppError | null } = { standing: null, fault: null };
  const changedAccess: string[] = [];
  const work: SyncContext = {
    deps: {
      ...stores,
      codehostInbox: inbox,
      standings: { of: async () => (bases.fault === null ? bases.standing : Promise.reject(bases.fault)) },
      pictures: noPictures,
      cipher: { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' },
      publicUrl: new URL('https://sluice.test'),
      clock: { now: () => new Date() },
      timers: systemTimers,
      ids: { next: () => newId() },
      signals: { accessChanged: (userId) => void changedAccess.push(userId) },
      log: { info: logAt('info'), warn: logAt('warn'), error: logAt('error') },
    },
    host: host.host,
    tokens: host.tokens,
    buildRounds: 2,
    followUpRounds: 5,
    confirmClaim: async () => undefined,
  };
  const watches: CodeHostSync[] = [];
  let published = 0;

  async function get(id: IssueId): Promise<Issue> {
    const issue = await stores.issues.get(id);
    if (issue === null) throw new Error('the issue is gone');
    return issue;
  }

  async function applied(change: Parameters<typeof stores.issues.apply>[0]): Promise<Issue> {
    const outcome = await stores.issues.apply(change);
    if (outcome.kind !== 'applied') throw new Error(`${change.trigger} was not applied: ${outcome.kind}`);
    return outcome.issue;
  }

  return {
    ...stores,
    host,
    work,
    logged,
    settled,
    deferred,
    changedAccess,
    patience,
    bases,
    get,
    /** A registration of the repository by a new user. */
    async register(settings: Partial<RepoSettings> = {}, overrides: Partial<Repo> = {}): Promise<Repo> {
      const user = aNewUser();
      await stores.users.create(user);
      const made = await stores.repos.create(
        aNewRepo({
          userId: user.id,
          name: 'of my own choice',
          url: 'https://host.test/acme/sum.git',
          canonicalRemote: 'https://host.test/acme/sum',
          provider: 'codehost',
          codehostRepoId: HOST_REPO,
          settings: repoSettingsSchema.parse(settings),
          ...overrides,
        }),
      );
      if (made.kind !== 'created') throw new Error('the repository exists');
      return made.repo;
    },
    /** An issue that ended with a pull request, which is open at the host. */
    async publish(
      repo: Repo,
      state: 'open' | 'draft' = 'open',
      opened: ChangeRequest | null = null,
    ): Promise<Issue & { changeRequest: { number: number } }> {
      published += 1;
      const change = aChangeRequest(100 + published, { state, ...opened });
      const { number } = change;
      host.changes.set(number, change);
      const made = await stores.issues.create(aNewIssue({ userId: repo.userId, repoId: repo.id }), { queue: true });
      if (made.kind !== 'applied') throw new Error(`no issue was made: ${made.kind}`);
      const issue = await applied({
        issueId: made.issue.id,
        from: { status: made.issue.status },
        trigger: 'published',
        set: {
          changeRequest: { number, state },
          pipeline: {
            ...made.issue.pipeline,
            publication: { head_commit: change.headCommit, asked: [], confirmed: null, change_request: null },
          },
          result: {
            branch: change.headBranch,
            base_commit: 'b'.repeat(40),
            head_commit: change.headCommit,
            change_request_url: change.url,
            summary: '',
            files_changed: 1,
            additions: 1,
            deletions: 0,
            tests: null,
            findings: [],
            answer: null,
          },
        },
        events: [],
      });
      return { ...issue, changeRequest: { number, state } };
    },
    /** Completes a running follow-up with a commit on the pull request. */
    async push({ id }: Issue, { number, commit }: { number: number; commit: string }): Promise<void> {
      const { status, pipeline, parentIssueId } = await get(id);
      const first = parentIssueId === null ? null : await get(parentIssueId);
      if (first?.result == null || first.changeRequest === null) throw new Error('it continues no pull request');
      const publication = { head_commit: commit, asked: [], confirmed: null, change_request: null };
      await applied({
        issueId: id,
        from: { status },
        trigger: 'published',
        set: {
          changeRequest: { number, state: first.changeRequest.state },
          pipeline: { ...pipeline, publication },
          result: { ...first.result, head_commit: commit },
        },
        events: [],
      });
    },
    /** Ends an issue that holds its repository. */
    async end(id: IssueId): Promise<void> {
      const { status } = await get(id);
      await applied({ issueId: id, from: { status }, trigger: 'cancelled', events: [] });
    },
    /** All issues of a registration, oldest first. */
    async issuesOf(repo: Repo): Promise<Issue[]> {
      const { items } = await stores.issues.list({
        readableBy: callerOf(repo.userId),
        repoId: repo.id,
        limit: 100,
        cursor: null,
      });
      return await Promise.all(items.toReversed().map(({ id }) => get(id)));
    },
    async activeOf(repo: Repo): Promise<Issue[]> {
      const all = await this.issuesOf(repo);
      return all.filter(({ status, queuedAt }) => queuedAt !== null && !isTerminal(status));
    },
    sync: (kind: 'issue' | 'change_request', number: number, signal = new AbortController().signal) =>
      syncSubject(work, { codehostRepoId: HOST_REPO, kind, number }, signal),
    mark: (kind: 'issue' | 'change_request', ...numbers: number[]) =>
      stores.codehostInbox.mark(numbers.map((number) => ({ codehostRepoId: HOST_REPO, kind, number }))),
    /** A process that follows the host, on these stores. */
    watch(owner: string, options: { pollMs?: number; work?: Partial<SyncContext> } = {}): CodeHostSync {
      const watch = createCodeHostSync({ ...work, ...options.work }, { owner, pollMs: options.pollMs ?? 0 });
      watches.push(watch);
      watch.start();
      return watch;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(watches.map((watch) => watch.stop()));
      await stores.close();
    },
  };
}
