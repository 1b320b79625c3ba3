import {
  type CodeHost,
  type CodeHostCall,
  encryptGrant,
  type HostedComment,
  type HostedIssue,
  type HostedName,
  type HostedRepo,
} from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { ConfiguredCodeHost } from '../src/service/api-deps.ts';
import { scriptedIdentity } from './scripted-identity.ts';
import type { Login, RunningApi } from './start-api.ts';

type Asked =
  | 'repos'
  | 'repo'
  | 'repoById'
  | 'issues'
  | 'issue'
  | 'comments'
  | 'pictures'
  | 'changeRequest'
  | 'accountNamed';

export interface ScriptedCodeHost {
  /** For `ports` of `startApi`. */
  readonly port: ConfiguredCodeHost;
  readonly repos: HostedRepo[];
  readonly issues: HostedIssue[];
  readonly comments: Map<number, HostedComment[]>;
  /** The pictures of an issue; an error in place of one that cannot be fetched. */
  readonly pictures: Map<number, { name: string; content: Uint8Array | AppError }[]>;
  /** Numbers of pull requests. */
  readonly changeRequests: Set<number>;
  /** The questions, with their tokens. */
  readonly asked: { what: Asked; token: string; signal: AbortSignal }[];
  /** Sets a hook that runs before a question is answered, from now on; null: none. */
  interfere(with_: ((what: Asked, call: CodeHostCall) => Promise<void>) | null): void;
}

/** A code host of lists, whose one account sees all that is in them. */
export function scriptedCodeHost(): ScriptedCodeHost {
  let interference: ((what: Asked, call: CodeHostCall) => Promise<void>) | null = null;
  const ask = async (what: Asked, call: CodeHostCall) => {
    there.asked.push({ what, token: call.token, signal: call.signal });
    await interference?.(what, call);
  };
  const paged = <T>(all: readonly T[], { page, perPage }: { page: number; perPage: number }) => ({
    items: all.slice((page - 1) * perPage, page * perPage),
    nextPage: all.length > page * perPage ? page + 1 : null,
  });
  const host: Pick<CodeHost, Asked | 'url' | 'withPicture'> = {
    url: 'https://codehost.example.test',
    repos: async (call, { q, ...query }) => {
      await ask('repos', call);
      const part = (q ?? '').toLowerCase();
      return paged(
        there.repos.filter(({ fullName }) => fullName.toLowerCase().includes(part)),
        query,
      );
    },
    repo: async (call, fullName) => {
      await ask('repo', call);
      return found(there.repos.find((repo) => repo.fullName.toLowerCase() === fullName.toLowerCase()));
    },
    repoById: async (call, id) => {
      await ask('repoById', call);
      return found(there.repos.find((repo) => repo.id === id));
    },
    issues: async (call, repo, query) => {
      await ask('issues', call);
      known(there, repo);
      return paged(
        there.issues.filter(({ open, title }) => open && title.toLowerCase().includes((query.q ?? '').toLowerCase())),
        query,
      );
    },
    issue: async (call, repo, number) => {
      await ask('issue', call);
      known(there, repo);
      return found(there.issues.find((issue) => issue.number === number));
    },
    comments: async (call, _repo, { number }) => {
      await ask('comments', call);
      return there.comments.get(number) ?? [];
    },
    pictures: async (call, _repo, number) => {
      await ask('pictures', call);
      const all = there.pictures.get(number) ?? [];
      return all.map(({ name }, at) => ({ name, url: `https://files.example.test/${number}/${at}` }));
    },
    withPicture: async ({ url }, _limits, use) => {
      const [number, at] = new URL(url).pathname.slice(1).split('/').map(Number);
      const content = there.pictures.get(number ?? 0)?.[at ?? 0]?.content;
      if (content === undefined || content instanceof AppError) throw content;
      return await use({ content, mediaType: 'image/png' });
    },
    accountNamed: async (call, login) => {
      await ask('accountNamed', call);
      return found(login === 'octocat' ? { id: '583231', login, name: null, avatarUrl: null } : undefined);
    },
    changeRequest: async (call, _repo, number) => {
      await ask('changeRequest', call);
      found(there.changeRequests.has(number) ? number : undefined);
      const branch = { headBranch: 'x', headCommit: 'a'.repeat(40), baseBranch: 'main' };
      const ends = { openedAt: new Date(0), mergedAt: null, closedAt: null, mergeCommit: null };
      const url = 'https://codehost.example.test/pull';
      return { number, url, state: 'open', mergeState: 'clean', ...branch, ...ends };
    },
  };
  const there: ScriptedCodeHost = {
    port: { identity: scriptedIdentity(), host: host as CodeHost, webhooks: null },
    repos: [],
    issues: [],
    comments: new Map(),
    pictures: new Map(),
    changeRequests: new Set(),
    asked: [],
    interfere: (other) => {
      interference = other;
    },
  };
  return there;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('codehost_not_found');
  return value;
}

function known({ repos }: ScriptedCodeHost, fullName: string): void {
  found(repos.find((repo) => repo.fullName === fullName));
}

/** A repository at the scripted host. */
export function aHostedRepo(fullName: HostedName, overrides: Partial<HostedRepo> = {}): HostedRepo {
  return {
    id: `id-${fullName}`,
    fullName,
    private: true,
    description: null,
    defaultBranch: 'main',
    url: `https://codehost.example.test/${fullName}`,
    pushedAt: new Date('2026-11-20T09:15:00Z'),
    ...overrides,
  };
}

/** An issue at the scripted host, by somebody who may write. */
export function aHostedIssue(number: number, overrides: Partial<HostedIssue> = {}): HostedIssue {
  return {
    number,
    title: `Issue ${number}`,
    body: 'It is wrong.',
    labels: [],
    url: `https://codehost.example.test/acme/anvil/issues/${number}`,
    author: 'ada',
    byWriter: true,
    open: true,
    updatedAt: new Date('2026-11-20T09:15:00Z'),
    ...overrides,
  };
}

export const TOKEN_CANARY = 'token-canary-of-a-linked-account';

/** Links an account to the user, with a grant in which the canary is. */
export async function linkAccount(api: RunningApi, { user }: Login, token = TOKEN_CANARY): Promise<void> {
  const grant = encryptGrant(api.deps.cipher, user.id, { accessToken: token, refreshToken: null, expiresAt: null });
  const account = { id: `account-${user.id}`, login: 'ada', name: null, avatarUrl: null };
  const outcome = await api.stores.codehostLinks.link(user.id, account, grant);
  if (outcome.kind !== 'linked') throw new Error(`The account was not linked: ${outcome.kind}`);
}
