import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

// Below the key of the issue, so that an event of it refreshes them too.

/** The attempts of each stage, oldest first. */
export function stepsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'steps'],
    queryFn: async ({ signal }) => (await client.issues.steps.query({ id }, { signal })).items,
  });
}

/** The revisions of the plan, newest first. */
export function plansQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'plans'],
    queryFn: async ({ signal }) => (await client.issues.plans.query({ id }, { signal })).items,
  });
}

const REPO_FRESH_MS = 60_000;

export function repoQuery(id: string) {
  return queryOptions({
    queryKey: ['repo', id],
    queryFn: ({ signal }) => client.repos.get.query({ id }, { signal }),
    staleTime: REPO_FRESH_MS,
  });
}

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

const BASE_FRESH_MS = 60_000;
