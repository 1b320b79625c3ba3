import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { queryKeys } from './query-keys.ts';

const PROFILE_FRESH_MS = 5 * 60_000;

/** Who is logged in. It fails with `session_missing` without a session. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => client.auth.me.query(undefined, { signal }),
  staleTime: PROFILE_FRESH_MS,
});

/**
 * The server's version, settings and limits. Without a session it says only whether one may register and how to log in.
 */
export const serverQuery = queryOptions({
  queryKey: ['server'],
  queryFn: ({ signal }) => client.server.get.query(undefined, { signal }),
  staleTime: PROFILE_FRESH_MS,
});

export const reposQuery = queryOptions({
  queryKey: ['repos'],
  queryFn: ({ signal }) => allRepos(signal),
  staleTime: 30_000,
});

const REPO_FRESH_MS = 60_000;

/** One repository, with its settings and the state of its index. */
export function repoQuery(id: string) {
  return queryOptions({
    queryKey: ['repo', id],
    queryFn: ({ signal }) => client.repos.get.query({ id }, { signal }),
    staleTime: REPO_FRESH_MS,
  });
}

/** The members of a repository with their roles. */
export function membersQuery(repoId: string) {
  return queryOptions({
    queryKey: queryKeys.members(repoId),
    queryFn: async ({ signal }) => (await client.repos.members.query({ id: repoId }, { signal })).items,
    staleTime: REPO_FRESH_MS,
  });
}

const PAGE = 100;
const MAX_REPOS = 2_000; // a list to choose from: more is not scrolled through

async function allRepos(signal: AbortSignal) {
  const first = await client.repos.list.query({ limit: PAGE }, { signal });
  const items = [...first.items];
  let cursor = first.next_cursor;
  while (cursor !== null && items.length < MAX_REPOS) {
    const page = await client.repos.list.query({ limit: PAGE, cursor }, { signal });
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}
