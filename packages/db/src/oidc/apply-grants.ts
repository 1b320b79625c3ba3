import type { AuditAct } from '@sluice/core/audit';
import type { RepoId, UserId } from '@sluice/core/id';
import { MAX_MEMBERS } from '@sluice/core/member';
import type { GroupGrants } from '@sluice/core/oidc';
import { and, count, eq } from 'drizzle-orm';
import { holdRepoIfThere } from '../access/hold-repo.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { deleteMember } from '../member/delete-member.ts';
import type { Write } from '../store/store-context.ts';
import { hasOtherOperator } from '../user/operators.ts';

interface Owner {
  readonly userId: UserId;
  readonly issuer: string;
}

interface AppliedGrants {
  readonly ungranted: readonly RepoId[];
  readonly accessChanged: boolean;
}

/**
 * Gives the user of an identity what its groups give, and takes what they gave before. The caller holds the dispatch lock, and
 * so is the only one who does.
 */
export async function applyGrants(write: Write, owner: Owner, grants: GroupGrants): Promise<AppliedGrants> {
  const flagChanged = await applyOperator(write, owner, grants.isOperator);
  const { ungranted, changed } = await applyRoles(write, owner.userId, grants);
  return { ungranted, accessChanged: flagChanged || changed };
}

/** By the service, at a sign-in of the user whose groups they are. */
async function audited(write: Write, userId: UserId, act: AuditAct): Promise<void> {
  await appendAudit(write, { userId, actor: { kind: 'service' }, act });
}

async function applyOperator(write: Write, { userId, issuer }: Owner, isGranted: boolean): Promise<boolean> {
  const { context, db } = write;
  const { users, oidcIdentities: identities } = context.database.tables;
  const isIt = and(eq(identities.userId, userId), eq(identities.issuer, issuer));
  const [now] = await db
    .select({ isOperator: users.isOperator, byGroups: identities.madeOperator })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(isIt);
  if (now === undefined) return false;
  const set = async (isOperator: boolean) => {
    await db.update(users).set({ isOperator }).where(eq(users.id, userId));
    await db.update(identities).set({ madeOperator: isOperator }).where(isIt);
    const action = isOperator ? 'account.operator_granted' : 'account.operator_revoked';
    await audited(write, userId, { action, subjectId: null, detail: {} });
    return true;
  };
  if (isGranted) return now.isOperator ? false : await set(true);
  if (!now.byGroups) return false;
  if (now.isOperator && (await hasOtherOperator(write, userId))) return await set(false);
  return false; // somebody must be one: the flag goes at a later sign-in
}

async function applyRoles(
  write: Write,
  userId: UserId,
  { roles, others }: GroupGrants,
): Promise<{ ungranted: RepoId[]; changed: boolean }> {
  const { context, db, now } = write;
  const { repoMembers: members } = context.database.tables;
  const before = await db
    .select({ repoId: members.repoId, role: members.role, origin: members.origin })
    .from(members)
    .where(eq(members.userId, userId));
  const byRepo = new Map(before.map((member) => [member.repoId, member]));
  const ungranted: RepoId[] = [];
  let changed = false;

  for (const [repoId, role] of inOrder(roles)) {
    const there = byRepo.get(repoId);
    if (there !== undefined && (there.origin !== 'oidc' || there.role === role)) continue;
    const registrant = await holdRepoIfThere(write, repoId);
    if (registrant === userId) continue;
    const isFull = there === undefined && (await membersOf(write, repoId)) >= MAX_MEMBERS;
    if (registrant === null || isFull) {
      ungranted.push(repoId);
      continue;
    }
    const written = await db
      .insert(members)
      .values({ repoId, userId, role, origin: 'oidc', createdAt: now, updatedAt: now })
      .onConflictDoUpdate({
        target: [members.repoId, members.userId],
        set: { role, updatedAt: now },
        setWhere: eq(members.origin, 'oidc'), // an admin may have added them meanwhile
      })
      .returning({ role: members.role });
    if (written.length === 0) continue;
    await audited(write, userId, { action: 'repo.member_put', subjectId: repoId, detail: { user_id: userId, role } });
    changed = true;
  }
  for (const { repoId, origin } of before.sort(byRepoId)) {
    if (origin !== 'oidc' || roles.has(repoId) || others.has(repoId)) continue;
    await holdRepoIfThere(write, repoId);
    const [still] = await db
      .select({ origin: members.origin })
      .from(members)
      .where(and(eq(members.repoId, repoId), eq(members.userId, userId)));
    if (still?.origin !== 'oidc') continue;
    await deleteMember(write, repoId, userId);
    await audited(write, userId, { action: 'repo.member_removed', subjectId: repoId, detail: { user_id: userId } });
    changed = true;
  }
  return { ungranted, changed };
}

/** Rows are locked in one order, or two transactions could wait for each other. */
function inOrder<T>(roles: ReadonlyMap<RepoId, T>): [RepoId, T][] {
  return [...roles].sort(([one], [other]) => (one < other ? -1 : 1));
}

function byRepoId(one: { readonly repoId: RepoId }, other: { readonly repoId: RepoId }): number {
  return one.repoId < other.repoId ? -1 : 1;
}

async function membersOf({ context, db }: Write, repoId: RepoId): Promise<number> {
  const { repoMembers: members } = context.database.tables;
  const [row] = await db.select({ total: count() }).from(members).where(eq(members.repoId, repoId));
  return row?.total ?? 0;
}
