import type { IssueSummary } from '@sluice/client';
import type { BuildNews } from '@sluice/core/code-host';
import { type IssueStatus, type IssueWire, isOpenForDecision, isTerminal, nextStatus } from '@sluice/core/issue';
import { type ReviewRemark, remarksOf } from '@sluice/core/pipeline';
import { ownCommand } from '../terminal/environment.ts';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import { renderBuild } from './render-build.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderFields } from './render-fields.ts';
import { renderGate } from './render-gate.ts';
import { renderPlan } from './render-plan.ts';
import { renderResult } from './render-result.ts';
import { renderInstant, renderRelative } from './render-time.ts';
import { renderCost } from './render-usage.ts';
import { shortId } from './short-id.ts';
import type { View } from './view.ts';
import { wrapText } from './wrap-text.ts';

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

/** An issue of a list, with or without its texts. */
type ListedIssue = IssueWire | IssueSummary;

/** Renders one issue a line. A repository without a name was removed. */
export function renderIssues(
  issues: readonly ListedIssue[],
  repoNames: ReadonlyMap<string, string>,
  sheet: Sheet,
): string {
  if (issues.length === 0) return sheet.page.isTerminal ? 'No issues.' : '';
  const now = new Date();
  return renderColumns(
    issues,
    [
      { title: 'ID', cell: ({ id }) => shortId(id) },
      { title: 'STATUS', cell: describeStatus, colour: ({ status }) => colours[status] },
      { title: 'TITLE', cell: ({ title }) => plainLine(title), narrow: 'shorten' },
      { title: 'REPOSITORY', cell: ({ repo_id }) => plainLine(repoNames.get(repo_id) ?? ''), narrow: 'shorten' },
      { title: 'AGE', cell: (issue) => renderRelative(issue.created_at, now), plain: (issue) => issue.created_at },
      { title: 'COST', cell: costOf, plain: ({ usage }) => String(usage.cost_usd ?? ''), narrow: 'omit' },
      { title: 'TESTS', cell: verdictOf, narrow: 'omit' },
    ],
    sheet,
  );
}

function costOf({ usage }: ListedIssue): string {
  return renderCost(usage) ?? '';
}

function verdictOf(issue: ListedIssue): string {
  const verdict = 'verdict' in issue ? issue.verdict : issue.result?.tests?.verdict;
  return verdict?.replaceAll('_', ' ') ?? '';
}

/** The status, with the stage that runs or failed, or what the issue waits for. */
function describeStatus(issue: ListedIssue): string {
  const { status, stage, queued_at, queue_position, waits_for_repo, held_by_budget } = issue;
  if (held_by_budget != null) return `${status} (waits for budget)`;
  if (waits_for_repo) return `${status} (waits for its repository)`;
  if (queue_position !== null) return `${status} (position ${queue_position})`;
  const isStageOfInterest = isTerminal(status) ? nextStatus(status, 'retried') !== null : !isOpenForDecision(status);
  return isStageOfInterest && stage !== null && queued_at !== null ? `${status} (${stage})` : status;
}

interface AboutIssue {
  readonly repoName: string | null;
  readonly build: BuildNews | null;
  /** Why a pull request was closed without a merge, once a person has given the reason. */
  readonly close: { readonly reason: string | null; readonly note: string | null } | null;
}

/** Renders an issue: how it stands, then what it is about, its plan, and what a person decides by. */
export function renderIssue(issue: IssueWire, { repoName, build, close }: AboutIssue, view: View): string {
  const { gate, plan } = issue;
  const { style, width, now } = view;
  const when = (at: string | null) => (at === null ? null : `${renderInstant(at)} (${renderRelative(at, now)})`);
  return [
    style('bold', wrapText(plainLine(issue.title), width)),
    renderFields(
      [
        ['Status', style(colours[issue.status], describeStatus(issue))],
        ['Decide', gate?.expires_at == null ? null : `until ${when(gate.expires_at)}`],
        ['Pull request', issue.result === null ? null : renderPullRequest(issue.result, issue.change_request_state)],
        ['Closed', close === null ? null : renderClose(issue.id, close)],
        ['Build', build === null ? null : renderBuild(build, style)],
      ],
      view,
    ),
    issue.result === null && issue.error === null ? '' : renderResult(issue, style, width),
    renderFields(
      [
        ['Issue', issue.id],
        ['Repository', plainLine(repoName ?? issue.repo_id)],
        ['Base', plainLine(issue.base_branch)],
        ['Labels', issue.labels.map(plainLine).join(', ')],
        ['From', issue.codehost_url === null ? null : plainLine(issue.codehost_url)],
        ['Remarks', remarksOf(issue.follow_up).map(renderRemark).join(', ')],
        ['Created', when(issue.created_at)],
        ['Ended', when(issue.finished_at)],
      ],
      view,
    ),
    issue.body.trim() === '' ? '' : wrapText(plainText(issue.body.trim()), width),
    plan === null ? '' : renderPlan(plan, style, width),
    gate === null ? '' : renderGate({ ...issue, gate, plan: null }, view), // the plan is above, with its criteria
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

function renderPullRequest(
  { change_request_url: url }: NonNullable<IssueWire['result']>,
  state: IssueWire['change_request_state'],
): string | null {
  if (url === null) return null;
  return state === null ? plainLine(url) : `${plainLine(url)} (${state})`;
}

function renderClose(issueId: string, { reason, note }: NonNullable<AboutIssue['close']>): string {
  if (reason !== null) return note === null ? reason : `${reason}: ${plainLine(note)}`;
  return `Say why: ${ownCommand()} issues close-reason ${shortId(issueId)} --reason REASON`;
}

interface CodeHostIssue {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly imported_issue_id: string | null;
}

/** Renders one open issue of the code host a line. */
export function renderCodeHostIssues(issues: readonly CodeHostIssue[], sheet: Sheet): string {
  if (issues.length === 0) return sheet.page.isTerminal ? 'No open issues.' : '';
  return renderColumns(
    issues,
    [
      { title: 'NUMBER', cell: ({ number }) => `#${number}`, colour: () => 'bold' },
      { title: 'TITLE', cell: ({ title }) => plainLine(title), narrow: 'shorten' },
      { title: 'AUTHOR', cell: ({ author }) => plainLine(author), colour: () => 'dim', narrow: 'omit' },
      {
        title: 'IMPORTED',
        cell: ({ imported_issue_id: id }) => (id === null ? '' : `imported as ${shortId(id)}`),
        colour: () => 'green',
      },
    ],
    sheet,
  );
}

/** Where a remark on a pull request stands: its place in the change, or its address. */
function renderRemark({ path, line, url }: ReviewRemark): string {
  return plainLine(path === null ? url : `${path}${line === null ? '' : `:${line}`}`);
}
