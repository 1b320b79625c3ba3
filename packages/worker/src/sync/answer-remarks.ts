import { type CodeHostCall, type ReviewThread, remarkMarker } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import type { IssueId } from '@sluice/core/id';
import type { Issue } from '@sluice/core/issue';
import { remarksOf } from '@sluice/core/pipeline';
import { hostedName } from '@sluice/core/repo';
import { remarkReplies } from '../publication/remark-replies.ts';
import { renderRemarkComment, renderRemarkCommentElsewhere } from '../publication/render-change-request.ts';
import { type RemarkReply, renderRemarkReply } from '../publication/render-remark-answer.ts';
import { NO_PLACE } from './host-error.ts';
import type { ReviewSync } from './review-sync.ts';
import type { SyncContext } from './sync-context.ts';

/** An answer that is due. */
interface Due {
  readonly issue: Issue;
  readonly reply: RemarkReply;
}

/**
 * Answers each remark of the follow-ups that have ended, however they ended: once, in its own thread. Each step looks first
 * at what is there: the host finds an answer by its marker, a resolved thread stays as it is, and an answer that was recorded
 * is not written again, even if a person has deleted it since. So it can stop after any step and be repeated.
 *
 * A thread is resolved when everything that was asked in it is carried out and pushed.
 */
export async function answerRemarks(sync: ReviewSync): Promise<void> {
  const { work, reviewed } = sync;
  const followUps = await followUpsOf(sync);
  const due = await dueAnswers(work, followUps);
  if (due.length === 0) return;
  const open = openThreads(followUps);
  let threads: readonly ReviewThread[] | null = null;
  for (const one of due) {
    const { thread } = one.reply.remark;
    const written = await write(sync, one);
    if (written === 'outdated') continue;
    if (thread !== null && one.reply.commit !== null && !open.has(thread)) {
      threads ??= await asUser(sync, one, (call) =>
        work.host.reviewThreads(call, hostedName(work.host, reviewed.repo), reviewed.change.number),
      );
      await resolve(sync, one, threads);
    }
    await work.deps.codehostIndex.noteAnsweredRemark(one.issue.id, {
      remark: one.reply.remark.id,
      outcome: one.reply.end,
      commit: one.reply.commit,
      text: renderRemarkReply(one.reply),
      url: written.url,
    });
  }
}

/** Oldest first. The first issue itself counts where it is a follow-up whose parent was deleted. */
async function followUpsOf({ work: { deps }, reviewed: { first, issues } }: ReviewSync): Promise<Issue[]> {
  const byId = new Map<IssueId, Issue>();
  for (const issue of [...issues, ...(await deps.codehostIndex.followUpsOf(first.id))]) byId.set(issue.id, issue);
  return [...byId.values()].filter(({ pipeline }) => remarksOf(pipeline.follow_up).length > 0);
}

async function dueAnswers({ deps }: SyncContext, followUps: readonly Issue[]): Promise<Due[]> {
  const due: Due[] = [];
  for (const issue of followUps) {
    const replies = remarkReplies(issue);
    if (replies.length === 0) continue;
    const answered = await deps.codehostIndex.answeredRemarks(issue.id);
    for (const reply of replies) {
      if (answered.get(reply.remark.id)?.text !== renderRemarkReply(reply)) due.push({ issue, reply });
    }
  }
  return due;
}

/** The threads in which something is not carried out. */
function openThreads(followUps: readonly Issue[]): ReadonlySet<string | null> {
  const open = followUps.flatMap((issue) => {
    const replies = remarkReplies(issue);
    const isDone = (id: string) => replies.some(({ remark, commit }) => remark.id === id && commit !== null);
    return remarksOf(issue.pipeline.follow_up).filter(({ id }) => !isDone(id));
  });
  return new Set(open.map(({ thread }) => thread));
}

/** Thrown before a write whose follow-up was retried meanwhile: another answer will be due when it ends. */
class Outdated extends Error {}

/** @returns where it was written; a URL of null where there is no place for it any more */
async function write(sync: ReviewSync, due: Due): Promise<{ readonly url: string | null } | 'outdated'> {
  const { work, reviewed } = sync;
  const { issue, reply } = due;
  const { id, thread } = reply.remark;
  const { publicUrl, log } = work.deps;
  const name = hostedName(work.host, reviewed.repo);
  const text = { number: reviewed.change.number, marker: remarkMarker(issue.id, id) };
  const inThread = renderRemarkComment({ issue, publicUrl }, reply);
  const elsewhere = renderRemarkCommentElsewhere({ issue, publicUrl }, reply);
  const put = (call: CodeHostCall) => work.host.putComment(call, name, { ...text, body: elsewhere });
  const respond = (call: CodeHostCall) =>
    work.host.replyToComment(call, name, { ...text, commentId: id, body: inThread });
  for (const attempt of thread === null ? [put] : [respond, put]) {
    try {
      return await asUser(sync, due, attempt);
    } catch (error) {
      if (error instanceof Outdated) return 'outdated';
      if (!(error instanceof AppError) || !NO_PLACE.has(error.code)) throw error;
      log.warn({ issueId: issue.id, remark: id, reason: error.message }, 'could not answer a remark in its place');
    }
  }
  return { url: null };
}

async function resolve(sync: ReviewSync, due: Due, threads: readonly ReviewThread[]): Promise<void> {
  const { work } = sync;
  const { id } = due.reply.remark;
  const thread = threads.find(({ comments }) => comments.includes(id));
  if (thread === undefined || thread.resolved) return;
  try {
    await asUser(sync, due, (call) => work.host.resolveThread(call, thread.id));
  } catch (error) {
    if (error instanceof Outdated) return; // deleted meanwhile
    if (!(error instanceof AppError) || !NO_PLACE.has(error.code)) throw error;
    work.deps.log.warn({ issueId: due.issue.id, remark: id, reason: error.message }, 'could not resolve a thread');
  }
}

/** Each write first asks whether this process still holds the claim, and whether the answer is still the one that is due. */
async function asUser<T>(
  { work: { tokens, deps, confirmClaim }, reviewed, signal }: ReviewSync,
  { issue, reply }: Due,
  send: (call: CodeHostCall) => Promise<T>,
): Promise<T> {
  const beforeWrite = async () => {
    await confirmClaim();
    const now = await deps.issues.get(issue.id);
    const current = now === null ? [] : remarkReplies(now);
    const same = current.find(({ remark }) => remark.id === reply.remark.id);
    if (same === undefined || renderRemarkReply(same) !== renderRemarkReply(reply)) throw new Outdated();
  };
  return await tokens.callAsUser(reviewed.repo.userId, signal, (call) => send({ ...call, beforeWrite }));
}
