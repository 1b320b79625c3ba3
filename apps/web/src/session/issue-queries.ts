import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';
import { queryKeys } from './query-keys.ts';

export function issueQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.issue(id),
    queryFn: ({ signal }) => client.issues.get.query({ id }, { signal }),
  });
}

/** The attempts of each stage, oldest first. */
export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.issue(id), 'steps'],
    queryFn: async ({ signal }) => (await client.issues.steps.query({ id }, { signal })).items,
  });
}

/** Its pictures and texts, in the order of their uploads. */
export function attachmentsQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.issue(id), 'attachments'],
    queryFn: async ({ signal }) => (await client.attachments.list.query({ id }, { signal })).items,
  });
}

/** The revisions of the plan, newest first. */
export function plansQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.issue(id), 'plans'],
    queryFn: async ({ signal }) => (await client.issues.plans.query({ id }, { signal })).items,
  });
}

/** What became of its pull request; null where it has none. */
export function outcomeQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.issue(id), 'outcome'],
    queryFn: async ({ signal }) => (await client.issues.outcome.query({ id }, { signal })).outcome,
  });
}

const BASE_FRESH_MS = 60_000;

/**
 * Whether the base of a plan has moved. The server reads the remote for it, so that it is not asked again with each event of
 * the issue: its key stands beside that of the issue.
 */
export function baseQuery(id: string, revision: number) {
  return queryOptions({
    queryKey: ['base', id, revision],
    queryFn: ({ signal }) => client.issues.base.query({ id }, { signal }),
    staleTime: BASE_FRESH_MS,
  });
}
