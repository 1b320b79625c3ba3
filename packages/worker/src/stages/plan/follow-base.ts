import { AppError, accessTo, type NewEvent, type Prepared } from '@sluice/core';
import type { StageContext } from '../../stage/stage-context.ts';
import { retryAfterRelocation } from '../../workspace/follow-repo.ts';
import { updateIndex } from '../index-code.ts';

const MOST_FILES = 200; // a planner reads no more of them, and they stand in the issue's row
const SHORT_COMMIT = 12;

/**
 * Before a plan is made anew by a person's guidance: brings the issue to the base branch as it is now. No change has
 * been made before the first approval, so the tree is simply made anew on the new base, set up again and indexed.
 *
 * What was done of it stands in the issue and in the repository's index, so it can be repeated after a crash anywhere.
 * Once the planner has begun, the base stays under it. To be called before the stage opens its tree.
 */
export async function followBase(stage: StageContext): Promise<void> {
  const { deps, execution, step } = stage;
  const { id, pipeline } = execution.issue();
  const { planning, prepared } = pipeline;
  if (planning.guidance === null || prepared === null) return;
  const begun = await deps.runs.journal(id, { stage: step.stage, round: step.round });
  if (begun.length > 0) return;
  await moveToTip(stage, prepared);
  const workspace = await stage.workspace();
  // Also where the base is the old one: what the repository's row says of the index holds no longer when its file was
  // lost or made by another version. An index that is up to date costs a look at the list of files.
  const { notes } = await updateIndex(stage, workspace);
  if (notes.length > 0) await execution.write((lease) => deps.runs.record(lease, notes.map(said)));
}

async function moveToTip(stage: StageContext, prepared: Prepared): Promise<void> {
  const { deps, execution } = stage;
  const { baseBranch, pipeline } = execution.issue();
  const found = await baseSince(stage, prepared.base_commit);
  if (typeof found === 'string') {
    await execution.write((lease) => deps.runs.record(lease, [said(found)]));
    return;
  }
  const { tip, changed } = found;
  if (tip === prepared.base_commit) return;
  const { planning } = pipeline;
  const base_moved = [...new Set([...(planning.base_moved ?? []), ...changed])].slice(0, MOST_FILES);
  const files = changed.length === 1 ? '1 file' : `${changed.length} files`;
  await execution.apply({
    trigger: 'pipeline_updated',
    set: {
      pipeline: {
        ...pipeline,
        // `tree` keeps its value: the tree on the new base differs from it, so it is set up.
        prepared: { ...prepared, base_commit: tip, base_test: null },
        planning: { ...planning, base_moved },
      },
    },
    events: [
      said(
        `\`${baseBranch}\` has moved since the last plan was made, in ${files}. The next one is made on its commit ${tip.slice(0, SHORT_COMMIT)}.`,
      ),
    ],
  });
}

/** @returns how the branch stands now, or, when that cannot be found out, what is to be said of it */
async function baseSince(stage: StageContext, baseCommit: string) {
  const { deps, execution, signal } = stage;
  const { baseBranch } = execution.issue();
  try {
    return await retryAfterRelocation(stage, (repo) =>
      deps.bases.since({ repo: accessTo(deps, repo), branch: baseBranch, baseCommit, signal }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    if (error.code !== 'remote_unreachable' && error.code !== 'base_branch_missing') throw error;
    return `Whether \`${baseBranch}\` has moved could not be found out: ${error.message} The plan is made on the base that the issue has.`;
  }
}

function said(text: string): NewEvent {
  return { type: 'agent.message', data: { agent: 'service', text } };
}
