import { needsApproval, renderFinding } from '@sluice/core/change';
import { issueMarker, remarkMarker, roundsMarker } from '@sluice/core/code-host';
import type { Issue } from '@sluice/core/issue';
import type { Plan } from '@sluice/core/pipeline';
import { guardedFiles } from '@sluice/core/publication';
import {
  neutralCode,
  neutralPlain,
  neutralProse,
  neutralQuote,
  shortened,
  splitUntrusted,
  visibleLine,
  withoutSecrets,
} from '@sluice/core/text';
import type { WorkspaceDiff } from '@sluice/core/workspace';
import { changeSection, reviewSection, testSection } from './render-outcome.ts';
import { type RemarkReply, renderRemarkReply, renderRemarkReplyElsewhere } from './render-remark-answer.ts';

/** The input for the text of a pull request: what the service recorded, never a model's account of it. */
export interface ChangeRequestFacts {
  readonly issue: Issue;
  /** The default branch of the repository: only a merge into it closes an issue. */
  readonly defaultBranch: string;
  readonly change: Pick<WorkspaceDiff, 'base_commit' | 'head_commit' | 'files'>;
  /** False when commands of the repository ran without a sandbox. */
  readonly sandboxed: boolean;
  /** The address of Sluice for users. */
  readonly publicUrl: URL;
}

/** The host takes 65,536 characters. The rest is a reserve, because it may count characters in another way. */
const MAX_BODY_LENGTH = 60_000;
const MAX_ANSWER_LENGTH = 20_000; // escapes can double it
const MAX_TITLE_LENGTH = 200; // the host takes 256

export function changeRequestTitle(issue: Pick<Issue, 'title'>): string {
  return shortened(neutralPlain(visibleLine(issue.title)), MAX_TITLE_LENGTH);
}

/**
 * The text of a pull request, in Markdown. Text by people and models is neutralized: it mentions no user, references no
 * issue and closes none.
 */
export function renderChangeRequest(facts: ChangeRequestFacts): string {
  const { issue, change } = facts;
  const { pipeline, plan } = issue;
  return bounded(
    issueMarker(issue.id),
    [
      ...askedSection(issue, facts.defaultBranch),
      ...warningSection(facts),
      ...(plan === null ? [] : planSection(plan)),
      ...changeSection(change, pipeline.implementation),
      ...testSection(change, pipeline.implementation?.tests ?? null),
      ...reviewSection(pipeline.implementation?.review ?? null),
      ...costSection(issue),
    ],
    backLink(facts),
  );
}

/** The comment on the imported issue. The same state gives the same text, so writing it twice changes nothing. */
export function renderPublishedComment(facts: ChangeRequestFacts, changeRequest: { number: number }): string {
  const { issue, change } = facts;
  const lines = [
    `Sluice opened #${changeRequest.number} for this issue.`,
    '',
    ...changeSection(change, issue.pipeline.implementation).slice(1),
    ...testSection(change, issue.pipeline.implementation?.tests ?? null),
  ];
  return bounded(issueMarker(issue.id), lines, backLink(facts));
}

/** The comment that answers a question, where it was asked. */
export function renderAnswerComment(
  { issue, publicUrl }: Pick<ChangeRequestFacts, 'issue' | 'publicUrl'>,
  answer: string,
): string {
  const lines = [
    'Sluice answers, without a change:',
    '',
    ...neutralQuote(withoutSecrets(answer), MAX_ANSWER_LENGTH),
    '',
  ];
  return bounded(issueMarker(issue.id), lines, backLink({ issue, publicUrl }));
}

/** The answer to a remark, in its own thread. */
export function renderRemarkComment(
  { issue, publicUrl }: Pick<ChangeRequestFacts, 'issue' | 'publicUrl'>,
  reply: RemarkReply,
): string {
  return bounded(
    remarkMarker(issue.id, reply.remark.id),
    [renderRemarkReply(reply), ''],
    backLink({ issue, publicUrl }),
  );
}

/** The answer to a remark that has no thread, or none any more: a comment in the conversation that links to it. */
export function renderRemarkCommentElsewhere(
  { issue, publicUrl }: Pick<ChangeRequestFacts, 'issue' | 'publicUrl'>,
  reply: RemarkReply,
): string {
  const marker = remarkMarker(issue.id, reply.remark.id);
  return bounded(marker, [renderRemarkReplyElsewhere(reply), ''], backLink({ issue, publicUrl }));
}

/** The comment that asks people to decide how the pull request goes on, when reviews have led to as many follow-ups as allowed. */
export function renderRoundsComment(
  { issue, publicUrl }: Pick<ChangeRequestFacts, 'issue' | 'publicUrl'>,
  { by, rounds }: { readonly by: 'people' | 'bots'; readonly rounds: number },
): string {
  const times = rounds === 1 ? 'once' : `${rounds} times`;
  const lines =
    by === 'people'
      ? [
          `Sluice has worked on this pull request ${times} after reviews, and now asks first: new reviews and comments wait in Sluice until a person runs them.`,
        ]
      : [
          `Sluice has worked on this pull request ${times} after reviews by bots, and does not carry out more of those. A person who may write can ask for more in a comment.`,
        ];
  return bounded(roundsMarker(issue.id, by), [...lines, ''], backLink({ issue, publicUrl }));
}

/**
 * The comment on the pull request that a follow-up continues.
 *
 * @param reply to the remark that has no thread, which this comment answers; null where there is none
 */
export function renderFollowUpComment(facts: ChangeRequestFacts, reply: RemarkReply | null): string {
  const { issue, change } = facts;
  const { pipeline } = issue;
  const lines = [
    ...(reply === null ? [] : [renderRemarkReplyElsewhere(reply), '']),
    `Sluice added commit ${(change.head_commit ?? '').slice(0, 12)} for this request:`,
    '',
    ...neutralQuote(issue.title, MAX_TITLE_LENGTH),
    '',
    ...warningSection(facts),
    ...(issue.plan === null ? [] : planSection(issue.plan)),
    ...changeSection(change, pipeline.implementation),
    ...testSection(change, pipeline.implementation?.tests ?? null),
    ...reviewSection(pipeline.implementation?.review ?? null),
    ...costSection(issue),
  ];
  const marker = reply === null ? issueMarker(issue.id) : remarkMarker(issue.id, reply.remark.id);
  return bounded(marker, lines, backLink(facts));
}

function warningSection({ issue, change, sandboxed }: ChangeRequestFacts): string[] {
  const guarded = guardedFiles(change.files.map(({ path }) => path));
  const findings = issue.pipeline.implementation?.findings ?? [];
  const approved = findings.filter(needsApproval);
  const warnings = [
    ...(sandboxed ? [] : ['Commands ran without a sandbox.']),
    ...(guarded.length === 0 ? [] : ['A person approved the publication of these files:']),
    ...guarded.map(({ reason }) => reason),
    ...findings.filter((finding) => !needsApproval(finding)).map(renderFinding),
    ...issue.pipeline.warnings,
    ...(approved.length === 0 ? [] : ['A person approved the publication with these findings:']),
    ...approved.map(renderFinding),
  ];
  if (warnings.length === 0) return [];
  return ['## Review carefully', '', ...warnings.map((warning) => `- ${neutralProse(warning, 500)}`), ''];
}

function costSection({ usage, pipeline }: Issue): string[] {
  const { input_tokens, output_tokens, cost_usd } = usage;
  const madeBy = pipeline.implementation?.made_by ?? [];
  const tokens = `${count(input_tokens)} input tokens and ${count(output_tokens)} output tokens`;
  const cost = cost_usd === null ? 'at an unknown price' : `for ${cost_usd.toFixed(2)} USD`;
  const model = madeBy.length === 0 ? '' : `Made by ${neutralProse(madeBy.join(', '), 300)}. `;
  return ['## Cost', '', `${model}${tokens}, ${cost}.`, ''];
}

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

function backLink({ issue, publicUrl }: Pick<ChangeRequestFacts, 'issue' | 'publicUrl'>): string {
  return `[View this issue in Sluice](${pageOfIssue(issue.id, publicUrl)})`;
}

/** The page of an issue for users. */
export function pageOfIssue(id: Issue['id'], publicUrl: URL): string {
  return `${publicUrl.href.replace(/\/+$/, '')}/issues/${id}`;
}

/** Keeps whole lines up to the limit, and always the link at the end. */
function bounded(marker: string, lines: readonly string[], link: string): string {
  const cut = 'The rest does not fit on this page.';
  let left = MAX_BODY_LENGTH - marker.length - link.length - cut.length - 8;
  const kept: string[] = [];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const end = kept.length === lines.length ? [] : ['', cut, ''];
  return [marker, '', ...kept, ...end, link, ''].join('\n');
}

const MAX_STEPS = 30; // a longer plan can be read in Sluice, where it was approved
const LINE = 1_000;
const PATH = 300;

/**
 * The request. Only the number of the imported issue may close it. Comments by people without write access are left out:
 * they are not instructions.
 */
function askedSection(issue: Issue, defaultBranch: string): string[] {
  const { codehostNumber: number, baseBranch } = issue;
  if (number !== null) {
    return [
      baseBranch === defaultBranch ? `Closes #${number}` : `For #${number}`,
      '',
      ...neutralQuote(issue.title, LINE),
      '',
    ];
  }
  return ['## Request', '', ...neutralQuote(`${issue.title}\n\n${splitUntrusted(issue.body).trusted}`, 4_000), ''];
}

function planSection(plan: Plan): string[] {
  const steps = plan.steps.slice(0, MAX_STEPS).flatMap((step, at) => [
    `${at + 1}. ${neutralProse(step.title, LINE)}: ${neutralProse(step.detail, LINE)}`,
    ...(step.files.length === 0
      ? []
      : [
          `   ${step.files
            .slice(0, MAX_STEPS)
            .map((path) => neutralCode(path, PATH))
            .join(', ')}`,
        ]),
  ]);
  const more = plan.steps.length - MAX_STEPS;
  return [
    `## Approved plan (revision ${plan.revision})`,
    '',
    ...neutralQuote(plan.summary, 2 * LINE),
    '',
    ...steps,
    ...(more > 0 ? [`${MAX_STEPS + 1}. and ${more} more`] : []),
    '',
    ...list('Acceptance criteria:', plan.acceptance_criteria),
    ...list('Risks:', plan.risks),
    `Test strategy: ${neutralProse(plan.test_strategy, LINE)}`,
    '',
  ];
}

function list(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [title, '', ...items.slice(0, MAX_STEPS).map((item) => `- ${neutralProse(item, LINE)}`), ''];
}
