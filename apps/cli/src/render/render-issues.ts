import type { IssueStatus, IssueWire } from '@sluice/core';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderGate } from './render-gate.ts';
import { renderPlan } from './render-plan.ts';
import { renderResult } from './render-result.ts';
import { renderTable } from './render-table.ts';
import { shortId } from './short-id.ts';

const colours = {
  pending: 'dim',
  running: 'cyan',
  human_review: 'cyan',
  awaiting_approval: 'yellow',
  completed: 'green',
  rejected: 'red',
  failed: 'red',
  cancelled: 'dim',
} as const satisfies Record<IssueStatus, string>;

/** Renders one issue a line. */
export function renderIssues(issues: readonly IssueWire[], style: Style): string {
  if (issues.length === 0) return 'No issues.';
  return renderTable(issues.map((issue) => [shortId(issue.id), renderStatus(issue, style), plainLine(issue.title)]));
}

/** Renders the status, with the stage or the queue position. */
export function renderStatus({ status, stage, queued_at, queue_position }: IssueWire, style: Style): string {
  const where = queue_position === null ? (queued_at === null ? '' : (stage ?? '')) : `position ${queue_position}`;
  return `${style(colours[status], status)}${where === '' || where === status ? '' : style('dim', ` (${where})`)}`;
}

/** Renders an issue with its plan, gate and result. */
export function renderIssue(issue: IssueWire, style: Style, width: number): string {
  const { gate, plan } = issue;
  return [
    renderTable([
      ['Issue', issue.id],
      ['Title', style('bold', plainLine(issue.title))],
      ['Status', renderStatus(issue, style)],
      ['Repository', issue.repo_id],
      ['Base', plainLine(issue.base_branch)],
      ...(issue.labels.length === 0 ? [] : [['Labels', issue.labels.map(plainLine).join(', ')]]),
      ...(issue.codehost_url === null ? [] : [['From', plainLine(issue.codehost_url)]]),
      ['Created', issue.created_at],
    ]),
    issue.body.trim() === '' ? '' : plainText(issue.body.trim()),
    plan === null ? '' : renderPlan(plan, style, width),
    gate === null ? '' : renderGate(gate, style, width),
    issue.result === null && issue.error === null ? '' : renderResult(issue, style, width),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

interface CodeHostIssue {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly imported_issue_id: string | null;
}

/** Renders one open issue of the code host a line. */
export function renderCodeHostIssues(issues: readonly CodeHostIssue[], style: Style): string {
  if (issues.length === 0) return 'No open issues.';
  return renderTable(
    issues.map(({ number, title, author, imported_issue_id }) => [
      style('bold', `#${number}`),
      plainLine(title),
      style('dim', plainLine(author)),
      imported_issue_id === null ? '' : style('green', `imported as ${shortId(imported_issue_id)}`),
    ]),
  );
}
