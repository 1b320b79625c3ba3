import { AppError } from '@sluice/core/error';
import { plannedFiles, type Review, reviewSchema } from '@sluice/core/pipeline';
import { withoutSecrets } from '@sluice/core/text';
import { type MechanicalFindings, mechanicalFindings } from '../review/mechanical-findings.ts';
import { fence } from '../tools/fence.ts';
import { findCode } from '../tools/find-code.ts';
import { listFiles } from '../tools/list-files.ts';
import { outline } from '../tools/outline.ts';
import { readFile } from '../tools/read-file.ts';
import { searchText } from '../tools/search-text.ts';
import { structuredAnswer } from './answer.ts';
import { adviceSections, environmentSections, issueSections, planSection } from './request-sections.ts';
import { changeSections, findingSections, ranSection, testsSection } from './review-sections.ts';
import type { AnsweredCall, RoleDefinition } from './role-definition.ts';
import { notReviewedIn } from './unfinished-words.ts';

const reading = [listFiles, searchText, findCode, outline, readFile];

const UNREAD = '(It read nothing but the diff.)';

/** The built-in model's approval, which says by itself what it rests on. */
export const MECHANICAL_REVIEW =
  'Reviewed mechanically (built-in, no model): files against the plan, conflict markers, well-known secrets. No model has checked what the code does.';

export const reviewer: RoleDefinition<'reviewer'> = {
  role: 'reviewer',
  promptFile: new URL('./reviewer.md', import.meta.url),
  tools: reading,
  maxTurns: 30,
  answer: structuredAnswer({
    name: 'review',
    schema: reviewSchema,
    tool: {
      name: 'submit_review',
      description: 'Ends your work with the review.',
    },
    // No person reads an approval before it counts.
    mustEndText: ({ decision }) => decision === 'approve',
  }),
  adviceAbout: ({ plan, diff }) => [...plannedFiles(plan), ...diff.files.map(({ path }) => path)],
  query: () => null,
  request(input, { advice, room }) {
    const before = [
      ...adviceSections(advice),
      ...environmentSections(input.environment),
      ...issueSections(input.issue),
      planSection(input.plan),
    ];
    const after = [
      ...(input.authorSays == null ? [] : [fence('author_says', input.authorSays)]),
      ...(input.ran == null ? [] : [ranSection(input.ran)]),
      ...(input.tests === null ? [] : [testsSection(input.tests)]),
      ...findingSections(mechanicalFindings(input)),
      'Review the change.',
    ];
    const others = [...before, ...after].join('\n\n').length;
    return [...before, ...changeSections(input, { room, others }), ...after].join('\n\n');
  },
  async objections({ decision, summary, findings }) {
    if (decision !== 'approve') return [];
    return [
      ...(findings.length === 0 ? [] : [{ opening: 'You approve, and list findings', rest: WITH_FINDINGS }]),
      ...(notReviewedIn(summary) === null
        ? []
        : [{ opening: 'You approve, and say that you did not review', rest: UNREVIEWED }]),
    ];
  },
  finish(review, { input, calls }) {
    const refusal = review.decision === 'approve' ? notReviewedIn(review.summary) : null;
    if (refusal !== null)
      throw new AppError('agent_blocked', {
        detail: `The reviewer approved without reviewing: "${refusal}" Retry the issue, or set another model for the review (MODEL_REVIEW).`,
      });
    return enforceFindings(withWhatWasRead(review, calls), mechanicalFindings(input));
  },
};

const WITH_FINDINGS = ', which must be fixed. Request changes for them, or approve without them.';
const UNREVIEWED = '. Review the change, or request changes and say what stands in the way.';

/** Says of an approval that it rests on the diff alone. */
function withWhatWasRead(review: Review, calls: readonly AnsweredCall[]): Review {
  const hasRead = calls.some(({ tool, outcome }) => outcome === 'done' && reading.some(({ name }) => name === tool));
  if (hasRead || review.decision !== 'approve' || review.summary === MECHANICAL_REVIEW) return review;
  return { ...review, summary: `${review.summary} ${UNREAD}` };
}

/**
 * Adds the service's own findings to a review: an approval despite a finding that must be fixed becomes a request for
 * changes. Text that looks like a secret is removed from the reviewer's words, because they go into events and to the
 * next agent.
 */
export function enforceFindings({ decision, summary, findings }: Review, { mustFix }: MechanicalFindings): Review {
  const reported = findings.map(withoutSecrets);
  const missing = mustFix.filter((finding) => !reported.includes(finding));
  const overruled = decision === 'approve' && mustFix.length > 0;
  const note = 'The reviewer approved, but the service found problems that must be fixed first.';
  return {
    decision: mustFix.length > 0 ? 'request_changes' : decision,
    summary: withoutSecrets(overruled ? `${note} The reviewer: ${summary}` : summary),
    findings: [...missing, ...reported],
  };
}
