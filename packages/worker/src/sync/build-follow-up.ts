import type { BuildAnnotation, ChangeRequest, FailedJob } from '@sluice/core/code-host';
import type { CausedFollowUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import { type FollowUpCause, followUpKey } from '@sluice/core/pipeline';
import {
  quotedLines,
  shortened,
  storableText,
  UNTRUSTED_BUILD_HEADING,
  visibleLine,
  withoutControlSequences,
} from '@sluice/core/text';

const SHORT_COMMIT = 12;
const JOB_BYTES = 8 * 1_024; // the end of a log that names a failed test is a few kilobytes
const ALL_BYTES = 24 * 1_024; // read by the planner and the coder in every round
const REPORT_BYTES = 1_024;
const ANNOTATIONS = 10;
const ANNOTATION_CHARACTERS = 500;
const NAME_CHARACTERS = 200;
const MAX_NAMES = 50;

/** A build that failed by the change itself. */
export interface BuildToFix {
  /** The issue that led to the pull request. */
  readonly first: Issue;
  readonly change: Pick<ChangeRequest, 'number' | 'url' | 'headBranch' | 'headCommit'>;
  /** The failed checks that are to be fixed, with what is known of them. */
  readonly jobs: readonly FailedJob[];
  /** The names of all of them, also of those that nothing is known of. */
  readonly names: readonly string[];
  /** Names of checks that fail at the base too, or do not count: they are not to be fixed. */
  readonly others: readonly string[];
  /** Which follow-up of the build it is, from 1. */
  readonly round: number;
}

/**
 * The follow-up that fixes a build. Of its text only our own sentences are instructions: what the jobs are called and what
 * they say stands below a heading that marks it as untrusted, quoted, without control sequences and of bounded size. Of a log
 * its end is kept.
 */
export function buildFollowUp(build: BuildToFix): Omit<CausedFollowUp, 'queue'> {
  const { first, change, names, round } = build;
  const cause: FollowUpCause = {
    kind: 'build',
    head_commit: change.headCommit,
    round,
    jobs: names.slice(0, MAX_NAMES).map(inLine),
  };
  return {
    title: `Fix the build of pull request #${change.number}`,
    body: bodyOf(build),
    first,
    branch: change.headBranch,
    cause,
    key: followUpKey(cause) ?? '',
    url: change.url,
  };
}

function bodyOf({ change, jobs, names, others }: BuildToFix): string {
  const branch = visibleLine(change.headBranch).replaceAll('`', "'");
  const reports = jobs.map((job) => lastBytes(jobText(job), JOB_BYTES));
  const known = new Set(jobs.map(({ check }) => check.name));
  const silent = names.filter((name) => !known.has(name)).map((name) => `Failed: ${inLine(name)}`);
  return [
    `The build of pull request #${change.number} fails at its commit \`${change.headCommit.slice(0, SHORT_COMMIT)}\`. Find out why, and make it pass. The work continues on the branch \`${branch}\`.`,
    'Do not weaken, skip or remove what fails, unless it contradicts the plan of the pull request. What its jobs are called and what they say is below.',
    ...(others.length === 0
      ? []
      : ['What fails at the base branch too, or does not count, is named last. It is not to be fixed here.']),
    UNTRUSTED_BUILD_HEADING,
    ...within(reports, ALL_BYTES).map(quotedLines),
    ...[...silent, ...others.map((name) => `Not to be fixed: ${inLine(name)}`)].slice(0, MAX_NAMES).map(quotedLines),
  ].join('\n\n');
}

function jobText({ check, report, annotations, log }: FailedJob): string {
  const summary = report ?? check.summary;
  return [
    `Failed: ${inLine(check.name)}${check.url === null ? '' : ` (${inLine(check.url)})`}`,
    ...(summary === null || summary.trim() === '' ? [] : ['It reports:', firstBytes(clean(summary), REPORT_BYTES)]),
    ...(annotations.length === 0 ? [] : ['It remarks:', ...annotations.slice(0, ANNOTATIONS).map(annotationLine)]),
    ...(log === null ? [] : [`Its log${log.truncated ? ', the end' : ''}:`, clean(log.tail)]),
  ].join('\n');
}

function annotationLine({ path, startLine, endLine, level, title, message }: BuildAnnotation): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const text = [title, message].filter((part) => part !== null && part !== '').join(': ');
  return shortened(visibleLine(clean(`${path}:${lines} (${level}) ${text}`)), ANNOTATION_CHARACTERS);
}

function inLine(text: string): string {
  return shortened(visibleLine(clean(text)), NAME_CHARACTERS);
}

/** Lines without what a terminal would act on. A progress bar that overwrote itself is one line for each of its states. */
function clean(text: string): string {
  return storableText(
    withoutControlSequences(text)
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, ''),
  ).trim();
}

/** The texts in equal shares of what is left: a short one leaves room to the others. */
function within(texts: readonly string[], limit: number): string[] {
  let left = limit;
  return texts.map((text, index) => {
    const kept = lastBytes(text, Math.floor(left / (texts.length - index)));
    left -= bytes(kept).length;
    return kept;
  });
}

const CUT = '(the beginning is left out)';

/** The first line, which names the job, and the end of the rest. */
function lastBytes(text: string, limit: number): string {
  const all = bytes(text);
  if (all.length <= limit) return text;
  const end = text.indexOf('\n');
  const head = end < 0 ? '' : text.slice(0, end);
  const room = limit - bytes(head).length - CUT.length - 2;
  // A partial character decodes to U+FFFD.
  const tail = new TextDecoder().decode(all.subarray(all.length - Math.max(0, room))).replace(/^\uFFFD+/, '');
  return [head, CUT, tail].filter((part) => part !== '').join('\n');
}

function firstBytes(text: string, limit: number): string {
  const all = bytes(text);
  return all.length <= limit ? text : `${new TextDecoder().decode(all.subarray(0, limit)).replace(/\uFFFD+$/, '')}…`;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
