import type { IssueResult } from '@sluice/core';
import { type CommittedChange, committedChange } from './committed-change.ts';
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
  const result = resultOf(stage, change, workspace.branch);
  return {
    trigger: 'published',
    next: 'publish',
    detail: `branch ${result.branch}`,
    result,
    events: [{ type: 'result.published', data: { result } }],
  };
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
  const lines = [run.issue().pipeline.implementation?.summary ?? '', `Made by: ${deps.agents.label('coder')}.`];
  if (deps.sandbox.kind === 'none') lines.push('Commands ran without a sandbox (SANDBOX=none).');
  return lines.filter((line) => line !== '').join('\n');
}
