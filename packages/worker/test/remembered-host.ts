import type {
  ChangeRequestDetails,
  CodeHost,
  CodeHostCall,
  CodeHostTokens,
  FailedJob,
  HostedBuild,
  HostedComment,
  HostedCommit,
  HostedIssue,
  HostedName,
  HostedPermission,
  HostedRepo,
  HostedRevert,
  SubjectKind,
} from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';

interface Asked {
  /** Which call of the port. */
  readonly what: keyof CodeHost;
  readonly number: number | null;
  /** In whose name. */
  readonly userId: string;
}

interface WrittenText {
  readonly number: number;
  /** The comment that it answers; null in the conversation. */
  readonly to: string | null;
  readonly marker: string;
  body: string;
}

/** A code host of one repository, in memory: what the sync reads, and what it answers. */
export interface RememberedHost {
  /** The repository's name there. No other name exists. */
  name: HostedName;
  readonly host: CodeHost;
  readonly tokens: CodeHostTokens;
  readonly issues: Map<number, HostedIssue>;
  /** The accounts with access, by their ids. */
  readonly collaborators: Map<string, HostedPermission>;
  readonly changes: Map<number, ChangeRequestDetails>;
  readonly comments: Map<number, HostedComment[]>;
  readonly commits: Map<number, HostedCommit[]>;
  readonly reverts: Map<number, HostedRevert>;
  /** By commit. One that is not there has no checks. */
  readonly builds: Map<string, HostedBuild>;
  readonly failedJobs: Map<string, FailedJob>;
  /** Bodies of comments that were put, by number and marker. */
  readonly put: Map<string, string>;
  /** Commits of branches. */
  readonly tips: { base: string; mergeBase: string };
  /** What the next poll finds, once. */
  readonly touched: { kind: SubjectKind; number: number }[];
  readonly asked: Asked[];
  /** What we wrote, in the order in which it was written first. */
  readonly written: WrittenText[];
  /** The threads that we resolved, once each time. */
  readonly resolved: string[];
  /** Called before each response; the call throws what it throws. */
  interfere: (asked: Asked, signal: AbortSignal) => void | Promise<void>;
}

const WRITTEN = new Date('2030-01-01T00:00:00.000Z'); // after whatever a test has published

export function aHostedIssue(number: number, overrides: Partial<HostedIssue> = {}): HostedIssue {
  return {
    number,
    title: `Issue ${number}`,
    body: 'sum(1, 2, 3) gives 3.',
    labels: ['sluice'],
    url: `https://host.test/acme/sum/issues/${number}`,
    author: 'ada',
    byWriter: true,
    open: true,
    updatedAt: WRITTEN,
    ...overrides,
  };
}

export function aHostedRepo(overrides: Partial<HostedRepo> = {}): HostedRepo {
  const repo: Omit<HostedRepo, 'url'> = {
    id: '42',
    fullName: 'acme/sum',
    private: true,
    description: null,
    defaultBranch: 'main',
    pushedAt: null,
  };
  return { ...repo, url: `https://host.test/${overrides.fullName ?? repo.fullName}`, ...overrides };
}

export function aChangeRequest(number: number, overrides: Partial<ChangeRequestDetails> = {}): ChangeRequestDetails {
  return {
    number,
    url: `https://host.test/acme/sum/pull/${number}`,
    state: 'open',
    headBranch: 'sluice/0badcafe-sum',
    headCommit: 'c'.repeat(40),
    baseBranch: 'main',
    mergeState: 'clean',
    openedAt: WRITTEN,
    mergedAt: null,
    closedAt: null,
    mergeCommit: null,
    ...overrides,
  };
}

export function aHostedComment(id: string, overrides: Partial<HostedComment> = {}): HostedComment {
  return {
    id,
    author: 'ada',
    byWriter: true,
    byBot: false,
    body: 'Please name the parameter.',
    url: `https://host.test/acme/sum/pull/9#${id}`,
    createdAt: WRITTEN,
    place: null,
    reviewId: null,
    reviewState: null,
    inReplyTo: null,
    ...overrides,
  };
}

export function rememberedHost(): RememberedHost {
  const issues = new Map<number, HostedIssue>();
  const collaborators = new Map<string, HostedPermission>();
  const changes = new Map<number, ChangeRequestDetails>();
  const comments = new Map<number, HostedComment[]>();
  const commits = new Map<number, HostedCommit[]>();
  const reverts = new Map<number, HostedRevert>();
  const builds = new Map<string, HostedBuild>();
  const failedJobs = new Map<string, FailedJob>();
  const put = new Map<string, string>();
  const tips = { base: 'b'.repeat(40), mergeBase: 'b'.repeat(40) };
  const touched: RememberedHost['touched'] = [];
  const asked: Asked[] = [];

  async function answer<T>(
    what: keyof CodeHost,
    call: CodeHostCall,
    found: { repo: string; number: number | null; of: () => T },
  ) {
    const question = { what, number: found.number, userId: call.token };
    asked.push(question);
    await remembered.interfere(question, call.signal);
    call.signal.throwIfAborted();
    if (found.repo !== remembered.name) throw new AppError('codehost_not_found');
    return found.of();
  }

  const only = <T>(found: T | undefined): T => {
    if (found === undefined) throw new AppError('codehost_not_found');
    return found;
  };
  const written: WrittenText[] = [];
  const resolved: string[] = [];
  /** Like the host's adapter: found by its marker where it is there already. */
  async function write(call: CodeHostCall, text: WrittenText) {
    const own = written.find(({ to, marker }) => to === text.to && marker === text.marker);
    if (own?.body === text.body) return own;
    await call.beforeWrite?.();
    if (own === undefined) written.push(text);
    else own.body = text.body;
    return own ?? text;
  }
  const writtenAt = (text: WrittenText) => {
    const id = `${text.to === null ? 'issue' : 'line'}-${9_000 + written.indexOf(text)}`;
    return { id, url: `https://host.test/acme/sum/pull/9#${id}` };
  };
  const never = () => Promise.reject(new Error('Nothing of this is done here.'));
  const remembered: RememberedHost = {
    name: 'acme/sum',
    issues,
    collaborators,
    changes,
    comments,
    commits,
    reverts,
    builds,
    failedJobs,
    put,
    tips,
    touched,
    asked,
    written,
    resolved,
    interfere: () => undefined,
    tokens: {
      of: async (userId) => userId,
      callAsUser: (userId: UserId, signal, work) => work({ token: userId, signal }),
    },
    host: {
      url: 'https://host.test',
      account: never,
      repos: never,
      repo: never,
      repoById: async (_call, id) => aHostedRepo({ id, fullName: remembered.name }),
      issues: never,
      pictures: never,
      withPicture: never,
      findChangeRequest: never,
      openChangeRequest: never,
      describeChangeRequest: never,
      replyToComment: async (call, repo, { number, commentId, marker, body }) => {
        const there = () => only(comments.get(number)?.find(({ id }) => id === commentId));
        const { inReplyTo, id } = await answer('replyToComment', call, { repo, number, of: there });
        return writtenAt(await write(call, { number, to: inReplyTo ?? id, marker, body }));
      },
      reviewThreads: (call, repo, number) =>
        answer('reviewThreads', call, {
          repo,
          number,
          of: () => {
            const all = (comments.get(number) ?? []).filter(({ place }) => place !== null);
            const firsts = all.filter(({ inReplyTo }) => inReplyTo === null);
            return firsts.map(({ id }) => ({
              id: `thread of ${id}`,
              resolved: resolved.includes(`thread of ${id}`),
              comments: [id, ...all.filter(({ inReplyTo }) => inReplyTo === id).map((one) => one.id)],
            }));
          },
        }),
      resolveThread: async (call, threadId) => {
        await answer('resolveThread', call, { repo: remembered.name, number: null, of: () => undefined });
        await call.beforeWrite?.();
        resolved.push(threadId);
      },
      branchHead: never,
      accountNamed: never,
      collaborators: (call, repo) =>
        answer('collaborators', call, {
          repo,
          number: null,
          of: () => ({ permissions: new Map(collaborators), complete: true }),
        }),
      changeRequestCommits: (call, repo, number) =>
        answer('changeRequestCommits', call, { repo, number, of: () => commits.get(number) ?? [] }),
      findRevert: (call, repo, { number }) =>
        answer('findRevert', call, { repo, number, of: () => reverts.get(number) ?? null }),
      issue: (call, repo, number) => answer('issue', call, { repo, number, of: () => only(issues.get(number)) }),
      changeRequest: (call, repo, number) =>
        answer('changeRequest', call, { repo, number, of: () => only(changes.get(number)) }),
      comments: (call, repo, { number }) =>
        answer('comments', call, { repo, number, of: () => [...(comments.get(number) ?? [])] }),
      build: (call, repo, { commit }) =>
        answer('build', call, {
          repo,
          number: null,
          of: () => builds.get(commit) ?? { commit, checks: [], required: [], complete: true },
        }),
      failedJobs: (call, repo, checks) =>
        answer('failedJobs', call, {
          repo,
          number: null,
          of: () => checks.flatMap(({ name }) => failedJobs.get(name) ?? []),
        }),
      compare: (call, repo) =>
        answer('compare', call, {
          repo,
          number: null,
          of: () => ({ ahead: 1, behind: 0, baseCommit: tips.base, mergeBase: tips.mergeBase }),
        }),
      putComment: async (call, repo, { number, marker, body }) => {
        await answer('putComment', call, { repo, number, of: () => undefined });
        const text = await write(call, { number, to: null, marker, body });
        put.set(`${number} ${marker}`, body);
        return writtenAt(text);
      },
      markReady: async (call, repo, number) => {
        const found = await answer('markReady', call, { repo, number, of: () => only(changes.get(number)) });
        await call.beforeWrite?.();
        changes.set(number, { ...found, state: 'open' });
      },
      changedSince: (call, repo, cursor) =>
        answer('changedSince', call, {
          repo,
          number: null,
          of: () => ({
            subjects: cursor === null ? [] : touched.splice(0),
            cursor: String(Number(cursor ?? 0) + 1),
          }),
        }),
    },
  };
  return remembered;
}
