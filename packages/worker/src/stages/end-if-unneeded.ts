import { buildVerdict, type CodeHost, type CodeHostCall } from '@sluice/core/code-host';
import { canBeFollowedUp } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import type { FollowUpCause, WorkerStage } from '@sluice/core/pipeline';
import { hostedName } from '@sluice/core/repo';
import type { StageContext } from '../stage/stage-context.ts';
import type { StageEnd } from '../stage/stage-end.ts';
import { followRepo, type RepoPorts } from '../workspace/follow-repo.ts';
import { answeredResult } from './answered-result.ts';
import { callAsUser } from './put-comment.ts';

/** Before anything is done, before the coder starts, and before anything is pushed. A gate may have been open for days. */
const CHECKED: ReadonlySet<WorkerStage> = new Set<WorkerStage>(['prepare', 'implement', 'publish']);
const SHORT_COMMIT = 12;

/**
 * The end of a follow-up that there is nothing left to do for: the pull request was merged or closed; and of a build also when
 * the branch has another head, or the jobs were run again and passed. Null for what a person has asked for, and while it is
 * needed.
 */
export async function endIfUnneeded(stage: StageContext<'issues' | RepoPorts>): Promise<StageEnd | null> {
  const { execution, deps, attempt } = stage;
  const issue = execution.issue();
  const { follow_up: cause, publication } = issue.pipeline;
  if (cause?.kind !== 'build' && cause?.kind !== 'base') return null;
  if (!CHECKED.has(attempt.stage) || deps.codehost === null || issue.parentIssueId === null) return null;
  // It was pushed: publishing only notes what there is.
  if (publication !== null && publication.change_request !== null) return null;
  const number = (await deps.issues.get(issue.parentIssueId))?.changeRequest?.number;
  if (number === undefined) return null;
  await followRepo(stage);
  const why = await callAsUser(stage, (host, call) => whyOver({ stage, host, call }, cause, number));
  return why === null ? null : endBecause(issue, attempt.stage, why);
}

interface Asking {
  readonly stage: StageContext<'issues' | RepoPorts>;
  readonly host: CodeHost;
  readonly call: CodeHostCall;
}

type Cause = Extract<FollowUpCause, { kind: 'build' | 'base' }>;

const left = {
  build: 'its build is not fixed any more',
  base: 'its base is not merged into it any more',
} as const satisfies Record<Cause['kind'], string>;

async function whyOver({ stage, host, call }: Asking, cause: Cause, number: number): Promise<string | null> {
  const name = hostedName(host, stage.repo);
  const { state, headCommit, baseBranch } = await host.changeRequest(call, name, number);
  // Pushed by an attempt that died before it could note that.
  if (headCommit === stage.execution.issue().pipeline.publication?.head_commit) return null;
  if (!canBeFollowedUp(state)) return `Pull request #${number} is ${state}: ${left[cause.kind]}.`;
  if (cause.kind === 'base') return null; // the base is merged onto whatever people push
  const built = cause.head_commit.slice(0, SHORT_COMMIT);
  if (headCommit !== cause.head_commit) {
    return `The branch has another head (${headCommit.slice(0, SHORT_COMMIT)}): the build of ${built} does not count any more.`;
  }
  // What was made is published, even if the jobs have passed meanwhile: a person approved it, or it stays within what they did.
  if (stage.attempt.stage === 'publish') return null;
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
