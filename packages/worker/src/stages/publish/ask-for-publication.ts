import { type Gate, guardedFiles, needsApproval, renderFinding } from '@sluice/core';
import type { StageContext } from '../../stage/stage-context.ts';
import { gateTimes, type StageDone } from '../../stage/stage-end.ts';
import type { CommittedChange } from '../../workspace/implementation-commit.ts';
import { renderFlaky } from '../test-feedback.ts';

const MOST_REASONS = 100; // approvers hardly read more; the diff has all files

/**
 * Asks an approver when the change contains files that run with secrets of the code host, because pushing them may be enough
 * to run them, or when the service found that its tests prove less than before, or that they did not pass in each run. A
 * confirmation holds for exactly one commit.
 *
 * @returns the end of the stage when an approver must be asked; null when publishing may continue
 */
export function askForPublication(stage: StageContext<'clock'>, change: CommittedChange): StageDone | null {
  const { pipeline, plan } = stage.execution.issue();
  const { head_commit } = change;
  if (pipeline.publication?.confirmed?.head_commit === head_commit) return null;
  const guarded = guardedFiles(change.files.map(({ path }) => path));
  const findings = (pipeline.implementation?.findings ?? []).filter(needsApproval);
  const flaky = pipeline.implementation?.tests?.flaky ?? [];
  const all = [
    ...guarded.map(({ reason }) => reason),
    ...findings.map(renderFinding),
    ...(flaky.length === 0 ? [] : [`The tests passed only when they were run again. ${renderFlaky(flaky)}`]),
  ];
  if (all.length === 0) return null;
  const revision = plan?.revision ?? 1;
  const reasons = all.slice(0, MOST_REASONS);
  const more = all.length - reasons.length;
  const gate: Gate = {
    kind: 'publish',
    revision,
    plan_hash: null,
    base_commit: change.base_commit,
    head_commit,
    ...gateTimes(stage),
    reasons: more > 0 ? [...reasons, `${more} more are of this kind: see the diff.`] : reasons,
    blocker: null,
  };
  return {
    trigger: 'confirmation_needed',
    next: 'publish',
    detail: `${detailOf(guarded.length, findings.length + flaky.length)}: published only after an approver confirms`,
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

function detailOf(files: number, length: number): string {
  const guarded = files === 1 ? '1 file that runs with secrets' : `${files} files that run with secrets`;
  const found = length === 1 ? '1 finding about the tests' : `${length} findings about the tests`;
  return [...(files > 0 ? [guarded] : []), ...(length > 0 ? [found] : [])].join(' and ');
}
