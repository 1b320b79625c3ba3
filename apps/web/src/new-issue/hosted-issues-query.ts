import { infiniteQueryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';

const PAGE = 50;

/** The open issues of a repository at its code host, page by page, the newest first. */
export function hostedIssuesQuery(repoId: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.hostedIssues(repoId),
    queryFn: ({ signal, pageParam }) =>
      client.repos.issues.query({ id: repoId, page: pageParam, per_page: PAGE }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => last.next_page,
    staleTime: 60_000, // each read costs quota at the code host
  });
}

/** The open issues with words in the title, searched at the code host. */
export function hostedIssueSearchQuery(repoId: string, q: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.hostedIssues(repoId), q],
    queryFn: ({ signal, pageParam }) =>
      client.repos.issues.query({ id: repoId, page: pageParam, per_page: PAGE, q }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => last.next_page,
    enabled: q !== '',
    staleTime: 60_000,
    retry: false, // the code host allows few searches a minute
  });
}

export type HostedIssue = Awaited<ReturnType<typeof client.repos.issues.query>>['items'][number];
