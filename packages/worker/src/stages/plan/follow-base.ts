import { AppError, type ErrorCode, remoteErrorCodes } from '@sluice/core/error';
import type { NewEvent } from '@sluice/core/issue';
import type { Prepared } from '@sluice/core/pipeline';
import { accessTo } from '@sluice/core/repo';
import type { StageContext } from '../../stage/stage-context.ts';
import { type RepoPorts, retryAfterRelocation } from '../../workspace/follow-repo.ts';
import { type IndexPorts, updateIndex } from '../index-code.ts';
import { type BaseTestPorts, testPreparedBase } from '../test-base.ts';

export type BasePorts = 'bases' | 'cipher' | 'runs' | RepoPorts | IndexPorts | BaseTestPorts;

const MAX_FILES = 200; // a planner reads no more, and they are stored in the issue's row
const SHORT_COMMIT = 12;
/** A plan can be revised on the commit that the issue has. */
const UNREAD: readonly ErrorCode[] = [...remoteErrorCodes, 'base_branch_missing'];

/**
 * Before a plan is revised by guidance: moves the issue to the current tip of the base branch. No change exists before the
 * first approval, so the tree is prepared again on the new base, set up, tested and indexed.
 *
 * The progress is stored in the issue and in the repository's index, so it can be repeated after a crash at any point. The
 * base no longer moves once the planner has started. Call it before the stage opens its tree.
 */
export async function followBase(stage: StageContext<BasePorts>): Promise<void> {
  const { deps, execution, attempt } = stage;
  const { id, pipeline } = execution.issue();
  const { planning, prepared } = pipeline;
  if (planning.guidance === null || prepared === null) return;
  const begun = await deps.runs.journal(id, { stage: attempt.stage, round: attempt.round });
  if (begun.length > 0) return;
  await moveToTip(stage, prepared);
  const workspace = await stage.workspace();
  if (stage.repo.settings.test_before_gate) await testPreparedBase(stage, workspace);
  // Also when the base did not move: the file of the index may be lost or from another version. Checking an index that
  // is up to date costs one list of files.
  const { notes } = await updateIndex(stage, workspace);
  if (notes.length > 0) await execution.write((lease) => deps.runs.record(lease, notes.map(serviceMessage)));
}

async function moveToTip(stage: StageContext<BasePorts>, prepared: Prepared): Promise<void> {
  const { deps, execution } = stage;
  const { baseBranch, pipeline } = execution.issue();
  const found = await baseSince(stage, prepared.base_commit);
  if (typeof found === 'string') {
    await execution.write((lease) => deps.runs.record(lease, [serviceMessage(found)]));
    return;
  }
  const { tip, changed } = found;
  if (tip === prepared.base_commit) return;
  const { planning } = pipeline;
  const base_moved = [...new Set([...(planning.base_moved ?? []), ...changed])].slice(0, MAX_FILES);
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
      serviceMessage(
        `\`${baseBranch}\` has moved since the last plan, in ${files}. The next plan is based on its commit ${tip.slice(0, SHORT_COMMIT)}.`,
      ),
    ],
  });
}

/** @returns the tip of the branch and the changed files, or a note for the log when they cannot be read */
async function baseSince(stage: StageContext<BasePorts>, baseCommit: string) {
  const { deps, execution, signal } = stage;
  const { baseBranch } = execution.issue();
  try {
    return await retryAfterRelocation(stage, (repo) =>
      deps.bases.since({ repo: accessTo(deps, repo), branch: baseBranch, baseCommit, signal }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    if (!UNREAD.includes(error.code)) throw error;
    return `Could not check whether \`${baseBranch}\` has moved: ${error.message} The plan is based on the commit that the issue has.`;
  }
}

function serviceMessage(text: string): NewEvent {
  return { type: 'agent.message', data: { agent: 'service', text } };
}
