import type { ChangeRequest, CodeHost, CodeHostTokens } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { UserId } from '@sluice/core/id';
import type { Workspaces } from '@sluice/core/workspace';
import { aHostedRepo } from './remembered-host.ts';

/** A call that publishing makes to the outside. */
export const outboundCalls = ['push', 'findChangeRequest', 'openChangeRequest', 'putComment'] as const;
export type OutboundCall = (typeof outboundCalls)[number];

/** The failure of one call: before its effect, or after it, so that only the response is lost. */
export interface OutboundFault {
  readonly call: OutboundCall;
  readonly moment: 'before' | 'after';
  readonly error: AppError;
}

interface SeenComment {
  readonly number: number;
  readonly marker: string;
  readonly body: string;
}

/** The part of a code host that publishing uses, in memory: one open pull request per branch. */
export function publishingHost() {
  const changes: (ChangeRequest & { title: string; body: string })[] = [];
  const comments: SeenComment[] = [];
  const calls: OutboundCall[] = [];
  const has = { drafts: true };
  let fault: OutboundFault | null = null;

  async function outbound<T>(call: OutboundCall, signal: AbortSignal, work: () => Promise<T> | T): Promise<T> {
    signal.throwIfAborted();
    calls.push(call);
    const met = fault?.call === call ? fault : null;
    if (met !== null) fault = null;
    if (met?.moment === 'before') throw met.error;
    const answer = await work();
    if (met !== null) throw met.error;
    return answer;
  }

  const openOf = (branch: string) =>
    changes.find(({ headBranch, state }) => headBranch === branch && (state === 'open' || state === 'draft')) ?? null;
  const endedAt = (branch: string, commit: string) =>
    changes.find(({ headBranch, headCommit }) => headBranch === branch && headCommit === commit) ?? null;
  const unused = () => Promise.reject(new Error('Publishing does not ask this.'));
  const host: CodeHost = {
    url: 'https://example.test', // as `aNewRepo` has it
    account: unused,
    repos: unused,
    repo: unused,
    collaborators: unused,
    accountNamed: unused,
    repoById: async (_call, id) => aHostedRepo({ id, fullName: `acme/${id}` }),
    issues: unused,
    issue: unused,
    comments: unused,
    pictures: unused,
    withPicture: unused,
    changedSince: unused,
    describeChangeRequest: unused,
    replyToComment: unused,
    reviewThreads: unused,
    resolveThread: unused,
    markReady: unused,
    branchHead: unused,
    compare: unused,
    changeRequestCommits: unused,
    findRevert: unused,
    build: unused,
    failedJobs: unused,
    changeRequest: async (_call, _repo, number) => {
      const found = changes.find((change) => change.number === number);
      if (found === undefined) throw new AppError('codehost_not_found');
      const ends = { openedAt: new Date(0), mergedAt: null, closedAt: null, mergeCommit: null };
      return { ...found, ...ends, mergeState: 'clean' };
    },
    findChangeRequest: ({ signal }, _repo, { headBranch, headCommit }) =>
      outbound('findChangeRequest', signal, () => openOf(headBranch) ?? endedAt(headBranch, headCommit)),
    openChangeRequest: ({ signal, beforeWrite }, repo, { draft, ...text }) =>
      outbound('openChangeRequest', signal, async () => {
        await beforeWrite?.();
        const there = openOf(text.headBranch);
        if (there !== null) return there;
        const number = 100 + changes.length;
        const url = `https://host.test/${repo}/pull/${number}`;
        const made = { number, url, state: draft && has.drafts ? 'draft' : 'open', headCommit: '', ...text } as const;
        changes.push(made);
        return made;
      }),
    putComment: ({ signal, beforeWrite }, _repo, comment) =>
      outbound('putComment', signal, async () => {
        await beforeWrite?.();
        const at = comments.findIndex(
          (one) =>
            one.number === comment.number && one.body.startsWith(comment.marker) && one.marker === comment.marker,
        );
        if (at >= 0) comments[at] = comment;
        else {
          const { number, marker, body } = comment;
          comments.push({ number, marker, body });
        }
        return { id: 'issue-1', url: 'https://host.test/comment' };
      }),
  };
  const tokens: CodeHostTokens = {
    of: async () => 'token',
    callAsUser: (_user: UserId, signal, work) => work({ token: 'token', signal }),
  };
  return {
    host,
    tokens,
    changes,
    comments,
    calls,
    has,
    meets(next: OutboundFault | null) {
      fault = next;
    },
    /** The same workspaces, with the push as one of the calls. */
    withPush: (workspaces: Workspaces): Workspaces => ({
      ...workspaces,
      prepare: async (request) => {
        const workspace = await workspaces.prepare(request);
        return {
          ...workspace,
          push: (head, signal, beforeWrite) =>
            outbound('push', signal, () => workspace.push(head, signal, beforeWrite)),
        };
      },
    }),
  };
}
