import type { Issue } from '@sluice/core/issue';
import type { NewRepo, Repo } from '@sluice/core/repo';
import { repoSettingsSchema } from '@sluice/core/repo';
import { and, eq } from 'drizzle-orm';
import type { Write } from '../store/store-context.ts';

// What is removed is hidden at once and deleted in pieces (`deletePiece`): a repository can have half a million events,
// and deleting them in one statement would stop everybody for seconds. The mark is on the repository alone. An issue
// that is removed by itself moves to a removed repository of its own, so that each read has one thing to check.

/**
 * The columns that a removed repository loses. The same remote can be registered at once, and a process of an earlier
 * release, which still sees the repository, cannot publish to it.
 */
const NOTHING = { provider: 'git', url: '', codehostRepoId: null, accessToken: null, codeIndex: null } as const;

function noRemote(id: string): string {
  return `removed:${id}`;
}

/** Hides a repository and all its issues. The caller holds the dispatch lock, and no issue of it is active. */
export async function hideRepo({ db, now, context }: Write, id: Repo['id']): Promise<void> {
  const {
    repos,
    repoMembers: members,
    apiTokens: tokens,
    notificationTargets: targets,
    budgets,
  } = context.database.tables;
  await db.delete(targets).where(eq(targets.repoId, id));
  await db.delete(members).where(eq(members.repoId, id));
  await db.delete(tokens).where(eq(tokens.repoId, id));
  await db.delete(budgets).where(and(eq(budgets.kind, 'repo'), eq(budgets.subject, id)));
  await db
    .update(repos)
    .set({ ...NOTHING, canonicalRemote: noRemote(id), removedAt: now })
    .where(eq(repos.id, id));
}

/** Hides an issue that has ended. */
export async function hideIssue({ db, now, context }: Write, { id, userId }: Pick<Issue, 'id' | 'userId'>) {
  const { repos, issues, changeRequests } = context.database.tables;
  const repoId = id as string as NewRepo['id']; // no repository has it: every id is made once
  await db.insert(repos).values({
    ...NOTHING,
    id: repoId,
    userId,
    name: '',
    canonicalRemote: noRemote(id),
    defaultBranch: '',
    settings: repoSettingsSchema.parse({}),
    createdAt: now,
    updatedAt: now,
    removedAt: now,
  });
  await db.delete(changeRequests).where(eq(changeRequests.issueId, id));
  await db.update(issues).set({ parentIssueId: null }).where(eq(issues.parentIssueId, id));
  await db.update(issues).set({ repoId, codehostNumber: null, codehostCommentId: null }).where(eq(issues.id, id));
}
