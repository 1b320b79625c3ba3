import type { DeletionProof, DeletionStore, HeirRules, SettleRepoOutcome } from '@sluice/core/deletion';
import type { RepoId, UserId } from '@sluice/core/id';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { holdRepoIfThere } from '../access/hold-repo.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { markMembers } from '../member/mark-mirrored.ts';
import { isVisible } from '../removal/is-visible.ts';
import { readRepo } from '../repo/read-repo.ts';
import { removeRepo } from '../repo/remove-repo.ts';
import type { Tables } from '../schema/schema.ts';
import { type StoreContext, type Write, write } from '../store/store-context.ts';
import { consumeFactor } from '../user/consume-factor.ts';
import { findCredentials } from '../user/credentials.ts';
import { endSessions, isLive } from '../user/end-sessions.ts';
import { holdUser } from '../user/hold-user.ts';
import { hasOtherOperator } from '../user/operators.ts';
import { findHeir } from './find-heir.ts';
import { planDeletion, unended } from './plan-deletion.ts';

/**
 * The deletion of accounts. Every write takes the dispatch lock first: of two operators one must remain, and nobody may get a
 * repository while they leave. Rare, so that its SQL is built each time.
 */
export function createDeletionStore(context: StoreContext): DeletionStore {
  const { database } = context;
  const { read, tables } = database;
  const { users, repos, issues, sessions, apiTokens: tokens, codehostGrants: grants } = tables;

  /** Holds the user, who must still be who has asked. */
  const isProven = async (write: Write, { userId, sessionId, ifPasswordHash }: DeletionProof): Promise<boolean> => {
    const { db, now } = write;
    if (!(await holdUser(write, userId))?.isEnabled) return false;
    const live = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isLive(tables, now)));
    if (live.length === 0) return false;
    if (ifPasswordHash === null) return true;
    const [own] = await findCredentials(write, { userId });
    return own?.passwordHash === ifPasswordHash;
  };
  const isOperator = async ({ db }: Write, { userId }: DeletionProof): Promise<boolean> => {
    const [user] = await db.select({ isOperator: users.isOperator }).from(users).where(eq(users.id, userId));
    return user?.isOperator === true;
  };
  const hasUnfinished = async ({ db }: Write, { userId }: DeletionProof): Promise<boolean> => {
    const [issue] = await db
      .select({ id: issues.id })
      .from(issues)
      .where(and(eq(issues.userId, userId), inArray(issues.status, unended), isVisible(database, db)))
      .limit(1);
    if (issue !== undefined) return true;
    const [repo] = await db
      .select({ id: repos.id })
      .from(repos)
      .where(and(eq(repos.userId, userId), isNull(repos.removedAt)))
      .limit(1);
    return repo !== undefined;
  };

  return {
    plan: (userId, rules) => planDeletion(context, userId, rules),

    begin: (proof) =>
      write(context, async (write) => {
        const { userId, ifPasswordHash, secondFactor } = proof;
        await database.lockDispatch(write.db);
        if (!(await isProven(write, proof))) return 'stale';
        if ((await isOperator(write, proof)) && !(await hasOtherOperator(write, userId))) return 'last_operator';
        const needsFactor = ifPasswordHash !== null;
        const purpose = 'deletion';
        if (needsFactor && !(await consumeFactor(write, { userId, purpose }, secondFactor))) return 'stale';
        return 'begun';
      }),

    repos: async (userId) => {
      const rows = await read
        .select({ id: repos.id })
        .from(repos)
        .where(and(eq(repos.userId, userId), isNull(repos.removedAt)))
        .orderBy(asc(repos.ordinal));
      return rows.map(({ id }) => id);
    },

    settleRepo: (repo, rules, audit) => write(context, (write) => settleRepo(write, repo, { rules, audit })),

    finish: (proof, audit, ofFlag) =>
      write(context, async (write) => {
        const { db, now } = write;
        const { userId } = proof;
        await database.lockDispatch(db);
        if (!(await isProven(write, proof))) return { kind: 'stale' };
        // Only here does the flag go, so that a deletion that is interrupted leaves the operator one.
        const isOne = await isOperator(write, proof);
        if (isOne && !(await hasOtherOperator(write, userId))) return { kind: 'last_operator' };
        if (await hasUnfinished(write, proof)) return { kind: 'busy' };
        const endedSessions = await endSessions(write, userId, null);
        const usable = and(eq(tokens.userId, userId), isNull(tokens.revokedAt), gt(tokens.expiresAt, now));
        const endedTokens = (await db.select({ id: tokens.id }).from(tokens).where(usable)).map(({ id }) => id);
        const [grant] = await db
          .select({ encrypted: grants.tokenEncrypted, nonce: grants.tokenNonce })
          .from(grants)
          .where(eq(grants.userId, userId));
        const { encrypted = null, nonce = null } = grant ?? {};
        await eraseUser(write, userId);
        if (isOne) await appendAudit(write, ofFlag);
        await appendAudit(write, audit?.(endedSessions.length));
        const codehostGrant = encrypted === null || nonce === null ? null : { encrypted, nonce };
        return { kind: 'deleted', endedSessions, endedTokens, codehostGrant };
      }),
  };
}

/** `DeletionStore.settleRepo`. The dispatch lock orders it with the deletion of the heir's own account. */
async function settleRepo(
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

/** The tables whose rows go with their user. Of the others with a user, `KEPT_TABLES` says that they stay. */
export const ERASED_TABLES = [
  'credentials',
  'failedLogins',
  'sessions',
  'accountLinks',
  'secondFactors',
  'recoveryCodes',
  'loginChallenges',
  'apiTokens',
  'codehostGrants',
  'loginGrants',
  'oidcIdentities',
  'notificationTargets',
  'invitations',
  'repoMembers',
  'requestAnswers',
] as const satisfies readonly (keyof Tables)[];

/**
 * Issues with their events and attachments are their repository's, repositories have been settled before, and the audit log is
 * never changed. Attachments that no issue has used go.
 */
export const KEPT_TABLES = [
  'issues',
  'attachments',
  'events',
  'repos',
  'auditEntries',
] as const satisfies readonly (keyof Tables)[];

/** Deletes all that is a user's, and leaves their row without anything that names them. The caller holds it. */
async function eraseUser({ context, db, now }: Write, userId: UserId): Promise<void> {
  const { tables } = context.database;
  for (const name of ERASED_TABLES) {
    const table = tables[name];
    await db.delete(table).where(eq(table.userId, userId));
  }
  const { users, budgets, invitations, attachments } = tables;
  await db.delete(attachments).where(and(eq(attachments.userId, userId), isNull(attachments.issueId)));
  const [left] = await db.select({ emailKey: users.emailKey }).from(users).where(eq(users.id, userId));
  // The invitation with which they came.
  if (left?.emailKey) await db.delete(invitations).where(eq(invitations.emailKey, left.emailKey));
  await db.delete(budgets).where(and(eq(budgets.kind, 'user'), eq(budgets.subject, userId)));
  await db
    .update(users)
    .set({
      email: null,
      emailKey: null,
      emailVerifiedAt: null,
      name: null,
      avatarUrl: null,
      codehostId: null,
      codehostLogin: null,
      preferences: null,
      isOperator: false,
      // So that whatever asks whether somebody may still act finds that they may not.
      disabledAt: now,
      deletedAt: now,
    })
    .where(eq(users.id, userId));
}
