import { basename } from 'node:path';
import type { IssueWire } from '@sluice/core';
import { ownCommand } from '../terminal/environment.ts';
import type { Sheet } from './render-columns.ts';
import { renderIssues } from './render-issues.ts';

export type LocalIssueRow = IssueWire & { readonly repo_url: string | null };

/** Renders the issues of this machine's runs, one a line, with the repository of each. */
export function renderLocalIssues(issues: readonly LocalIssueRow[], sheet: Sheet): string {
  if (issues.length === 0 && sheet.page.isTerminal)
    return `No issues. Start one with: ${ownCommand()} run --repo PATH --issue FILE`;
  return renderIssues(
    issues,
    new Map(issues.map(({ repo_id, repo_url }) => [repo_id, basename(repo_url ?? '')])),
    sheet,
  );
}
