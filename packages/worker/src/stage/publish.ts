import type { IssueResult, Workspace } from '@sluice/core';
import { type CommittedChange, committedChange } from './committed-change.ts';
import { judgeRetrieval, type RetrievalJudgement, retrievalInWords } from './judge-retrieval.ts';
import { outsidePlanInWords } from './outside-plan.ts';
import type { StageEnd } from './stage-end.ts';
import type { StageRun } from './stage-run.ts';

/**
 * Pushes the commit that was tested and reviewed. A push that got through before its write did is pushed again, and
 * finds its own commit there.
 */
export async function publish(stage: StageRun): Promise<StageEnd> {
  const workspace = await stage.workspace();
  const change = await committedChange(stage);
  await workspace.push(change.head_commit, stage.signal);
  const retrieval = await retrievalOf(stage, workspace, change);
  const result = resultOf(stage, change, workspace.branch);
  return {
    trigger: 'published',
    next: 'publish',
    detail: `branch ${result.branch}${retrieval === null ? '' : `; ${retrievalInWords(retrieval)}`}`,
    notes: await unreadNotes(stage),
    result,
    retrieval,
    events: [{ type: 'result.published', data: { result } }],
  };
}

/** Who wrote to an agent that had given its last answer must not believe that it was heard. */
async function unreadNotes({ deps, run }: StageRun): Promise<string[]> {
  const unread = await deps.runs.notes(run.issue().id);
  if (unread.length === 0) return [];
  const which = unread.length === 1 ? 'The last note' : `The last ${unread.length} notes`;
  return [`${which} came when the last agent had ended its work: no model has read it.`];
}

async function retrievalOf(
  { run, signal }: StageRun,
  workspace: Workspace,
  change: CommittedChange,
): Promise<RetrievalJudgement | null> {
  const { retrieved } = run.issue().pipeline;
  if (retrieved === undefined) return null;
  const atBase = new Set((await workspace.blobs(signal)).map(({ path }) => path));
  return judgeRetrieval({ retrieved, changed: change.files.map(({ path }) => path), atBase });
}

function resultOf(stage: StageRun, change: CommittedChange, branch: string): IssueResult {
  const { pipeline } = stage.run.issue();
  return {
    branch,
    base_commit: change.base_commit,
    head_commit: change.head_commit,
    change_request_url: null,
    summary: summaryOf(stage),
    files_changed: change.files.length,
    additions: change.files.reduce((sum, file) => sum + file.additions, 0),
    deletions: change.files.reduce((sum, file) => sum + file.deletions, 0),
    tests: pipeline.tests,
  };
}

/** What was done, and what a reader of the result must know about how. */
function summaryOf(stage: StageRun): string {
  const { deps, run } = stage;
  const { implementation } = run.issue().pipeline;
  const madeBy = implementation?.made_by?.join(', ');
  const outside = outsidePlanInWords(implementation?.outside_plan ?? []);
  const lines = [implementation?.summary ?? '', outside ?? '', madeBy === undefined ? '' : `Made by: ${madeBy}.`];
  if (deps.sandbox.kind === 'none') lines.push('Commands ran without a sandbox (SANDBOX=none).');
  return lines.filter((line) => line !== '').join('\n');
}
