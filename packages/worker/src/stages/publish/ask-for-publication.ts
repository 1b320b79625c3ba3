import { type Gate, guardedFiles } from '@sluice/core';
import type { StageContext } from '../../stage/stage-context.ts';
import { gateTimes, type StageDone } from '../../stage/stage-end.ts';
import type { CommittedChange } from '../../workspace/implementation-commit.ts';

const MOST_REASONS = 100; // more are no better read; all of the files are in the diff

/**
 * Asks a person, where the change holds files that run with somebody's secrets: pushing them may be all that it takes.
 * A word holds for the very commit that it was given for.
 *
 * @returns how the stage ends when a person has to be asked; null when it may go on
 */
export function askForPublication(stage: StageContext, change: CommittedChange): StageDone | null {
  const { pipeline, plan } = stage.execution.issue();
  const { head_commit } = change;
  if (pipeline.publication?.confirmed?.head_commit === head_commit) return null;
  const guarded = guardedFiles(change.files.map(({ path }) => path));
  if (guarded.length === 0) return null;
  const revision = plan?.revision ?? 1;
  const reasons = guarded.slice(0, MOST_REASONS).map(({ reason }) => reason);
  const more = guarded.length - reasons.length;
  const gate: Gate = {
    kind: 'publish',
    revision,
    plan_hash: null,
    base_commit: change.base_commit,
    head_commit,
    ...gateTimes(stage),
    reasons: more > 0 ? [...reasons, `${more} more files are of this kind: look at the diff.`] : reasons,
  };
  const files = guarded.length === 1 ? '1 file that runs' : `${guarded.length} files that run`;
  return {
    trigger: 'confirmation_needed',
    next: 'publish',
    detail: `${files} with secrets: published only after a person's word`,
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
