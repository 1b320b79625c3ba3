import type { DeletionStore, HeirRules, SettleRepoOutcome } from '@sluice/core/deletion';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, eq } from 'drizzle-orm';
import { holdRepoIfThere } from '../access/hold-repo.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { markMembers } from '../member/mark-mirrored.ts';
import { readRepo } from '../repo/read-repo.ts';
import { removeRepo } from '../repo/remove-repo.ts';
import type { Write } from '../store/store-context.ts';
import { findHeir } from './find-heir.ts';

/** `DeletionStore.settleRepo`. The dispatch lock orders it with the deletion of the heir's own account. */
export async function settleRepo(
  write: Write,
  { id, userId }: { readonly id: RepoId; readonly userId: UserId },
  { rules, audit }: { readonly rules: HeirRules; readonly audit: Parameters<DeletionStore['settleRepo']>[2] },
): Promise<SettleRepoOutcome> {
  const { context, db, now } = write;
  await context.database.lockDispatch(db);
  if ((await holdRepoIfThere(write, id)) !== userId) return { kind: 'absent' };
  const repo = await readRepo(write, id);
  if (repo === null) return { kind: 'absent' };
  const heir = await findHeir(write, repo, rules);
  if (heir === null) {
    if (repo.activeIssueId !== null) return { kind: 'active' };
    await appendAudit(write, audit?.(repo.name, null)); // before it has no members any more
    await removeRepo(write, repo);
    return { kind: 'removed' };
  }
  const { repos, repoMembers: members } = context.database.tables;
  const tokenDropped = repo.accessToken !== null;
  await appendAudit(write, audit?.(repo.name, { userId: heir.userId, tokenDropped })); // while it is the leaver's
  await db.delete(members).where(and(eq(members.repoId, id), eq(members.userId, heir.userId)));
  await db.update(repos).set({ userId: heir.userId, accessToken: null, updatedAt: now }).where(eq(repos.id, id));
  if (repo.settings.mirror_members) await markMembers(write, repo);
  return { kind: 'handed_over', to: heir.userId };
}
