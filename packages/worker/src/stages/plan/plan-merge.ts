import { AppError } from '@sluice/core/error';
import type { Issue } from '@sluice/core/issue';
import type { FollowUpCause, PlanDraft } from '@sluice/core/pipeline';
import type { MergeConflict, Workspace } from '@sluice/core/workspace';
import type { StageContext } from '../../stage/stage-context.ts';
import { gaveUp, type StageEnd } from '../../stage/stage-end.ts';
import { answeredResult } from '../answered-result.ts';

export type BaseCause = Extract<FollowUpCause, { kind: 'base' }>;

const SHORT_COMMIT = 12;

/**
 * The plan of a merge, which the service makes without a model: the files in conflict are the files of the plan. Instead of a
 * plan, the end of the stage where nothing is left to merge, or where no agent could do it.
 */
export async function planMerge(
  stage: StageContext<'agents'>,
  cause: BaseCause,
  workspace: Workspace,
): Promise<PlanDraft | StageEnd> {
  const { merge } = workspace;
  if (merge === null) throw new AppError('internal', { detail: 'The tree of a merge was opened without it.' });
  const { isContained, conflicts } = await merge.outcome(stage.signal);
  const what = `\`${cause.base_branch}\` (${cause.base_commit.slice(0, SHORT_COMMIT)})`;
  if (isContained)
    return nothingToMerge(stage.execution.issue(), `${what} is part of the branch already: nothing is left to merge.`);
  const byHand = conflicts.filter((conflict) => conflict.byHand);
  if (byHand.length > 0) return gaveUp(unresolved(what, byHand, 'No agent can settle that'));
  const draft = draftOf(what, workspace.branch, conflicts);
  const blocker = conflicts.length === 0 ? null : await stage.deps.agents.planBlocker(draft, workspace);
  return blocker === null
    ? draft
    : gaveUp(unresolved(what, conflicts, 'Settling that needs a model, and none is configured'));
}

function unresolved(what: string, conflicts: readonly MergeConflict[], why: string): AppError {
  return new AppError('merge_unresolved', {
    detail: `Merging ${what} has conflicts in ${named(conflicts)}. ${why}: merge it by hand, and push the branch.`,
  });
}

function draftOf(what: string, branch: string, conflicts: readonly MergeConflict[]): PlanDraft {
  const files = conflicts.map(({ path }) => path);
  const detail =
    conflicts.length === 0
      ? 'Git merges it without conflicts. No file is written by hand.'
      : `Both sides of each conflict are in the files, between lines that begin with <<<<<<< and >>>>>>>: first the branch's, then, after =======, the base's. Keep what both intend, and leave no such line. A file that one side deleted is there as the other side has it. In conflict: ${named(conflicts)}.`;
  return {
    summary: `Merge ${what} into \`${branch}\`${files.length === 0 ? '' : `; conflicts in: ${files.join(', ')}`}.`,
    steps: [{ title: `Merge ${what}`, detail, files }],
    acceptance_criteria: ['The tests pass at the merged commit, but for those that fail at the base.'],
    risks: [],
    test_strategy: 'The tests run at the merged commit, and at the base for comparison.',
  };
}

function named(conflicts: readonly MergeConflict[]): string {
  return conflicts.map(({ path, kind }) => (kind === 'contents' ? path : `${path} (${kind})`)).join(', ');
}

/** Somebody else has merged it meanwhile. */
function nothingToMerge(issue: Issue, answer: string): StageEnd {
  const result = answeredResult(issue, { answer });
  return {
    trigger: 'published',
    next: 'plan',
    detail: 'nothing to merge',
    result,
    events: [{ type: 'result.published', data: { result } }],
  };
}
