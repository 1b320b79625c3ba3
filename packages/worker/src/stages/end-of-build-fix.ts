import {
  buildVerdict,
  type CodeHost,
  type CodeHostCall,
  canBeFollowedUp,
  type FollowUpCause,
  hostedName,
  type Issue,
  type WorkerStage,
} from '@sluice/core';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageEnd } from '../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../workspace/follow-repo.ts';
import { answeredResult } from './answered-result.ts';
import { callAsUser } from './put-comment.ts';

type BuildCause = Extract<FollowUpCause, { kind: 'build' }>;

/** Before anything is done, before the coder starts, and before anything is pushed. A gate may have been open for days. */
const CHECKED: ReadonlySet<WorkerStage> = new Set<WorkerStage>(['prepare', 'implement', 'publish']);
const SHORT_COMMIT = 12;

/**
 * The end of a follow-up of a build that there is nothing left to do for: the branch has another head, the pull request was
 * merged or closed, or the jobs were run again and passed. Null for any other issue, and while it is needed.
 */
export async function endOfBuildFix(stage: StageContext<'issues' | RepoPorts>): Promise<StageEnd | null> {
  const { execution, deps, step } = stage;
  const issue = execution.issue();
  const cause = issue.pipeline.follow_up;
  if (cause?.kind !== 'build' || !CHECKED.has(step.stage) || deps.codehost === null) return null;
  // Once it may have been pushed, the head is its own, and publishing finds out by itself.
  if (issue.parentIssueId === null || issue.pipeline.publication !== null) return null;
  const number = (await deps.issues.get(issue.parentIssueId))?.changeRequest?.number;
  if (number === undefined) return null;
  await followRepo(stage);
  const why = await callAsUser(stage, (host, call) => whyOver({ stage, host, call }, cause, number));
  return why === null ? null : endBecause(issue, step.stage, why);
}

interface Asking {
  readonly stage: StageContext<'issues' | RepoPorts>;
  readonly host: CodeHost;
  readonly call: CodeHostCall;
}

async function whyOver({ stage, host, call }: Asking, cause: BuildCause, number: number): Promise<string | null> {
  const name = hostedName(stage.repo);
  const { state, headCommit, baseBranch } = await host.changeRequest(call, name, number);
  const built = cause.head_commit.slice(0, SHORT_COMMIT);
  if (!canBeFollowedUp(state)) return `Pull request #${number} is ${state}: its build is not fixed any more.`;
  if (headCommit !== cause.head_commit) {
    return `The branch has another head (${headCommit.slice(0, SHORT_COMMIT)}): the build of ${built} does not count any more.`;
  }
  // What was made is published, even if the jobs have passed meanwhile: a person approved it, or it stays within what they did.
  if (stage.step.stage === 'publish') return null;
  const { state: verdict } = buildVerdict(await host.build(call, name, { commit: headCommit, baseBranch }), headCommit);
  return verdict === 'success' ? `The jobs were run again and passed: the build of ${built} is not broken.` : null;
}

function endBecause(issue: Issue, next: WorkerStage, answer: string): StageEnd {
  const result = answeredResult(issue, { answer });
  return {
    trigger: 'published',
    next,
    detail: 'not needed any more',
    result,
    events: [{ type: 'result.published', data: { result } }],
  };
}
