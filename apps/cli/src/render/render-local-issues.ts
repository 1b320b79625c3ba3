import { basename } from 'node:path';
import type { IssueWire } from '@sluice/core';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderStatus } from './render-issues.ts';
import { renderTable } from './render-table.ts';
import { renderRelative } from './render-time.ts';
import { shortId } from './short-id.ts';

export type LocalIssueRow = IssueWire & { readonly repo_url: string | null };

/** Renders the issues of this machine's runs, one a line, with the repository of each. */
export function renderLocalIssues(issues: readonly LocalIssueRow[], style: Style, now: Date): string {
  if (issues.length === 0) return 'No issues. Start one with: sluice run --repo PATH --issue FILE';
  const head = ['ID', 'REPOSITORY', 'STATUS', 'CREATED', 'TITLE'].map((name) => style('dim', name));
  const rows = issues.map((issue) => [
    shortId(issue.id),
    plainLine(basename(issue.repo_url ?? '')),
    renderStatus(issue, style),
    renderRelative(issue.created_at, now),
    plainLine(issue.title),
  ]);
  return renderTable([head, ...rows]);
}
