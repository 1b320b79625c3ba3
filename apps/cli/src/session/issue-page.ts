import type { Issue, IssueSummary, SluiceClient } from '@sluice/client';
import type { Output } from '../terminal/output.ts';

type List = SluiceClient['issues']['list'];
type IssueQuery = Omit<Extract<Parameters<List['query']>[0], object>, 'fields'>;

/** A page of issues: whole where a program reads them, and without their texts where they become lines of a table. */
export async function issuePage(
  { client, output }: { readonly client: { readonly issues: { readonly list: List } }; readonly output: Output },
  query: IssueQuery,
): Promise<{ items: (Issue | IssueSummary)[]; next_cursor: string | null }> {
  const { list } = client.issues;
  return output.json ? await list.query(query) : await list.query({ ...query, fields: 'summary' });
}
