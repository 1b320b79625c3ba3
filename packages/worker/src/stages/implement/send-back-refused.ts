import { AppError } from '@sluice/core/error';
import { BUILTIN_LABEL, nextImplementRound } from '@sluice/core/pipeline';
import type { Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../../stage/stage-context.ts';
import { gaveUp, type StageEnd } from '../../stage/stage-end.ts';
import { saveInterimDiff } from '../../workspace/save-diff.ts';

/** Whether an error says that the change has content that must not be committed. */
export function isContentRefused(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'lfs_content_refused';
}

/**
 * The end of a round whose change was refused before the commit. As after failing tests, the coder corrects it in a new round,
 * as often as tests may send it back; there is no commit, so the round goes on in the tree and the conversation as they are.
 *
 * @param madeBy the models that worked in the round: the built-in one would only do the same again
 */
export async function sendBackRefused(
  stage: StageContext<'runs' | 'timers' | 'log'>,
  workspace: Workspace,
  { error, madeBy }: { readonly error: AppError; readonly madeBy: readonly string[] },
): Promise<StageEnd> {
  await saveInterimDiff(stage, workspace);
  const { rounds } = stage.execution.issue().pipeline;
  const sentBack = rounds.test_send_backs;
  const bound = madeBy.some((label) => label !== BUILTIN_LABEL) ? stage.options.bounds.testSendBacks : 0;
  if (sentBack >= bound) return gaveUp(error);
  return {
    trigger: 'stage_advanced',
    next: 'implement',
    detail: `content where Git LFS stores files: sent back to the coder (${sentBack + 1} of ${bound})`,
    notes: [error.message],
    pipeline: {
      rounds: { ...rounds, test_send_backs: sentBack + 1, implement: nextImplementRound(rounds) },
      ended: { stage: 'implement', round: stage.attempt.round, reason: error.message, keeps: 'conversation' },
    },
  };
}
