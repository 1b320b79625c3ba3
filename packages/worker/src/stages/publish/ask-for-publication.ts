import { needsApproval, renderFinding } from '@sluice/core/change';
import { renderOutsideApproval } from '@sluice/core/follow-up';
import { type Gate, type Implementation, listed, renderUncounted, testFacts } from '@sluice/core/pipeline';
import { guardedFiles } from '@sluice/core/publication';
import { shortened, visibleLine, visiblePath } from '@sluice/core/text';
import { verdictSentences } from '../../publication/render-outcome.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import { openingOf, type StageDone } from '../../stage/stage-end.ts';
import type { CommittedChange } from '../../workspace/implementation-commit.ts';
import { renderFlaky } from '../test-feedback.ts';

const MAX_REASONS = 100; // approvers hardly read more; the diff has all files

/**
 * Asks an approver when the change contains files that run with secrets of the code host, because pushing them may be enough
 * to run them, or when the service found that its tests prove less than before, that they did not pass in each run, that
 * they failed although the command succeeded, or that fewer of them ran without a reason in the change. A confirmation holds for exactly one commit.
 *
 * @param unapproved files of the change that no person has approved
 * @returns the end of the stage when an approver must be asked; null when publishing may continue
 */
export async function askForPublication(
  stage: StageContext<'clock' | 'repos'>,
  change: CommittedChange,
  unapproved: readonly string[],
): Promise<StageDone | null> {
  const { pipeline, plan } = stage.execution.issue();
  const { head_commit } = change;
  if (pipeline.publication?.confirmed?.head_commit === head_commit) return null;
  const guarded = guardedFiles(change.files.map(({ path }) => path));
  const findings = (pipeline.implementation?.findings ?? []).filter(needsApproval);
  const tests = pipeline.implementation?.tests ?? null;
  const flaky = tests?.flaky ?? [];
  const uncounted = tests === null ? [] : renderUncounted(tests);
  const missing = (tests?.missing ?? []).map(visibleLine);
  const all = [
    ...(unapproved.length === 0 ? [] : [renderOutsideApproval(unapproved)]),
    ...guarded.map(({ reason }) => reason),
    ...findings.map(renderFinding),
    ...uncounted,
    ...missing,
    ...(flaky.length === 0 ? [] : [renderFlaky(flaky), 'The tests passed only when they were run again.']),
  ];
  if (all.length === 0) return null;
  const revision = plan?.revision ?? 1;
  const reasons = all.slice(0, MAX_REASONS);
  const more = all.length - reasons.length;
  const gate: Gate = {
    kind: 'publish',
    revision,
    plan_hash: null,
    base_commit: change.base_commit,
    head_commit,
    ...(await openingOf(stage, 'publish')),
    reasons: [
      ...reasons,
      ...(more > 0 ? [`${more} more are of this kind: see the diff.`] : []),
      ...aboutChange(change, pipeline.implementation).filter((fact) => !all.includes(fact)),
    ],
    blocker: null,
  };
  return {
    trigger: 'confirmation_needed',
    next: 'publish',
    detail: `${detailOf({ guarded: guarded.length, unapproved: unapproved.length, findings: findings.length + uncounted.length + missing.length + flaky.length })}: published only after an approver confirms`,
    pipeline: {
      publication: {
        head_commit,
        asked: guarded.map(({ path }) => path),
        confirmed: null,
        change_request: pipeline.publication?.change_request ?? null,
      },
    },
    gate,
    events: [{ type: 'review.requested', data: { revision } }],
  };
}

const MAX_SUMMARY_LENGTH = 500; // some sentences; the pull request has the whole

/**
 * The facts against which an approver weighs the reasons: the size of the change, the result of its tests, and the
 * review.
 */
function aboutChange({ files }: CommittedChange, implementation: Implementation | null): string[] {
  const sum = (lines: (file: (typeof files)[number]) => number) => files.reduce((all, file) => all + lines(file), 0);
  const size = `${files.length === 1 ? '1 file' : `${files.length} files`}, +${sum((file) => file.additions)} −${sum((file) => file.deletions)}`;
  const tests = implementation?.tests ?? null;
  const review = implementation?.review ?? null;
  const isCounted = tests !== null && renderUncounted(tests).length === 0;
  return [
    `The change: ${size}: ${listed(files.map(({ path }) => visiblePath(path)))}.`,
    ...(isCounted ? [verdictSentences[tests.verdict]] : []),
    ...(tests === null ? [] : testFacts(tests).map(visibleLine)),
    ...(review === null
      ? []
      : [`The reviewer approved it: ${shortened(visibleLine(review.summary), MAX_SUMMARY_LENGTH)}`]),
  ];
}

function detailOf(counts: { guarded: number; unapproved: number; findings: number }): string {
  const { guarded, unapproved, findings } = counts;
  const parts = [
    ...(guarded > 0
      ? [guarded === 1 ? '1 file that runs with secrets' : `${guarded} files that run with secrets`]
      : []),
    ...(unapproved > 0
      ? [unapproved === 1 ? '1 file that no person approved' : `${unapproved} files that no person approved`]
      : []),
    ...(findings > 0 ? [findings === 1 ? '1 finding' : `${findings} findings`] : []),
  ];
  return parts.join(' and ');
}
