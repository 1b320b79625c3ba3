import type { BuildCheck, ChangeRequest, FailedJob } from '@sluice/core/code-host';
import { canBeFollowedUp, createCausedFollowUp } from '@sluice/core/follow-up';
import { type Issue, isTerminal } from '@sluice/core/issue';
import { hostedName, type Repo } from '@sluice/core/repo';
import { buildFollowUp } from './build-follow-up.ts';
import type { FoundBuild } from './find-build.ts';
import { isRefusal } from './host-error.ts';
import { runWhenFree, waitsToRun } from './run-when-free.ts';
import type { SyncContext, SyncEnd } from './sync-context.ts';

interface FollowedChange {
  readonly repo: Repo;
  /** The issues that were published to the pull request, the first one first. */
  readonly issues: readonly [Issue, ...Issue[]];
  readonly change: ChangeRequest;
  /** Null where its build is not followed. */
  readonly found: FoundBuild | null;
}

/**
 * Acts on the build of a pull request: creates the follow-up that fixes it, once for each head, or makes a draft of ours ready
 * for review, once. A follow-up that waits for its repository is run in its turn. One that is not needed any more ends by
 * itself when it starts.
 */
export async function followBuild(work: SyncContext, followed: FollowedChange, signal: AbortSignal): Promise<SyncEnd> {
  const { repo, issues, found } = followed;
  const followUps = await work.deps.codehostIndex.followUpsOf(issues[0].id);
  const waiting = followUps.find((issue) => issue.pipeline.follow_up?.kind === 'build' && waitsToRun(issue));
  if (waiting !== undefined) return await runWhenFree(work, waiting);
  if (found === null) return 'done';
  // It is made when it can start, with what the jobs say then.
  if (found.answer.kind === 'fix') {
    const isBusy = ((await work.deps.repos.get(repo.id))?.activeIssueId ?? null) !== null;
    return isBusy ? 'blocked' : await fix(work, { ...followed, found, checks: found.answer.checks }, signal);
  }
  const isOver = [...issues, ...followUps].every(({ status }) => isTerminal(status));
  if (found.verdict.state === 'success' && isOver) await makeReady(work, followed, signal);
  return 'done';
}

async function fix(
  work: SyncContext,
  {
    repo,
    issues: [first],
    change,
    found,
    checks,
  }: FollowedChange & { found: FoundBuild; checks: readonly BuildCheck[] },
  signal: AbortSignal,
): Promise<SyncEnd> {
  const jobs = await failedJobs(work, { repo, checks }, signal);
  // Logs take their time. A push meanwhile is looked at by a sync of its own.
  if (!(await isCurrent(work, { repo, change }, signal))) return 'done';
  const atBase = found.verdict.failed.filter(({ name }) => found.failingAtBase.has(name));
  const draft = buildFollowUp({
    ...{ first, change, jobs, round: found.rounds + 1 },
    names: namesOf(checks),
    others: namesOf([...atBase, ...found.verdict.optionalFailed]),
  });
  return (await createCausedFollowUp(work.deps, { ...draft, queue: true })) === 'waits' ? 'blocked' : 'done';
}

function namesOf(checks: readonly BuildCheck[]): string[] {
  return [...new Set(checks.map(({ name }) => name))];
}

/** The failed jobs with their logs. Not every account may read logs: then the names of the jobs have to do. */
async function failedJobs(
  { host, tokens, deps }: SyncContext,
  { repo, checks }: { repo: Repo; checks: readonly BuildCheck[] },
  signal: AbortSignal,
): Promise<readonly FailedJob[]> {
  try {
    return await tokens.callAsUser(repo.userId, signal, (call) =>
      host.failedJobs(call, hostedName(host, repo), checks),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    deps.log.warn({ repoId: repo.id, reason: error.message }, 'could not read why a build failed');
    return [];
  }
}

/** A person who makes it a draft again is left alone: it was ready once. */
async function makeReady(
  work: SyncContext,
  { repo, issues, change }: FollowedChange,
  signal: AbortSignal,
): Promise<void> {
  const { host, tokens, deps, confirmClaim } = work;
  const key = { repoId: repo.id, number: change.number };
  const record = await deps.outcomes.get(key);
  const isUntouched = change.state === 'draft' && record !== null && record.readyAt === null;
  if (!isUntouched || !(await isCurrent(work, { repo, change }, signal))) return;
  try {
    await tokens.callAsUser(repo.userId, signal, (call) =>
      host.markReady({ ...call, beforeWrite: confirmClaim }, hostedName(host, repo), change.number),
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    deps.log.warn({ issueId: issues[0].id, reason: error.message }, 'could not make a draft ready for review');
    return;
  }
  await deps.outcomes.note(key, { state: 'open' });
  for (const { id } of issues) await deps.codehostIndex.setChangeRequestState(id, 'open');
}

/** Whether the pull request still has the head that was judged, in the state that it had. */
async function isCurrent(
  { host, tokens }: SyncContext,
  { repo, change }: { repo: Repo; change: ChangeRequest },
  signal: AbortSignal,
): Promise<boolean> {
  const now = await tokens.callAsUser(repo.userId, signal, (call) =>
    host.changeRequest(call, hostedName(host, repo), change.number),
  );
  return now.headCommit === change.headCommit && canBeFollowedUp(now.state);
}
