import type { CommitAccount, HostedCommit, HostedComparison, HostedRevert } from '@sluice/core/code-host';
import { z } from 'zod';
import { firstPages } from '../client/first-pages.ts';
import { repoName, subjectNumber } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import { hostAuthor, hostDate } from './wire-values.ts';

const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

const person = z
  .object({ email: z.string().nullish(), date: hostDate.nullish().catch(null) })
  .nullish()
  .transform((one) => ({ email: one?.email ?? null, date: one?.date ?? null }));

/** Null without an account; the host writes an empty object for some. */
const account = z
  .union([hostAuthor, z.object({}).transform(() => null)])
  .transform((one): CommitAccount | null =>
    one === null ? null : { id: one.id, login: one.login, bot: one.type === 'Bot' },
  );

const commitSchema = z.object({
  sha,
  parents: z.array(z.object({ sha })),
  author: account,
  committer: account,
  commit: z.object({ message: z.string(), committer: person }),
});

/** Reads the commits of a pull request. The host returns at most 250. */
export async function readCommits(
  host: HostSession,
  fullName: string,
  number: number,
): Promise<readonly HostedCommit[]> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits';
  const parameters = { ...repoName(fullName), pull_number: subjectNumber(number) };
  const { items } = await firstPages(host, { route, parameters, pages: 3 }, z.array(commitSchema));
  return items.map(({ sha, parents, author, committer, commit }) => ({
    commit: sha,
    parents: parents.map((parent) => parent.sha),
    author,
    committer,
    committerEmail: commit.committer.email,
    committedAt: commit.committer.date,
  }));
}

const comparisonSchema = z.object({
  ahead_by: z.number().int(),
  behind_by: z.number().int(),
  base_commit: z.object({ sha }),
  merge_base_commit: z.object({ sha }),
});

export async function compareCommits(
  host: HostSession,
  fullName: string,
  { base, head }: { base: string; head: string },
): Promise<HostedComparison> {
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/compare/{basehead}',
    // The first page has all changed files, and any page the numbers.
    parameters: { ...repoName(fullName), basehead: `${base}...${head}`, per_page: 1, page: 2 },
    schema: comparisonSchema,
  });
  return {
    ahead: data.ahead_by,
    behind: data.behind_by,
    baseCommit: data.base_commit.sha,
    mergeBase: data.merge_base_commit.sha,
  };
}

const REVERT_PAGES = 5; // five hundred commits, the newest

/** The sentence that git writes. For a merge commit, the host's button goes on with `, reversing changes made to …`. */
const REVERTS = /^This reverts commit ([0-9a-f]{40,64})\b/gim;

export async function findRevert(
  host: HostSession,
  fullName: string,
  merged: { number: number; baseBranch: string; mergeCommit: string; mergedAt: Date },
): Promise<HostedRevert | null> {
  const { items } = await firstPages(
    host,
    {
      route: 'GET /repos/{owner}/{repo}/commits',
      parameters: { ...repoName(fullName), sha: merged.baseBranch, since: merged.mergedAt.toISOString() },
      pages: REVERT_PAGES,
    },
    z.array(commitSchema),
  );
  // Merged as one commit, the host's revert of a pull request has its own text instead of git's.
  const ofPull = new RegExp(`^Reverts ${RegExp.escape(fullName)}#${merged.number}\\b`, 'im');
  // Oldest first: a revert may be reverted later.
  let found: z.output<typeof commitSchema> | null = null;
  for (const one of items.toReversed()) {
    const { message } = one.commit;
    const undone = [...message.matchAll(REVERTS)].map(([, commit]) => commit);
    if (found === null && (undone.includes(merged.mergeCommit) || ofPull.test(message))) found = one;
    else if (found !== null && undone.includes(found.sha)) found = null;
  }
  if (found === null) return null;
  const url = `${host.address.web}/${fullName}/commit/${found.sha}`;
  return { commit: found.sha, url, at: found.commit.committer.date };
}
