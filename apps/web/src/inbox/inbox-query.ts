import type { IssueStatus, SluiceClient } from '@sluice/client';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import type { InboxSearch } from '../session/search-params.ts';

type Narrowed = Pick<InboxSearch, 'repo' | 'q'>;

/** The issues that need the user, run, are queued and are done. The live updates refresh it. */
export function inboxQuery({ repo, q }: Narrowed = {}) {
  return queryOptions({
    queryKey: [...queryKeys.inbox, 'lists', repo ?? null, q ?? null],
    queryFn: ({ signal }) => client.issues.inbox.query(filterOf({ repo, q }), { signal }),
    placeholderData: keepPreviousData,
  });
}

const PAGE = 50;

/** All issues of some statuses, page by page, the newest first. */
export function issuePagesQuery({ statuses, repo, q }: Narrowed & { readonly statuses: readonly IssueStatus[] }) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.inbox, 'pages', statuses, repo ?? null, q ?? null],
    queryFn: ({ signal, pageParam }) => {
      const page = { status: [...statuses], limit: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return client.issues.list.query({ ...filterOf({ repo, q }), ...page, fields: 'summary' }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

type ListQuery = Extract<Parameters<SluiceClient['issues']['list']['query']>[0], object>;

/** What narrows the inbox, by the parameter of the list. Null: the inbox has no control for it. */
const filters: { readonly [Name in keyof Required<ListQuery>]: ((search: Narrowed) => ListQuery[Name]) | null } = {
  repo_id: ({ repo }) => repo,
  q: ({ q }) => q,
  label: null,
  origin: null,
  created_after: null,
  created_before: null,
  scope: null,
  // The pages of a list set these.
  status: null,
  sort: null,
  fields: null,
  total: null,
  limit: null,
  cursor: null,
};

function filterOf(search: Narrowed): Pick<ListQuery, 'repo_id' | 'q'> {
  const given = Object.entries(filters).map(([name, of]) => [name, of?.(search)]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
