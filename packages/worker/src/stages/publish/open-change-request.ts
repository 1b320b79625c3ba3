import type { Timers } from '@sluice/core/async';
import { type ChangeRequest, remarkMarker } from '@sluice/core/code-host';
import type { Issue, NewEvent } from '@sluice/core/issue';
import { remarksOf } from '@sluice/core/pipeline';
import { hostedName } from '@sluice/core/repo';
import { ExecutionEnded } from '../../execution/issue-execution.ts';
import { replyOfAgent } from '../../publication/remark-replies.ts';
import {
  type ChangeRequestFacts,
  changeRequestTitle,
  renderChangeRequest,
  renderFollowUpComment,
  renderPublishedComment,
} from '../../publication/render-change-request.ts';
import { type RemarkReply, renderRemarkReply } from '../../publication/render-remark-answer.ts';
import type { StageContext } from '../../stage/stage-context.ts';
import type { RepoPorts } from '../../workspace/follow-repo.ts';
import type { CommittedChange } from '../../workspace/implementation-commit.ts';
import { callAsUser, putComment } from '../put-comment.ts';

export type ChangeRequestPorts =
  | 'issues'
  | 'runs'
  | 'sandbox'
  | 'publicUrl'
  | 'codehostIndex'
  | 'codehostInbox'
  | 'timers'
  | 'log'
  | RepoPorts;

/** Where a change was published, with notes and events for the issue's log. */
export interface PublishedAt {
  readonly changeRequest: ChangeRequest;
  readonly notes: readonly string[];
  readonly events: readonly NewEvent[];
}

/*
 * Exactly one pull request and one comment result, wherever this is interrupted and repeated. The branch name is derived
 * from the issue, so the branch is looked up first; a pull request that the host already has is used; the comment is found
 * by its marker. The number is recorded as soon as it is known, even when the issue was cancelled meanwhile.
 */

/** Opens the pull request of a pushed branch, or finds it, and comments where the issue came from. */
export async function openChangeRequest(
  stage: StageContext<ChangeRequestPorts>,
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
  const { notes, events } = await comment(stage, facts, changeRequest);
  return { changeRequest, notes: [...(isReady ? [NO_DRAFT] : []), ...notes], events };
}

const NO_DRAFT = 'The pull request is not a draft: the code host has no drafts in this repository.';

interface PushedBranch {
  readonly headBranch: string;
  readonly headCommit: string;
}

async function find(stage: StageContext<ChangeRequestPorts>, from: PushedBranch): Promise<ChangeRequest | null> {
  const { repo, execution } = stage;
  const known = execution.issue().pipeline.publication?.change_request ?? null;
  // A recorded one is ours even if a person has closed it since: a second one would be unwanted.
  if (known !== null)
    return callAsUser(stage, (host, call) => host.changeRequest(call, hostedName(host, repo), known.number));
  // It may have been closed before it was recorded. It was requested once and is not opened again.
  return callAsUser(stage, (host, call) => host.findChangeRequest(call, hostedName(host, repo), from));
}

const FIND_MS = 3_000; // together with the grace period less than a stage has to end

async function open(
  stage: StageContext<ChangeRequestPorts>,
  facts: ChangeRequestFacts,
  from: PushedBranch,
): Promise<ChangeRequest> {
  const { repo, execution } = stage;
  const { issue } = facts;
  const baseBranch = await targetOf(stage, issue, from.headBranch);
  const { signal, release } = graceSignal(stage.signal, stage.deps.timers);
  try {
    // Only a request that was sent outlives a cancel. Until then, while the grant is read, the stage's own signal counts.
    return await callAsUser(stage, (host, call) =>
      host.openChangeRequest({ ...call, signal }, hostedName(host, repo), {
        title: changeRequestTitle(issue),
        body: renderChangeRequest(facts),
        headBranch: from.headBranch,
        baseBranch,
        draft: repo.settings.draft_change_request,
      }),
    );
  } catch (error) {
    if (!execution.signal.aborted) throw error;
    // A cancelled issue is not executed again, and the pull request may exist although its response was lost.
    const made = await find({ ...stage, signal: stage.deps.timers.timeout(FIND_MS) }, from).catch(() => null);
    if (made === null) throw error;
    return made;
  } finally {
    release();
  }
}

/** Only for an issue that has ended: where another process continues, that one finds the pull request itself. */
async function noteOnEnded(
  { deps, execution }: StageContext<ChangeRequestPorts>,
  { number, url, state }: ChangeRequest,
): Promise<void> {
  const { id: issueId } = execution.issue();
  await deps.codehostIndex.noteChangeRequest(issueId, { number, url, state }).catch((error: unknown) => {
    deps.log.warn({ err: error, issueId, url }, 'could not record a pull request that was opened for an ended issue');
  });
}

/** The branch that the change is for. A follow-up is based on its own branch, so the first issue's base applies. */
async function targetOf(
  { deps, repo }: StageContext<ChangeRequestPorts>,
  issue: Issue,
  branch: string,
): Promise<string> {
  let first: Issue | null = issue;
  while (first !== null && first.baseBranch === branch) {
    first = first.parentIssueId === null ? null : await deps.issues.get(first.parentIssueId);
  }
  return first?.baseBranch ?? repo.defaultBranch;
}

async function remember(
  { execution }: StageContext<ChangeRequestPorts>,
  { number, url, state }: ChangeRequest,
): Promise<void> {
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

/** Comments from before the pull request was recorded were ignored, and the host does not send them again. */
async function markForSync({ deps, repo }: StageContext<ChangeRequestPorts>, { number }: ChangeRequest): Promise<void> {
  if (repo.codehostRepoId === null) return;
  await deps.codehostInbox.mark([{ codehostRepoId: repo.codehostRepoId, kind: 'change_request', number }]);
}

/**
 * Comments on the imported issue, or for a follow-up on the pull request itself. There it also answers the remark that has no
 * thread of its own, if there is one: the sync answers all others.
 */
async function comment(
  stage: StageContext<ChangeRequestPorts>,
  facts: ChangeRequestFacts,
  changeRequest: ChangeRequest,
): Promise<Pick<PublishedAt, 'notes' | 'events'>> {
  const { issue } = facts;
  if (issue.parentIssueId === null) {
    if (issue.codehostNumber === null) return { notes: [], events: [] };
    const body = renderPublishedComment(facts, changeRequest);
    return { notes: (await putComment(stage, issue.codehostNumber, { body })).notes, events: [] };
  }
  const reply = replyWithoutThread(facts);
  const { url, notes } = await putComment(stage, changeRequest.number, {
    body: renderFollowUpComment(facts, reply),
    ...(reply !== null && { marker: remarkMarker(issue.id, reply.remark.id) }),
  });
  return { notes, events: reply === null || url === null ? [] : [answeredEvent(reply, url)] };
}

/** A follow-up has one such remark at most: the text of its review, or its comment in the conversation. */
function replyWithoutThread({ issue, change }: ChangeRequestFacts): RemarkReply | null {
  const remark = remarksOf(issue.pipeline.follow_up).find(({ thread }) => thread === null);
  return remark === undefined ? null : { remark, ...replyOfAgent(issue, remark, change.head_commit) };
}

function answeredEvent(reply: RemarkReply, url: string): NewEvent {
  const { remark, end: outcome, commit } = reply;
  return { type: 'remark.answered', data: { remark: remark.id, outcome, commit, text: renderRemarkReply(reply), url } };
}

/** How long a request to the code host may take after its issue was cancelled. */
const ANSWER_MS = 5_000;

/**
 * A signal for a call with a lasting effect at the code host. A cancel gives it some seconds to answer, because otherwise
 * no record of its effect would exist. A shutdown and a timeout abort it at once: the next worker checks first.
 */
function graceSignal(signal: AbortSignal, timers: Timers): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  let cancel: (() => void) | undefined;
  const end = () => {
    if (isEnded(signal.reason)) cancel = timers.after(ANSWER_MS, () => controller.abort(signal.reason));
    else controller.abort(signal.reason);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    signal: controller.signal,
    release() {
      cancel?.();
      signal.removeEventListener('abort', end);
    },
  };
}

/** A renewal may notice a cancel first; then it looks like a lost lease. */
function isEnded(reason: unknown): boolean {
  return reason instanceof ExecutionEnded && reason.reason !== 'shutting_down';
}
