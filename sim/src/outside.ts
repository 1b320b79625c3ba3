import type {
  ChangeRequest,
  ChangeRequestState,
  CodeHost,
  CodeHostTokens,
  HostedIssue,
  HostedName,
  HostedRepo,
} from '@sluice/core/code-host';
import { AppError, type ErrorCode } from '@sluice/core/error';
import { digest } from './digest.ts';
import type { Random } from './random.ts';
import type { Schedule } from './schedule.ts';
import type { SimProcess } from './sim-process.ts';
import { unaskedCalls } from './unasked-calls.ts';

export type Tree = ReadonlyMap<string, string>;

/** Chances of faults of the network; all are 0 once faults have stopped. */
export interface NetworkFaults {
  /** A request never arrives. */
  lostRequest: number;
  /** A request takes effect and its answer is lost. */
  lostResponse: number;
  /** The caller gives up, and the request arrives later. */
  lateEffect: number;
}

interface RemoteRepo {
  tip: string;
  readonly branches: Map<string, { readonly head: string; readonly files: Tree }>;
  /** When people deleted a branch. */
  readonly deleted: Map<string, number>;
}

interface PullRequest extends ChangeRequest {
  readonly repo: string;
  /** When the request for it left its process. */
  readonly sentAt: number;
  /** When a person merged or closed it. */
  readonly endedAt?: number;
}

interface Comment {
  readonly issueId: string;
  /** The steps in which its sender looked for one, and in which it was made. */
  readonly lookedAtStep: number;
  readonly madeAtStep: number;
  readonly repo: string;
  readonly number: number;
  readonly marker: string;
  readonly body: string;
}

/** A request with a lasting effect, as it leaves a process. */
export interface OutboundRequest {
  readonly process: SimProcess;
  readonly what: 'push' | 'open' | 'comment' | 'describe' | 'model' | 'embed';
  /** The end of the id that can be seen from outside, or nothing. */
  readonly issueId: string;
}

/** Everything that is not the service: git remotes and the code host, and the network between. */
export interface Outside {
  readonly commits: Map<string, Tree>;
  readonly pulls: PullRequest[];
  readonly comments: Comment[];
  repo(name: string): RemoteRepo;
  /** All branches of the service, deleted ones included. */
  branches(): { readonly repo: string; readonly branch: string }[];
  /** Virtual milliseconds. */
  now(): number;
  /** Sends a request. Sent, arrived and answered are three moments, and any of them may stay away. */
  send<T>(request: OutboundRequest, options: { signal: AbortSignal; lost: ErrorCode }, effect: () => T): Promise<T>;
  /** Asks something without an effect. */
  ask<T>(
    process: SimProcess,
    options: { label: string; signal: AbortSignal; lost: ErrorCode },
    read: () => T,
  ): Promise<T>;
  hostFor(process: SimProcess): { readonly host: CodeHost; readonly tokens: CodeHostTokens };
  /** People at the code host. */
  setState(pull: PullRequest, state: ChangeRequestState): void;
  moveBase(repo: string): void;
  deleteBranch(repo: string, branch: string): void;
  /** Reports a branch or a pull request that is made again after people merged, closed or deleted it. */
  refuseRevival(repo: string, branch: string, sentAt: number): void;
  /** Reports a broken promise that only those see who are asked. */
  report(what: string): void;
}

/** Called as a request is sent, before it can have an effect. */
export type OnSent = (request: OutboundRequest) => void;

const ANSWER_MS = 4_000; // how long a caller waits for an answer that does not come

export function createOutside(
  { schedule, random, faults }: { schedule: Schedule; random: Random; faults: NetworkFaults },
  events: { readonly onSent: OnSent; readonly onViolation: (what: string) => void },
): Outside {
  const repos = new Map<string, RemoteRepo>();
  const commits = new Map<string, Tree>();
  const pulls: PullRequest[] = [];
  const comments: Comment[] = [];

  function commit(files: Tree): string {
    const name = digest(JSON.stringify([...files]));
    commits.set(name, files);
    return name;
  }

  function repo(name: string): RemoteRepo {
    let found = repos.get(name);
    if (found === undefined) {
      const tip = commit(
        new Map([
          ['a.js', `a of ${name}`],
          ['b.js', `b of ${name}`],
        ]),
      );
      found = { tip, branches: new Map(), deleted: new Map() };
      repos.set(name, found);
    }
    return found;
  }

  function send<T>(
    request: OutboundRequest,
    { signal, lost }: { signal: AbortSignal; lost: ErrorCode },
    effect: () => T,
  ): Promise<T> {
    const { process, what, issueId } = request;
    const label = `${what} ${issueId.slice(-4)}`;
    return new Promise<T>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      events.onSent(request);
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      const end = (act: () => void) => {
        signal.removeEventListener('abort', abort);
        act();
      };
      const failLater = () => {
        process.timers.after(ANSWER_MS, () => end(() => reject(new AppError(lost))));
      };
      const isLost = random.chance(faults.lostRequest);
      const isUnanswered = random.chance(faults.lostResponse);
      const isLate = random.chance(faults.lateEffect);
      if (isLost) return failLater();
      if (isLate) failLater();
      schedule.park({
        label: `${label} arrives`,
        owner: null,
        isReady: () => !isLate || random.chance(0.03),
        go() {
          let answer: () => void;
          try {
            const value = effect();
            answer = () => resolve(value);
          } catch (error) {
            answer = () => reject(error);
          }
          if (isLate || isUnanswered) {
            if (!isLate) failLater();
            return;
          }
          if (process.isDead()) return;
          schedule.park({ label: `${label} is answered`, owner: process, go: () => end(answer) });
        },
      });
    });
  }

  async function ask<T>(
    process: SimProcess,
    { label, signal, lost }: { label: string; signal: AbortSignal; lost: ErrorCode },
    read: () => T,
  ): Promise<T> {
    await process.gate(label, signal);
    if (random.chance(faults.lostRequest)) throw new AppError(lost);
    const found = read();
    await process.gate(`${label} is answered`, signal);
    return found;
  }

  const outside: Outside = {
    commits,
    pulls,
    comments,
    repo,
    branches: () =>
      [...repos].flatMap(([name, remote]) =>
        [...new Set([...remote.branches.keys(), ...remote.deleted.keys()])].map((branch) => ({ repo: name, branch })),
      ),
    now: schedule.now,
    report: events.onViolation,
    send,
    ask,
    setState: (pull, state) => void Object.assign(pull, { state, endedAt: schedule.now() }),
    deleteBranch(name, branch) {
      const remote = repo(name);
      if (remote.branches.delete(branch)) remote.deleted.set(branch, schedule.now());
    },
    refuseRevival(name, branch, sentAt) {
      // Whoever asks for it after people were done with it did not look, or has no business here any more.
      const ended = pulls.findLast((pull) => pull.repo === name && pull.headBranch === branch)?.endedAt;
      const deleted = repo(name).deleted.get(branch);
      if (sentAt <= Math.min(ended ?? sentAt, deleted ?? sentAt)) return;
      outside.report(`a request sent at ${Math.round(sentAt)} revived ${branch}, with which people were done`);
    },
    moveBase(name) {
      const remote = repo(name);
      const files = new Map(commits.get(remote.tip) ?? []);
      const path = random.pick(['a.js', 'c.js']);
      files.set(path, `${path} ${random.below(1_000_000)}`);
      remote.tip = commit(files);
    },
    hostFor(process) {
      const lost = 'codehost_unavailable';
      const named = (found: PullRequest | undefined): ChangeRequest | null =>
        found === undefined ? null : { ...found };
      const isOpen = ({ state }: PullRequest) => state === 'open' || state === 'draft';
      const openFrom = (name: string, branch: string) =>
        pulls.find((pull) => pull.repo === name && pull.headBranch === branch && isOpen(pull));
      const host: CodeHost = {
        url: 'https://host.test',
        ...unaskedCalls,
        repo: (_, fullName) => Promise.resolve(hostedRepo(fullName)),
        // Asked before each use of the repository, and a rename is not simulated.
        repoById: (_, id) => Promise.resolve(hostedRepo(`acme/${id}`)),
        issue: ({ signal }, name, number) =>
          ask(process, { label: 'issue', signal, lost }, () => hostedIssue(name, number)),
        comments: () => Promise.resolve([]),
        changeRequestCommits: () => Promise.resolve([]),
        findRevert: () => Promise.resolve(null),
        build: (_call, _name, { commit }) => Promise.resolve({ commit, checks: [], required: null, complete: true }),
        changeRequest: ({ signal }, name, number) =>
          ask(process, { label: 'pull', signal, lost }, () => {
            const found = named(pulls.find((pull) => pull.repo === name && pull.number === number));
            if (found === null) throw new AppError('codehost_not_found');
            const ends = { openedAt: new Date(0), mergedAt: null, closedAt: null, mergeCommit: null };
            return { ...found, ...ends, mergeState: 'clean' };
          }),
        findChangeRequest: ({ signal }, name, { headBranch, headCommit }) =>
          ask(process, { label: 'find pull', signal, lost }, () =>
            named(
              openFrom(name, headBranch) ??
                pulls.find(
                  (pull) => pull.repo === name && pull.headBranch === headBranch && pull.headCommit === headCommit,
                ),
            ),
          ),
        async openChangeRequest({ signal, beforeWrite }, name, draft) {
          await beforeWrite?.();
          const request = { process, what: 'open', issueId: issueOf(draft.headBranch) } as const;
          const sentAt = schedule.now();
          return await send(request, { signal, lost }, () => {
            const there = openFrom(name, draft.headBranch);
            if (there !== undefined) return { ...there };
            const head = repo(name).branches.get(draft.headBranch);
            if (head === undefined) throw new AppError('codehost_refused');
            outside.refuseRevival(name, draft.headBranch, sentAt);
            const number = 100 + pulls.length;
            const made: PullRequest = {
              repo: name,
              sentAt,
              number,
              url: `https://host.test/${name}/pull/${number}`,
              state: draft.draft ? 'draft' : 'open',
              headBranch: draft.headBranch,
              headCommit: head.head,
              baseBranch: draft.baseBranch,
            };
            pulls.push(made);
            return { ...made };
          });
        },
        describeChangeRequest: () => Promise.resolve(),
        async putComment({ signal, beforeWrite }, name, { number, marker, body }) {
          const isIt = (one: Comment) => one.repo === name && one.number === number && one.marker === marker;
          let lookedAtStep = 0;
          const there = await ask(process, { label: 'comments', signal, lost }, () => {
            lookedAtStep = schedule.steps;
            return comments.some(isIt);
          });
          await beforeWrite?.();
          const issueId = /issue\/([0-9a-f-]+)/.exec(marker)?.[1] ?? '';
          return await send({ process, what: there ? 'describe' : 'comment', issueId }, { signal, lost }, () => {
            const at = comments.findIndex(isIt);
            const made: Comment = {
              issueId,
              lookedAtStep,
              madeAtStep: schedule.steps,
              repo: name,
              number,
              marker,
              body,
            };
            // What was looked up may be out of date: a host makes a second comment.
            const before = there ? comments[at] : undefined;
            if (before !== undefined) comments[at] = { ...before, body };
            else comments.push(made);
            return { id: `comment-${at}`, url: 'https://host.test/comment' };
          });
        },
      };
      const tokens: CodeHostTokens = {
        of: () => Promise.resolve('token'),
        async callAsUser(_, signal, work) {
          await process.gate('read grant', signal);
          return await work({ token: 'token', signal });
        },
      };
      return { host, tokens };
    },
  };
  return outside;
}

/** The end of the issue's id, which its branch has. */
export function issueOf(branch: string): string {
  return /sluice\/([0-9a-f]{8})/.exec(branch)?.[1] ?? '';
}

function hostedRepo(fullName: HostedName): HostedRepo {
  return {
    id: fullName.replace('acme/', ''),
    fullName,
    private: false,
    description: null,
    defaultBranch: 'main',
    url: `https://host.test/${fullName}`,
    pushedAt: null,
  };
}

function hostedIssue(name: string, number: number): HostedIssue {
  return {
    number,
    title: `Hosted issue ${number} of ${name}`,
    body: 'sum(1, 2, 3) gives 3.',
    labels: ['sluice'],
    url: `https://host.test/${name}/issues/${number}`,
    author: 'ada',
    byWriter: true,
    open: true,
    updatedAt: new Date('2030-01-01T00:00:00.000Z'),
  };
}
