import {
  type BuildNews,
  type BuildVerdict,
  buildMarker,
  buildNews,
  buildVerdict,
  type ChangeRequest,
  type CodeHostCall,
  type HostedComment,
} from '@sluice/core/code-host';
import { answerBuild } from '@sluice/core/follow-up';
import type { Issue } from '@sluice/core/issue';
import { buildFollowUpKey } from '@sluice/core/pipeline';
import { hostedName, type Repo } from '@sluice/core/repo';
import { renderBuildComment } from '../publication/render-build-comment.ts';
import { isRefusal } from './host-error.ts';
import type { SyncContext } from './sync-context.ts';

interface OpenChange {
  readonly call: CodeHostCall;
  readonly repo: Repo;
  /** The issue that led to the pull request. */
  readonly first: Issue;
  readonly change: ChangeRequest;
  readonly comments: readonly HostedComment[];
}

/** What the build of a pull request's head says, and what is to be done about it. */
export interface FoundBuild {
  readonly verdict: BuildVerdict;
  readonly news: BuildNews | null;
  /** Names of checks that fail at the base too. */
  readonly failingAtBase: ReadonlySet<string>;
  readonly answer: ReturnType<typeof answerBuild>;
  /** Follow-ups of builds that the pull request has had. */
  readonly rounds: number;
}

/**
 * Reads the build of the head of an open pull request, and, where it fails, that of its base. A comment on the pull request says
 * what is not fixed, until the build has passed. It is written before the news is kept: a process that dies between both writes the same one again.
 *
 * @returns null where the repository does not follow builds, and where the account may not read them
 */
export async function findBuild(work: SyncContext, open: OpenChange): Promise<FoundBuild | null> {
  const { outcomes, codehostIndex, log } = work.deps;
  const { call, repo, first, change } = open;
  const { follow_build: follows } = repo.settings;
  if (follows === 'off') return null;
  const { number, headCommit, baseBranch } = change;
  try {
    const build = await work.host.build(call, hostedName(work.host, repo), { commit: headCommit, baseBranch });
    const verdict = buildVerdict(build, headCommit);
    const failingAtBase = verdict.state === 'failure' ? await failuresAtBase(work, open) : new Set<string>();
    const record = await outcomes.get({ repoId: repo.id, number });
    const key = buildFollowUpKey(headCommit);
    const rounds = record?.buildRounds ?? 0;
    const answer = answerBuild({
      ...{ verdict, failingAtBase, follows, rounds, mostRounds: work.buildRounds },
      isOurs: record?.headCommit === headCommit,
      isTried:
        (await codehostIndex.followUpOf(repo.id, key)) !== null ||
        (await codehostIndex.wasRemoved(repo.id, { commentId: key })),
    });
    const fresh = buildNews(verdict, { commit: headCommit, failingAtBase, url: change.url });
    const news = fresh !== null && answer.kind === 'give_up' ? { ...fresh, given_up: true as const } : fresh;
    if (news !== null && JSON.stringify(news) !== JSON.stringify(record?.build))
      await comment(work, open, { news, rounds });
    return { verdict, news, failingAtBase, answer, rounds };
  } catch (error) {
    // What people write on the pull request is followed all the same.
    if (!isRefusal(error)) throw error;
    log.warn({ issueId: first.id, number, reason: error.message }, 'could not follow the build of a pull request');
    return null;
  }
}

/** The names of what fails at the tip of the base branch, or where the change left it: neither is the fault of the change. */
async function failuresAtBase({ host }: SyncContext, { call, repo, change }: OpenChange): Promise<ReadonlySet<string>> {
  const { baseBranch, headCommit } = change;
  const name = hostedName(host, repo);
  const { baseCommit, mergeBase } = await host.compare(call, name, { base: baseBranch, head: headCommit });
  const failing = new Set<string>();
  for (const commit of new Set([baseCommit, mergeBase])) {
    const { checks } = await host.build(call, name, { commit, baseBranch });
    for (const check of checks) if (check.state === 'failure') failing.add(check.name);
  }
  return failing;
}

async function comment(
  { host, deps, confirmClaim }: SyncContext,
  { call, repo, first, change, comments }: OpenChange,
  { news, rounds }: { news: BuildNews; rounds: number },
): Promise<void> {
  const { baseBranch, number } = change;
  const marker = buildMarker(first.id);
  const isThere = comments.some(({ body }) => body.startsWith(marker));
  const body = renderBuildComment(news, { first, baseBranch, rounds, publicUrl: deps.publicUrl, isThere });
  if (body === null) return;
  try {
    const write = { ...call, beforeWrite: confirmClaim };
    await host.putComment(write, hostedName(host, repo), { number, marker, body });
  } catch (error) {
    // A conversation can be locked. The issue tells it too.
    if (!isRefusal(error)) throw error;
    deps.log.warn({ issueId: first.id, number, reason: error.message }, 'could not comment on a build');
  }
}
