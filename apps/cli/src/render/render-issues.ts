import type { IssueSummary } from '@sluice/client';
import type { BuildNews } from '@sluice/core/code-host';
import { type IssueStatus, type IssueWire, isOpenForDecision, isTerminal, nextStatus } from '@sluice/core/issue';
import { type ReviewRemark, remarksOf } from '@sluice/core/pipeline';
import { ownCommand } from '../terminal/environment.ts';
import { plainLine, plainText } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, renderColumns, type Sheet } from './render-columns.ts';
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
  const columns = Object.values(columnsOf(repoNames, new Date()) as Record<string, Column<ListedIssue> | null>);
  return renderColumns(
    issues,
    columns.filter((column) => column !== null),
    sheet,
  );
}

/** The columns of a list, by the field that each shows. Null: no column has it. */
function columnsOf(repoNames: ReadonlyMap<string, string>, now: Date) {
  return {
    id: { title: 'ID', cell: ({ id }) => shortId(id) },
    status: { title: 'STATUS', cell: describeStatus, colour: ({ status }) => colours[status] },
    title: { title: 'TITLE', cell: ({ title }) => plainLine(title), narrow: 'shorten' },
    repo_id: {
      title: 'REPOSITORY',
      cell: ({ repo_id }) => plainLine(repoNames.get(repo_id) ?? ''),
      narrow: 'shorten',
    },
    created_at: {
      title: 'AGE',
      cell: (issue) => renderRelative(issue.created_at, now),
      plain: (issue) => issue.created_at,
    },
    usage: { title: 'COST', cell: costOf, plain: ({ usage }) => String(usage.cost_usd ?? ''), narrow: 'omit' },
    verdict: { title: 'TESTS', cell: verdictOf, narrow: 'omit' },
    // With the status.
    stage: null,
    queue_position: null,
    waits_for_repo: null,
    held_by_budget: null,
    queue_reason: null,
    // On the issue alone, or nowhere.
    origin: null,
    labels: null,
    created_by: null,
    parent_issue_id: null,
    codehost_number: null,
    codehost_url: null,
    change_request_state: null,
    base_branch: null,
    updated_at: null,
    queued_at: null,
    started_at: null,
    finished_at: null,
    branch: null,
    change_request_url: null,
    form: null,
  } as const satisfies Record<keyof IssueSummary, Column<ListedIssue> | null>;
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
      Object.values(facts as Record<string, Fact | null>)
        .filter((fact) => fact !== null)
        .map(([label, textOf]) => [label, textOf(issue, { repoName, when })] as const),
      view,
    ),
    issue.body.trim() === '' ? '' : wrapText(plainText(issue.body.trim()), width),
    plan === null ? '' : renderPlan(plan, style, width),
    gate === null ? '' : renderGate({ ...issue, gate, plan: null }, view), // the plan is above, with its criteria
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

type Fact = readonly [
  label: string,
  value: (
    issue: IssueWire,
    about: { readonly repoName: string | null; readonly when: (at: string | null) => string | null },
  ) => string | null,
];

/** What stands under the result of an issue, by the field that it shows. Null: it stands elsewhere, or nowhere. */
const facts = {
  id: ['Issue', ({ id }) => id],
  repo_id: ['Repository', ({ repo_id }, { repoName }) => plainLine(repoName ?? repo_id)],
  base_branch: ['Base', ({ base_branch }) => plainLine(base_branch)],
  labels: ['Labels', ({ labels }) => labels.map(plainLine).join(', ')],
  codehost_url: ['From', ({ codehost_url: url }) => (url === null ? null : plainLine(url))],
  follow_up: ['Remarks', ({ follow_up }) => remarksOf(follow_up).map(renderRemark).join(', ')],
  created_at: ['Created', ({ created_at }, { when }) => when(created_at)],
  finished_at: ['Ended', ({ finished_at }, { when }) => when(finished_at)],
  // Above, with the status and the result.
  title: null,
  status: null,
  stage: null,
  queue_position: null,
  queued_at: null,
  waits_for_repo: null,
  held_by_budget: null,
  result: null,
  change_request_state: null,
  error: null,
  // Below, with the text, the plan and the gate.
  body: null,
  plan: null,
  gate: null,
  triage: null,
  usage: null,
  budget: null,
  // Nowhere.
  origin: null,
  created_by: null,
  parent_issue_id: null,
  codehost_number: null,
  commands: null,
  queue_reason: null,
  updated_at: null,
  started_at: null,
  form: null,
} as const satisfies Record<keyof IssueWire, Fact | null>;

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

const SHORT_COMMIT = 10;

const HEAD = {
  pending: ['dim', 'not finished'],
  success: ['green', 'passed'],
  failure: ['red', 'failed'],
  cancelled: ['yellow', 'was cancelled'],
} as const satisfies Record<BuildNews['verdict'], readonly [string, string]>;

/** Renders what is known of the build of a pull request, on one line. */
export function renderBuild(build: BuildNews, style: Style): string {
  const { verdict, commit, failed, also_failing_at_base: atBase, optional_failed: optional, given_up } = build;
  const [colour, head] = HEAD[verdict];
  return [
    `${style(colour, head)} at ${commit.slice(0, SHORT_COMMIT)}${failed.length === 0 ? '' : `: ${names(failed)}`}`,
    ...(atBase.length === 0 ? [] : [`the base branch fails too: ${names(atBase)}`]),
    ...(optional.length === 0 ? [] : [`failed, but not required: ${names(optional)}`]),
    ...(given_up === true ? ['fixing it was given up'] : []),
    ...(verdict === 'failure' ? [plainLine(build.url)] : []),
  ].join('; ');
}

function names(all: readonly string[]): string {
  return all.map(plainLine).join(', ');
}
