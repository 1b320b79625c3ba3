import { type Issue, type IssueResult, renderAnswerComment, storableText, type Triage } from '@sluice/core';
import type { StageContext } from '../../stage/stage-context.ts';
import type { StageEnd } from '../../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../../workspace/follow-repo.ts';
import { putComment } from '../put-comment.ts';

type Ports = 'issues' | 'publicUrl' | RepoPorts;

interface Answered {
  readonly answer: string;
  readonly summary: string;
  readonly triage: Triage | null;
  /** For `stage.completed`. */
  readonly madeBy: string;
}

/** Completes a question with its answer: no gate, no change and no branch. It is also a comment where the issue came from. */
export async function answerQuestion(stage: StageContext<Ports>, answered: Answered): Promise<StageEnd> {
  const issue = stage.execution.issue();
  const base = issue.pipeline.prepared?.base_commit ?? '';
  const answer = storableText(answered.answer);
  const result: IssueResult = {
    branch: null,
    base_commit: base,
    head_commit: base,
    change_request_url: null,
    summary: storableText(answered.summary),
    files_changed: 0,
    additions: 0,
    deletions: 0,
    tests: null,
    findings: [],
    answer,
  };
  return {
    trigger: 'published',
    next: 'plan',
    pipeline: { triage: answered.triage },
    detail: `answered by ${answered.madeBy}`,
    notes: await comment(stage, issue, answer),
    result,
    events: [{ type: 'result.published', data: { result } }],
  };
}

/** Comments on the imported issue, or for a follow-up on its pull request. */
async function comment(stage: StageContext<Ports>, issue: Issue, answer: string): Promise<string[]> {
  const { deps, repo } = stage;
  if (repo.provider !== 'codehost' || deps.codehost === null) return [];
  const parent = issue.parentIssueId === null ? null : await deps.issues.get(issue.parentIssueId);
  const number = parent?.changeRequest?.number ?? issue.codehostNumber;
  if (number === null) return [];
  await followRepo(stage);
  return await putComment(stage, number, renderAnswerComment({ issue, publicUrl: deps.publicUrl }, answer));
}
