import type { IssueWire } from '@sluice/core';
import type { Remote } from '../../session/remote.ts';

/** Prints one issue as a line of a list. */
export async function printIssue(
  { client, output }: Pick<Remote, 'client' | 'output'>,
  issue: IssueWire,
): Promise<void> {
  const { renderIssues } = await import('../../render/render-issues.ts');
  const { repoNames } = await import('../../session/repo-names.ts');
  const names = output.json ? new Map<string, string>() : await repoNames(client, [issue.repo_id]);
  output.data(issue, (style, page) => renderIssues([issue], names, { style, page }));
}
