import type { Issue, IssueSummary } from '@sluice/client';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../session/query-keys.ts';

/** The inbox's row of an issue, as an issue whose texts are not read yet: the page is drawn with it at once. */
export function inboxSnapshot(queries: QueryClient, id: string): Issue | undefined {
  for (const [, data] of queries.getQueriesData({ queryKey: queryKeys.inbox })) {
    const found = findSummary(data, id);
    if (found !== null) return { ...withoutTexts, ...found, form: 'full' };
  }
  return undefined;
}

const withoutTexts = {
  body: '',
  plan: null,
  gate: null,
  result: null,
  error: null,
  triage: null,
  commands: null,
  budget: null,
  follow_up: null,
} as const;

/** The inbox holds its issues in lists, whose shape is the inbox's own matter. */
function findSummary(data: unknown, id: string, depth = 4): IssueSummary | null {
  if (typeof data !== 'object' || data === null || depth === 0) return null;
  if ('id' in data && data.id === id && 'status' in data && 'title' in data && 'usage' in data)
    return data as IssueSummary;
  for (const value of Array.isArray(data) ? data : Object.values(data)) {
    const found = findSummary(value, id, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
