import {
  AppError,
  type ChangeRequest,
  type ChangeRequestFacts,
  type CodeHost,
  type CodeHostCall,
  changeRequestTitle,
  type ErrorCode,
  hostedName,
  type Issue,
  issueMarker,
  renderChangeRequest,
  renderFollowUpComment,
  renderPublishedComment,
} from '@sluice/core';
import { ExecutionEnded } from '../../execution/issue-execution.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import type { CommittedChange } from '../../workspace/implementation-commit.ts';
import { graceSignal } from './grace-signal.ts';

/** Where a change was published, and what the service has to say of it. */
export interface PublishedAt {
  readonly changeRequest: ChangeRequest;
  readonly notes: readonly string[];
}

/*
 * Exactly one pull request and one comment come of this, wherever it is cut off and begun again. The branch's name is
 * made from the issue, so the branch is looked up first; a host that has one already says so and it is taken; the
 * comment is found by its marker. The number is written down as soon as it is known, also on an issue that was cancelled
 * meanwhile.
 */

/** Opens the pull request of a pushed branch, or finds it, and says so where the issue comes from. */
export async function openChangeRequest(
  stage: StageContext,
  change: CommittedChange,
  branch: string,
): Promise<PublishedAt> {
  const facts: ChangeRequestFacts = {
    issue: stage.execution.issue(),
    defaultBranch: stage.repo.defaultBranch,
    change,
    sandboxed: stage.deps.sandbox.kind !== 'none',
    publicUrl: stage.deps.publicUrl,
  };
  const from = { headBranch: branch, headCommit: change.head_commit };
  const found = await find(stage, from);
  const changeRequest = found ?? (await open(stage, facts, from));
  try {
    await remember(stage, changeRequest);
  } catch (error) {
    if (error instanceof ExecutionEnded) await noteOnEnded(stage, changeRequest);
    throw error;
  }
  await markForSync(stage, changeRequest);
  const isReady = found === null && changeRequest.state === 'open' && stage.repo.settings.draft_change_request;
  const told = await tell(stage, facts, changeRequest);
  return { changeRequest, notes: [...(isReady ? [NO_DRAFT] : []), ...told] };
}

const NO_DRAFT = 'The pull request is no draft: the code host has none in this repository.';

interface PushedBranch {
  readonly headBranch: string;
  readonly headCommit: string;
}

async function find(stage: StageContext, from: PushedBranch): Promise<ChangeRequest | null> {
  const { repo, execution } = stage;
  const known = execution.issue().pipeline.publication?.change_request ?? null;
  // One that was written down is ours, also when somebody has closed it since: a second one would only annoy him.
  if (known !== null)
    return callAsUser(stage, (host, call) => host.changeRequest(call, hostedName(repo), known.number));
  // Somebody may have ended it before it was written down: it was asked for once, and is not opened again.
  return callAsUser(stage, (host, call) => host.findChangeRequest(call, hostedName(repo), from));
}

const FIND_MS = 3_000; // with the time for the answer less than a stage has to end

async function open(stage: StageContext, facts: ChangeRequestFacts, from: PushedBranch): Promise<ChangeRequest> {
  const { repo, execution } = stage;
  const { issue } = facts;
  const baseBranch = await targetOf(stage, issue, from.headBranch);
  stage.signal.throwIfAborted();
  const { signal, release } = graceSignal(stage.signal);
  try {
    return await callAsUser({ ...stage, signal }, (host, call) =>
      host.openChangeRequest(call, hostedName(repo), {
        title: changeRequestTitle(issue),
        body: renderChangeRequest(facts),
        headBranch: from.headBranch,
        baseBranch,
        draft: repo.settings.draft_change_request,
      }),
    );
  } catch (error) {
    if (!execution.signal.aborted) throw error;
    // Nobody looks again at an issue that was cancelled: it may be there with its answer lost.
    const made = await find({ ...stage, signal: AbortSignal.timeout(FIND_MS) }, from).catch(() => null);
    if (made === null) throw error;
    return made;
  } finally {
    release();
  }
}

/** Only an issue that has ended gets it so: where another process goes on, that one finds it itself. */
async function noteOnEnded({ deps, execution }: StageContext, { number, url, state }: ChangeRequest): Promise<void> {
  const { id: issueId } = execution.issue();
  await deps.codehostIndex.noteChangeRequest(issueId, { number, url, state }).catch((error: unknown) => {
    deps.log.warn({ err: error, issueId, url }, 'a pull request that was opened at the end could not be written down');
  });
}

/** The branch that the change is for. A follow-up stands on its own branch: there it is what the first issue was for. */
async function targetOf({ deps, repo }: StageContext, issue: Issue, branch: string): Promise<string> {
  let first: Issue | null = issue;
  while (first !== null && first.baseBranch === branch) {
    first = first.parentIssueId === null ? null : await deps.issues.get(first.parentIssueId);
  }
  return first?.baseBranch ?? repo.defaultBranch;
}

async function remember({ execution }: StageContext, { number, url, state }: ChangeRequest): Promise<void> {
  const { pipeline } = execution.issue();
  const { publication } = pipeline;
  if (publication === null || publication.change_request?.number === number) return;
  await execution.apply({
    trigger: 'pipeline_updated',
    set: {
      changeRequest: { number, state },
      pipeline: { ...pipeline, publication: { ...publication, change_request: { number, url } } },
    },
    events: [],
  });
}

/** What was said on it before it was known here to be ours concerned nobody then, and nobody tells of it again. */
async function markForSync({ deps, repo }: StageContext, { number }: ChangeRequest): Promise<void> {
  if (repo.codehostRepoId === null) return;
  await deps.codehostInbox.mark([{ codehostRepoId: repo.codehostRepoId, kind: 'change_request', number }]);
}

/** What says that the comment's place is gone or closed to us. The pull request stands, which is what was asked for. */
const NO_PLACE: readonly ErrorCode[] = ['codehost_not_found', 'codehost_forbidden', 'codehost_refused'];

/** Tells those who asked: on the imported issue, or for a follow-up on the pull request itself. */
async function tell(stage: StageContext, facts: ChangeRequestFacts, changeRequest: ChangeRequest): Promise<string[]> {
  const { issue } = facts;
  const isFollowUp = issue.parentIssueId !== null;
  const number = isFollowUp ? changeRequest.number : issue.codehostNumber;
  if (number === null) return [];
  const body = isFollowUp ? renderFollowUpComment(facts) : renderPublishedComment(facts, changeRequest);
  try {
    await callAsUser(stage, (host, call) =>
      host.putComment(call, hostedName(stage.repo), {
        number,
        marker: issueMarker(issue.id),
        body,
        beforeNew: () => stage.execution.write((lease) => stage.deps.runs.renew(lease, stage.options.leaseMs)),
      }),
    );
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || !NO_PLACE.includes(error.code)) throw error;
    return [`No comment could be written on #${number}: ${error.message}`];
  }
}

async function callAsUser<T>(
  { deps, repo, signal }: StageContext,
  work: (host: CodeHost, call: CodeHostCall) => Promise<T>,
): Promise<T> {
  const { codehost, codehostTokens } = deps;
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  return await codehostTokens.callAsUser(repo.userId, signal, (call) => work(codehost, call));
}
